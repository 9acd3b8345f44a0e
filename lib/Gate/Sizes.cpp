//===- Sizes.cpp - Sizes for dynamic dimensions, and wider floats
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Extents.h"
#include "KLineage/Gate/Gate.h"
#include "KLineage/State/State.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <set>

using namespace mlir;
using namespace klineage;

using Dimension = std::pair<void *, int64_t>;

/// Dimensions of the entry's buffers that have a name, by it.
static std::map<StringRef, std::vector<Dimension>>
namedDimensions(func::FuncOp entry) {
  std::map<StringRef, std::vector<Dimension>> named;
  for (BlockArgument arg : entry.getArguments()) {
    auto type = dyn_cast<MemRefType>(arg.getType());
    auto names =
        entry.getArgAttrOfType<ArrayAttr>(arg.getArgNumber(), kExtentsAttr);
    if (!type || !names || int64_t(names.size()) != type.getRank())
      continue;
    for (auto [dim, name] : llvm::enumerate(names))
      if (auto text = dyn_cast<StringAttr>(name); text && !text.empty())
        named[text.getValue()].push_back({arg.getAsOpaquePointer(), dim});
  }
  return named;
}

/// Dimensions that the loops of linalg operations, or names, tie together.
static llvm::EquivalenceClasses<Dimension> unify(func::FuncOp entry) {
  llvm::EquivalenceClasses<Dimension> classes;
  auto key = [](Value value, int64_t dim) {
    return Dimension(value.getAsOpaquePointer(), dim);
  };
  entry.walk([&](linalg::LinalgOp op) {
    std::map<unsigned, Dimension> loops;
    for (OpOperand &operand : op->getOpOperands())
      for (auto [dim, expr] :
           llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
          Dimension now = key(operand.get(), dim);
          auto [it, inserted] = loops.try_emplace(loop.getPosition(), now);
          classes.unionSets(now, it->second);
        }
  });
  for (auto &[name, dimensions] : namedDimensions(entry))
    for (Dimension dimension : dimensions)
      classes.unionSets(dimensions.front(), dimension);
  entry.walk([&](memref::AllocOp alloc) {
    unsigned next = 0;
    for (int64_t dim = 0; dim < alloc.getType().getRank(); ++dim) {
      if (!alloc.getType().isDynamicDim(dim))
        continue;
      auto size =
          alloc.getDynamicSizes()[next++].getDefiningOp<memref::DimOp>();
      if (size && size.getConstantIndex())
        classes.unionSets(key(alloc, dim),
                          key(size.getSource(), *size.getConstantIndex()));
    }
  });
  entry.walk([&](memref::CopyOp copy) {
    auto type = cast<MemRefType>(copy.getSource().getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      classes.unionSets(key(copy.getSource(), dim), key(copy.getTarget(), dim));
  });
  return classes;
}

namespace {
/// The dynamic dimensions of the arguments, in order, as numbers of classes;
/// an extent for each class that a static dimension fixes; classes that only
/// count how often a product is done.
struct DimensionClasses {
  std::vector<size_t> classOf;
  std::map<size_t, int64_t> fixed;
  std::set<size_t> batches;

  template <typename F> std::vector<int64_t> sizes(F extentOf) const {
    std::vector<int64_t> list;
    for (size_t number : classOf) {
      auto known = fixed.find(number);
      list.push_back(known != fixed.end() ? known->second : extentOf(number));
    }
    return list;
  }
};
} // namespace

/// Dimensions of loops that a product of arrays of rank 3 and more has in all
/// of its operands: batches.
static std::vector<Dimension> batchDimensions(func::FuncOp entry) {
  std::vector<Dimension> found;
  entry.walk([&](linalg::LinalgOp op) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    if (op.getNumReductionLoops() == 0 || maps.size() < 3 ||
        llvm::any_of(maps,
                     [](AffineMap map) { return map.getNumResults() < 3; }))
      return;
    for (auto [dim, expr] : llvm::enumerate(maps[0].getResults()))
      if (isa<AffineDimExpr>(expr) &&
          llvm::all_of(maps, [e = expr](AffineMap map) {
            return llvm::is_contained(map.getResults(), e);
          }))
        found.push_back({op->getOperand(0).getAsOpaquePointer(), dim});
  });
  return found;
}

static DimensionClasses classify(func::FuncOp entry) {
  llvm::EquivalenceClasses<Dimension> classes = unify(entry);
  DimensionClasses result;
  std::vector<Dimension> leaders;
  std::map<Dimension, int64_t> fixed;
  for (BlockArgument arg : entry.getArguments()) {
    auto type = dyn_cast<MemRefType>(arg.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      Dimension leader =
          classes.getOrInsertLeaderValue({arg.getAsOpaquePointer(), dim});
      if (!type.isDynamicDim(dim)) {
        fixed[leader] = type.getDimSize(dim);
        continue;
      }
      auto it = llvm::find(leaders, leader);
      result.classOf.push_back(it - leaders.begin());
      if (it == leaders.end())
        leaders.push_back(leader);
    }
  }
  for (auto [number, leader] : llvm::enumerate(leaders))
    if (auto it = fixed.find(leader); it != fixed.end())
      result.fixed[number] = it->second;
  for (Dimension dimension : batchDimensions(entry)) {
    auto it = llvm::find(leaders, classes.getOrInsertLeaderValue(dimension));
    if (it != leaders.end())
      result.batches.insert(it - leaders.begin());
  }
  return result;
}

