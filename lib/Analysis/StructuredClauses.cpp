//===- StructuredClauses.cpp - Clauses on linalg operations and buffers
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace klineage;
using llvm::formatv;

static ClauseResult make(Location loc, StringRef name, ClauseClass clauseClass,
                         Truth truth, std::string expected, std::string found,
                         std::string nearest = "") {
  ClauseResult result(loc);
  result.name = name.str();
  result.clauseClass = clauseClass;
  result.truth = truth;
  result.expected = std::move(expected);
  result.found = std::move(found);
  result.nearestLegal = std::move(nearest);
  result.engine = "folding";
  return result;
}

static Truth truthOf(bool holds) {
  return holds ? Truth::proved : Truth::refuted;
}

ClauseResult klineage::formClause(Location loc, StringRef name,
                                  ClauseClass clauseClass, bool holds,
                                  const Twine &expected, const Twine &found) {
  return make(loc, name, clauseClass, truthOf(holds), expected.str(),
              found.str());
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text;
}

/// Extent of a loop: a constant, kDynamic, or nullopt if there is no such loop.
/// For a dynamic one, `value` gets the size that bounds it, if one is at hand.
static std::optional<int64_t> extentOf(linalg::LinalgOp op, int64_t dim,
                                       OpFoldResult &value) {
  if (dim < 0 || dim >= int64_t(op.getNumLoops()))
    return std::nullopt;
  int64_t extent = op.getStaticLoopRanges()[dim];
  if (!ShapedType::isDynamic(extent))
    return extent;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto view = operand.get().getDefiningOp<memref::SubViewOp>();
    for (auto [position, expr] : llvm::enumerate(map.getResults()))
      if (expr == getAffineDimExpr(dim, op.getContext()) && view &&
          view.getType().getRank() == view.getSourceType().getRank())
        value = view.getMixedSizes()[position];
  }
  return ShapedType::kDynamic;
}

static std::string nearestDivisor(int64_t extent, int64_t factor) {
  for (int64_t candidate = factor; candidate >= 1; --candidate)
    if (extent % candidate == 0)
      return std::to_string(candidate);
  return "";
}

ClauseResult klineage::divisible(linalg::LinalgOp op, int64_t dim,
                                 int64_t factor) {
  OpFoldResult value;
  if (dim < 0)
    dim += op.getNumLoops();
  std::optional<int64_t> extent = extentOf(op, dim, value);
  std::string expected =
      formatv("extent of loop {0} divisible by {1}", dim, factor);
  auto result = [&](Truth truth, std::string found, std::string nearest = "") {
    return make(op.getLoc(), "divisible", ClauseClass::layout, truth, expected,
                std::move(found), std::move(nearest));
  };
  if (!extent || factor <= 0)
    return result(Truth::refuted,
                  factor <= 0 ? "no positive factor" : "no such loop");
  if (!ShapedType::isDynamic(*extent))
    return *extent % factor == 0
               ? result(Truth::proved, std::to_string(*extent))
               : result(Truth::refuted, std::to_string(*extent),
                        nearestDivisor(*extent, factor));
  if (factor == 1 || (value && knownDivisor(value) % factor == 0))
    return result(Truth::proved, "a dynamic multiple");
  return result(Truth::unknown, "dynamic");
}

ClauseResult klineage::staticExtent(linalg::LinalgOp op, int64_t dim) {
  OpFoldResult value;
  if (dim < 0)
    dim += op.getNumLoops();
  std::optional<int64_t> extent = extentOf(op, dim, value);
  std::string expected = formatv("a constant extent of loop {0}", dim);
  if (!extent)
    return make(op.getLoc(), "static_extent", ClauseClass::layout,
                Truth::refuted, expected, "no such loop");
  bool dynamic = ShapedType::isDynamic(*extent);
  return make(op.getLoc(), "static_extent", ClauseClass::layout,
              dynamic ? Truth::unknown : Truth::proved, expected,
              dynamic ? "dynamic" : std::to_string(*extent));
}

ClauseResult klineage::unitStrideInnermost(Location loc, Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  Truth truth = Truth::refuted;
  std::string found = typeText(buffer.getType());
  if (type && type.getRank() == 0) {
    truth = Truth::proved;
  } else if (type && succeeded(type.getStridesAndOffset(strides, offset))) {
    truth = ShapedType::isDynamic(strides.back())
                ? Truth::unknown
                : truthOf(strides.back() == 1);
    found = ShapedType::isDynamic(strides.back())
                ? "a dynamic stride"
                : formatv("stride {0}", strides.back()).str();
  }
  return make(loc, "unit_stride", ClauseClass::layout, truth,
              "innermost dimension with stride 1", found);
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

ClauseResult klineage::alignedBase(Location loc, Value buffer, int64_t bytes) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t known = knownAlignment(buffer);
  int64_t element = std::max<int64_t>(1, type.getElementType().isIntOrFloat()
                                             ? type.getElementTypeBitWidth() / 8
                                             : 8);
  std::string found = formatv("known to be {0}-byte aligned", known);
  // Rows other than the first start at multiples of the outer strides.
  SmallVector<int64_t> strides;
  int64_t offset;
  if (succeeded(type.getStridesAndOffset(strides, offset)))
    for (auto [dim, stride] : llvm::enumerate(strides)) {
      if (dim + 1 == strides.size() || type.getDimSize(dim) == 1)
        continue;
      int64_t step = ShapedType::isDynamic(stride) ? 1 : stride;
      int64_t row = step * element;
      if (row % bytes != 0 && (row & -row) < known) {
        known = row & -row;
        found = ShapedType::isDynamic(stride)
                    ? formatv("dimension {0} has a dynamic stride", dim).str()
                    : formatv("dimension {0} has rows of {1} bytes", dim, row)
                          .str();
      }
    }
  // Nothing says that the address is not aligned by luck.
  ClauseResult result =
      make(loc, "aligned", ClauseClass::storage,
           known >= bytes ? Truth::proved : Truth::unknown,
           formatv("each row aligned to {0} bytes", bytes), found);
  if (isa<BlockArgument>(baseOf(buffer)))
    result.assumptions.push_back(
        "the launch checks the alignment of entry buffers");
  return result;
}

ClauseResult klineage::noAlias(Location loc, Value a, Value b) {
  bool same = baseOf(a) == baseOf(b);
  bool distinct = provablyDistinct(a, b);
  ClauseResult result = make(loc, "no_alias", ClauseClass::storage,
                             distinct ? Truth::proved
                             : same   ? Truth::refuted
                                      : Truth::unknown,
                             "two buffers that share no byte",
                             distinct ? "distinct buffers"
                             : same   ? "views of one buffer"
                                      : "arguments without llvm.noalias");
  if (distinct && isa<BlockArgument>(baseOf(a)) &&
      isa<BlockArgument>(baseOf(b)))
    result.assumptions.push_back(
        "the launch checks that entry buffers do not overlap");
  return result;
}

ClauseResult klineage::notWrittenIn(Region &region, Value buffer,
                                    Location loc) {
  bool certain = false;
  Operation *writer = findWriter(region.getParentOp(), buffer, &certain);
  std::string found =
      writer ? formatv("written by {0}", writer->getName().getStringRef()).str()
             : "no write";
  return make(writer ? writer->getLoc() : loc, "not_written_in_region",
              ClauseClass::storage,
              !writer   ? Truth::proved
              : certain ? Truth::refuted
                        : Truth::unknown,
              "a buffer that the region does not write", found);
}

/// The operation before `op` in its block that may have written its output
/// last.
static Operation *lastWriter(linalg::LinalgOp op) {
  Value output = op.getDpsInits().back();
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode())
    if (findAccess(before, output, [](Operation *nested) {
          auto effects = dyn_cast<MemoryEffectOpInterface>(nested);
          return effects && !effects.hasEffect<MemoryEffects::Write>();
        }))
      return before;
  return nullptr;
}

ClauseResult klineage::dominatingFill(linalg::LinalgOp op) {
  Operation *combiner = findCombiner(op);
  std::optional<TypedAttr> neutral =
      combiner ? neutralElementOf(combiner) : std::nullopt;
  auto fill = dyn_cast_or_null<linalg::FillOp>(lastWriter(op));
  // A fill of a part, or of a larger buffer through another view, is none.
  if (fill && fill.getOutputs()[0] != op.getDpsInits().back())
    fill = {};
  Attribute value;
  bool constant = fill && matchPattern(fill.getInputs()[0], m_Constant(&value));
  bool holds = neutral && constant && Attribute(*neutral) == value;
  return make(op.getLoc(), "dominating_fill", ClauseClass::storage,
              truthOf(holds), "an output filled with the neutral element",
              !fill      ? "no linalg.fill of it right before"
              : !neutral ? "no neutral element"
              : holds    ? "a fill"
                         : "a fill with another value");
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ClauseResult klineage::loopParallel(linalg::LinalgOp op, int64_t dim) {
  auto iterators = op.getIteratorTypesArray();
  bool exists = dim >= 0 && dim < int64_t(iterators.size());
  bool parallel = exists && iterators[dim] == utils::IteratorType::parallel;
  return make(op.getLoc(), "loop_parallel", ClauseClass::types,
              truthOf(parallel), formatv("loop {0} parallel", dim),
              !exists    ? "no such loop"
              : parallel ? "parallel"
                         : "a reduction");
}

ClauseResult klineage::disjointWrites(linalg::LinalgOp op, int64_t dim) {
  Truth truth = Truth::proved;
  std::string found = "outputs indexed by it";
  if (dim < 0 || dim >= int64_t(op.getNumLoops())) {
    truth = Truth::refuted;
    found = "no such loop";
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (truth != Truth::proved ||
        llvm::is_contained(map.getResults(),
                           getAffineDimExpr(dim, op.getContext())))
      continue;
    bool used = map.isFunctionOfDim(dim);
    truth = used ? Truth::unknown : Truth::refuted;
    found = formatv("output {0} {1}", init.getOperandNumber(),
                    used ? "indexed by an expression of it"
                         : "written by all its iterations");
  }
  return make(
      op.getLoc(), "disjoint_writes", ClauseClass::storage, truth,
      formatv("iterations of loop {0} that write different elements", dim),
      found);
}

ClauseResult klineage::wholeBytes(Location loc, Value buffer) {
  Type element = getElementTypeOrSelf(buffer.getType());
  bool holds =
      element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0;
  return make(loc, "whole_bytes", ClauseClass::types, truthOf(holds),
              "elements of whole bytes", typeText(element));
}

static bool isReorderable(Operation *combiner) {
  return combiner &&
         isa<arith::AddFOp, arith::AddIOp, arith::MulFOp, arith::MulIOp,
             arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp,
             arith::MinUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
             combiner);
}