ExtentTies klineage::tiedExtents(ModuleOp reference) {
  ExtentTies ties;
  FailureOr<func::FuncOp> entry = lookupEntry(reference);
  if (failed(entry))
    return ties;
  llvm::EquivalenceClasses<Dimension> classes = unify(*entry);
  std::map<Dimension, ExtentTies::Extent> first;
  for (BlockArgument arg : entry->getArguments()) {
    auto type = dyn_cast<MemRefType>(arg.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      Dimension leader =
          classes.getOrInsertLeaderValue({arg.getAsOpaquePointer(), dim});
      ExtentTies::Extent extent(arg.getArgNumber(), dim);
      ExtentTies::Extent &same =
          first.try_emplace(leader, extent).first->second;
      ties.leader[extent] = same;
      if (!type.isDynamicDim(dim))
        ties.fixed[same] = type.getDimSize(dim);
    }
  }
  return ties;
}

/// Elements of an argument that checked mode reads in reasonable time.
static constexpr int64_t kMostElements = int64_t(1) << 20;

/// Elements of the largest argument, given the dynamic extents.
static int64_t largestArgument(func::FuncOp entry, ArrayRef<int64_t> sizes) {
  int64_t largest = 0;
  for (Type type : entry.getArgumentTypes()) {
    auto buffer = dyn_cast<MemRefType>(type);
    int64_t elements = 1;
    for (int64_t dim = 0; buffer && dim < buffer.getRank(); ++dim) {
      int64_t extent = buffer.getDimSize(dim);
      if (buffer.isDynamicDim(dim)) {
        extent = sizes.front();
        sizes = sizes.drop_front();
      }
      elements = llvm::MulOverflow(elements, extent, elements)
                     ? std::numeric_limits<int64_t>::max()
                     : elements;
    }
    largest = std::max(largest, elements);
  }
  return largest;
}

std::vector<std::vector<int64_t>>
klineage::chooseSizes(ModuleOp reference, ArrayRef<int64_t> hints) {
  FailureOr<func::FuncOp> entry = lookupEntry(reference);
  if (failed(entry))
    return {};
  DimensionClasses classes = classify(*entry);
  if (classes.classOf.empty())
    return {{}};
  int64_t most = hints.empty() ? 32 : hints.front();
  int64_t tile = std::min<int64_t>(most, 128);
  std::vector<std::vector<int64_t>> patterns = {{1, 1, 1},
                                                {17, 13, 19},
                                                {tile, 2 * tile, tile},
                                                {tile + 1, tile - 1, 23},
                                                {0, 3, 5},
                                                {2 * tile, tile, 2 * tile}};
  // Whole tiles of many elements, in one dimension at a time.
  if (most > tile) {
    patterns.push_back({3, 2 * most + 1, 5});
    patterns.push_back({2 * most + 1, 3, 5});
  }
  std::vector<std::vector<int64_t>> sets;
  for (const auto &pattern : patterns) {
    // `small`: which of three dimensions in a row are small, as bits.
    auto sizes = [&](unsigned small) {
      return classes.sizes([&](size_t number) -> int64_t {
        if (classes.batches.count(number))
          return 1 + sets.size() % 3;
        size_t before = std::distance(classes.batches.begin(),
                                      classes.batches.lower_bound(number));
        size_t place = (number - before) % pattern.size();
        return small >> place & 1 ? std::min<int64_t>(3, pattern[place])
                                  : pattern[place];
      });
    };
    // Not the same dimension in each set.
    unsigned small = 0;
    for (unsigned turn = sets.size() / 3;
         small != 7 && largestArgument(*entry, sizes(small)) > kMostElements;
         ++turn)
      small |= 1 << turn % 3;
    sets.push_back(sizes(small));
  }
  return sets;
}

std::vector<int64_t> klineage::uniformSizes(ModuleOp reference,
                                            int64_t extent) {
  FailureOr<func::FuncOp> entry = lookupEntry(reference);
  if (failed(entry))
    return {};
  return classify(*entry).sizes([&](size_t) { return extent; });
}

LogicalResult klineage::widenFloats(ModuleOp state) {
  MLIRContext *context = state.getContext();
  Type wide = Float64Type::get(context);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FloatType type) -> std::optional<Type> {
    return type.getWidth() < 64 ? std::optional<Type>(wide) : std::nullopt;
  });
  replacer.addReplacement([&](FloatAttr attr) -> std::optional<Attribute> {
    APFloat value = attr.getValue();
    bool lossy;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
    return FloatAttr::get(wide, value);
  });
  SmallVector<Operation *> casts;
  bool meaningless = false;
  state.walk([&](Operation *op) {
    meaningless |= isa<arith::BitcastOp, gpu::GPUFuncOp>(op);
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      casts.push_back(op);
  });
  if (meaningless)
    return failure();
  replacer.recursivelyReplaceElementsIn(state, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  for (Operation *cast : casts) {
    cast->getResult(0).replaceAllUsesWith(cast->getOperand(0));
    cast->erase();
  }
  return verify(state);
}