static std::string combinerText(Operation *combiner) {
  return combiner ? combiner->getName().getStringRef().str()
                  : "a body that is no single combiner";
}

ClauseResult klineage::reductionReorderable(linalg::LinalgOp op) {
  Operation *combiner = findCombiner(op);
  return make(op.getLoc(), "reduction_reorderable", ClauseClass::types,
              truthOf(isReorderable(combiner)),
              "an associative and commutative combiner",
              combinerText(combiner));
}

ClauseResult klineage::neutralElementKnown(linalg::LinalgOp op) {
  Operation *combiner = findCombiner(op);
  bool holds = combiner && neutralElementOf(combiner);
  return make(op.getLoc(), "neutral_element", ClauseClass::types,
              truthOf(holds), "a combiner with a neutral element",
              combinerText(combiner));
}

//===----------------------------------------------------------------------===//
// Hardware
//===----------------------------------------------------------------------===//

ClauseResult klineage::sharedCapacity(Location loc, int64_t bytes,
                                      const TargetInfo &target) {
  return make(loc, "shared_capacity", ClauseClass::hardware,
              truthOf(bytes <= target.sharedOptInBytes),
              formatv("at most {0} bytes of shared memory a block on {1}",
                      target.sharedOptInBytes, target.chip),
              formatv("{0} bytes", bytes),
              std::to_string(target.sharedOptInBytes));
}

ClauseResult klineage::threadLimit(Location loc, ArrayRef<int64_t> threads,
                                   const TargetInfo &target) {
  int64_t count = 1;
  bool fits = true;
  for (auto [dim, extent] : llvm::enumerate(threads)) {
    fits &= extent >= 1 && dim < 3 && extent <= target.maxBlockDim[dim];
    count = fits ? count * extent : count;
  }
  fits &= count <= target.maxThreadsPerBlock;
  return make(loc, "thread_limit", ClauseClass::hardware, truthOf(fits),
              formatv("1 to {0} threads a block on {1}",
                      target.maxThreadsPerBlock, target.chip),
              formatv("{0}", llvm::iterator_range(threads)),
              std::to_string(target.maxThreadsPerBlock));
}

ClauseResult klineage::registerEstimate(Location loc, int64_t registers,
                                        const TargetInfo &target) {
  return make(
      loc, "register_estimate", ClauseClass::hardware,
      truthOf(registers <= target.registersPerThread),
      formatv("at most {0} registers a thread", target.registersPerThread),
      formatv("about {0}", registers),
      std::to_string(target.registersPerThread));
}

ClauseResult klineage::gridLimits(Location loc, ArrayRef<int64_t> grid,
                                  const TargetInfo &target) {
  Truth truth = Truth::proved;
  std::string found = "within the limits", nearest;
  for (auto [dim, extent] : llvm::enumerate(grid)) {
    if (dim >= 3 ||
        (!ShapedType::isDynamic(extent) && extent > target.maxGridDim[dim])) {
      truth = Truth::refuted;
      found = formatv("extent {0} in dimension {1}", extent, dim);
      nearest = dim < 3 ? std::to_string(target.maxGridDim[dim]) : "";
    }
  }
  ClauseResult result =
      make(loc, "grid_limits", ClauseClass::hardware, truth,
           formatv("a grid within {0} x {1} x {2}", target.maxGridDim[0],
                   target.maxGridDim[1], target.maxGridDim[2]),
           found, nearest);
  if (llvm::any_of(grid, ShapedType::isDynamic))
    result.assumptions.push_back("the launch checks the grid");
  return result;
}

ClauseResult klineage::chipFeature(Location loc, StringRef feature,
                                   const TargetInfo &target) {
  bool has = target.hasFeature(feature);
  return make(loc, "chip_feature", ClauseClass::hardware, truthOf(has),
              formatv("a chip with {0}", feature),
              formatv("{0} {1}", target.chip, has ? "has it" : "lacks it"));
}
