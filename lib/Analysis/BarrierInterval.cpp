//===- BarrierInterval.cpp - What a barrier orders
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/BarrierInterval.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include <array>

using namespace mlir;
using namespace klineage;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static std::optional<gpu::AddressSpace> spaceOf(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  auto space =
      type ? dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace())
           : gpu::AddressSpaceAttr();
  return space ? std::optional(space.getValue()) : std::nullopt;
}

static bool isPrivate(Value buffer) {
  std::optional<gpu::AddressSpace> space = spaceOf(buffer);
  return space == gpu::AddressSpace::Private ||
         (!space && baseOf(buffer).getDefiningOp<memref::AllocaOp>());
}

static std::optional<SharedAccess> plainAccess(Operation *op) {
  auto make = [&](Value buffer, ValueRange indices, bool write, int64_t width) {
    return SharedAccess{op, buffer, write, SmallVector<Value>(indices), width};
  };
  return llvm::TypeSwitch<Operation *, std::optional<SharedAccess>>(op)
      .Case([&](memref::LoadOp load) {
        return make(load.getMemRef(), load.getIndices(), false, 1);
      })
      .Case([&](memref::StoreOp store) {
        return make(store.getMemRef(), store.getIndices(), true, 1);
      })
      .Case([&](vector::LoadOp load) {
        return make(load.getBase(), load.getIndices(), false,
                    load.getVectorType().getNumElements());
      })
      .Case([&](vector::StoreOp store) {
        return make(store.getBase(), store.getIndices(), true,
                    store.getVectorType().getNumElements());
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// What the operation itself accesses, without its regions.
static void collectOwn(Operation *op, SmallVectorImpl<SharedAccess> &found) {
  if (std::optional<SharedAccess> access = plainAccess(op)) {
    if (!isPrivate(access->buffer))
      found.push_back(*access);
    return;
  }
  // Structured operations have effects of their own beside those of the body.
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  bool onlyNested =
      !interface && op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  if (isa<gpu::BarrierOp, gpu::AllReduceOp, memref::AllocOp, memref::AllocaOp>(
          op) ||
      op->hasTrait<OpTrait::IsTerminator>() || onlyNested ||
      isMemoryEffectFree(op))
    return;
  SmallVector<MemoryEffects::EffectInstance> effects;
  // Copies of the hardware outlive their operation; nothing is known of them.
  bool opaque =
      !interface || isa_and_nonnull<gpu::GPUDialect>(op->getDialect());
  if (opaque) {
    if (!isa<gpu::ShuffleOp, gpu::PrintfOp>(op))
      found.push_back({op, Value(), true, {}, 0});
    return;
  }
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool write = !isa<MemoryEffects::Read>(effect.getEffect());
    Value buffer = effect.getValue();
    if (!buffer || !isa<MemRefType>(buffer.getType()))
      found.push_back({op, Value(), true, {}, 0});
    else if (!isPrivate(buffer))
      found.push_back({op, buffer, write, {}, 0});
  }
}

static void collect(Operation *op, SmallVectorImpl<SharedAccess> &found) {
  StringRef dialect = op->getName().getDialectNamespace();
  bool hardware = dialect == "nvgpu" || dialect == "nvvm" || dialect == "llvm";
  if (hardware && !isMemoryEffectFree(op)) {
    found.push_back({op, Value(), true, {}, 0});
    return;
  }
  collectOwn(op, found);
  // Bodies of structured operations compute on values.
  if (isa<linalg::LinalgOp>(op))
    return;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &nested : block)
        collect(&nested, found);
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

static bool isThreadLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForallOp>(op);
  return loop && loop.getMapping() && !loop.getMapping()->empty() &&
         llvm::all_of(*loop.getMapping(),
                      llvm::IsaPred<gpu::GPUThreadMappingAttr>);
}

/// Collects from `op` on in one direction, up to a barrier. True if it came to
/// one in this block, so that the path ends.
static bool follow(Operation *op, bool forward,
                   SmallVectorImpl<SharedAccess> &found) {
  for (; op; op = forward ? op->getNextNode() : op->getPrevNode()) {
    if (isa<gpu::BarrierOp>(op))
      return true;
    collect(op, found);
  }
  return false;
}

static LogicalResult walkPath(gpu::BarrierOp barrier, bool forward,
                              SmallVectorImpl<SharedAccess> &found) {
  Operation *op = barrier;
  while (true) {
    if (follow(forward ? op->getNextNode() : op->getPrevNode(), forward, found))
      return success();
    if (!op->getBlock()->getParent()->hasOneBlock())
      return failure();
    Operation *parent = op->getParentOp();
    if (isThreadLoop(parent) || isa<gpu::GPUFuncOp>(parent))
      return success();
    if (isa<scf::ForOp>(parent)) {
      // The next iteration, or the one before, up to a barrier: this one at
      // the latest.
      Block *body = op->getBlock();
      (void)follow(forward ? &body->front() : &body->back(), forward, found);
    } else if (!isa<scf::IfOp>(parent)) {
      return failure();
    }
    op = parent;
  }
}

std::optional<BarrierInterval> klineage::intervalOf(gpu::BarrierOp barrier) {
  BarrierInterval interval;
  if (failed(walkPath(barrier, /*forward=*/false, interval.before)) ||
      failed(walkPath(barrier, /*forward=*/true, interval.after)))
    return std::nullopt;
  return interval;
}

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

namespace {
/// Threads of a block along x, y and z; 0 where the extent is not known.
using ThreadExtents = std::array<int64_t, 3>;

/// An index that is a * thread + b, for one thread dimension.
struct ThreadIndex {
  int64_t dimension, factor, offset;
};
} // namespace

static ThreadExtents threadsOf(Operation *op) {
  ThreadExtents extents{0, 0, 0};
  for (Operation *parent = op; parent; parent = parent->getParentOp()) {
    if (isThreadLoop(parent)) {
      extents = {1, 1, 1};
      auto loop = cast<scf::ForallOp>(parent);
      for (auto [extent, mapping] :
           llvm::zip(loop.getStaticUpperBound(), *loop.getMapping())) {
        auto id = cast<gpu::GPUThreadMappingAttr>(mapping).getMappingId();
        if (id < 0 || id > 2)
          return {0, 0, 0};
        extents[id] = ShapedType::isDynamic(extent) ? 0 : extent;
      }
      return extents;
    }
    if (auto kernel = dyn_cast<gpu::GPUFuncOp>(parent))
      if (auto known = kernel.getKnownBlockSize())
        for (size_t dim = 0; dim < 3; ++dim)
          extents[dim] = (*known)[dim];
  }
  return extents;
}

/// The thread dimension that `value` is the id of.
static std::optional<int64_t> threadDimension(Value value) {
  if (auto id = value.getDefiningOp<gpu::ThreadIdOp>())
    return static_cast<int64_t>(id.getDimension());
  auto arg = dyn_cast<BlockArgument>(value);
  Operation *owner = arg ? arg.getOwner()->getParentOp() : nullptr;
  if (!owner || !isThreadLoop(owner))
    return std::nullopt;
  auto loop = cast<scf::ForallOp>(owner);
  Attribute mapping = (*loop.getMapping())[arg.getArgNumber()];
  return cast<gpu::GPUThreadMappingAttr>(mapping).getMappingId();
}

/// Factor and offset of an expression over one operand; nullopt if it is not
/// linear.
static std::optional<std::pair<int64_t, int64_t>> linearForm(AffineExpr expr) {
  using Form = std::pair<int64_t, int64_t>;
  if (isa<AffineDimExpr, AffineSymbolExpr>(expr))
    return Form{1, 0};
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Form{0, constant.getValue()};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Form> lhs = linearForm(binary.getLHS()),
                      rhs = linearForm(binary.getRHS());
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return Form{lhs->first + rhs->first, lhs->second + rhs->second};
  if (expr.getKind() == AffineExprKind::Mul && rhs->first == 0)
    return Form{lhs->first * rhs->second, lhs->second * rhs->second};
  return std::nullopt;
}

static std::optional<ThreadIndex> threadIndexOf(Value index) {
  if (std::optional<int64_t> dimension = threadDimension(index);
      dimension && *dimension >= 0 && *dimension <= 2)
    return ThreadIndex{*dimension, 1, 0};
  auto apply = index.getDefiningOp<affine::AffineApplyOp>();
  if (!apply || apply.getNumOperands() != 1)
    return std::nullopt;
  std::optional<int64_t> dimension = threadDimension(apply.getOperand(0));
  auto form = linearForm(apply.getAffineMap().getResult(0));
  if (!dimension || *dimension < 0 || *dimension > 2 || !form)
    return std::nullopt;
  return ThreadIndex{*dimension, form->first, form->second};
}

/// Accesses of different threads touch different elements: for each dimension
/// of the block some index keeps threads that differ in it apart.
static bool apartByThread(const SharedAccess &a, const SharedAccess &b) {
  if (a.buffer != b.buffer || !a.width || !b.width ||
      a.indices.size() != b.indices.size())
    return false;
  ThreadExtents extents = threadsOf(a.op);
  std::array<bool, 3> apart{extents[0] == 1, extents[1] == 1, extents[2] == 1};
  for (size_t position = 0; position < a.indices.size(); ++position) {
    std::optional<ThreadIndex> first = threadIndexOf(a.indices[position]);
    std::optional<ThreadIndex> second = threadIndexOf(b.indices[position]);
    if (!first || !second || first->dimension != second->dimension ||
        first->factor != second->factor)
      continue;
    bool last = position + 1 == a.indices.size();
    int64_t low = std::min(first->offset, second->offset);
    int64_t high = std::max(first->offset + (last ? a.width : 1),
                            second->offset + (last ? b.width : 1));
    if (std::abs(first->factor) >= high - low)
      apart[first->dimension] = true;
  }
  return apart[0] && apart[1] && apart[2];
}

static bool isAttribution(Value value) {
  auto arg = dyn_cast<BlockArgument>(value);
  return arg && isa<gpu::GPUFuncOp>(arg.getOwner()->getParentOp()) &&
         spaceOf(value) == gpu::AddressSpace::Workgroup;
}

static bool mayConflict(const SharedAccess &a, const SharedAccess &b) {
  if (!a.write && !b.write)
    return false;
  if (!a.buffer || !b.buffer)
    return true;
  Value first = baseOf(a.buffer), second = baseOf(b.buffer);
  bool shared = spaceOf(first) == gpu::AddressSpace::Workgroup;
  if (shared != (spaceOf(second) == gpu::AddressSpace::Workgroup))
    return false;
  if (first != second && ((isAttribution(first) && isAttribution(second)) ||
                          provablyDistinct(first, second)))
    return false;
  return !apartByThread(a, b);
}

static std::string describe(const SharedAccess &access) {
  std::string text = access.op->getName().getStringRef().str();
  llvm::raw_string_ostream os(text);
  if (auto loc = dyn_cast<FileLineColLoc>(access.op->getLoc()))
    os << " (line " << loc.getLine() << ")";
  return text;
}

ClauseResult klineage::raceFreeWithout(gpu::BarrierOp barrier) {
  ClauseResult result(barrier.getLoc());
  result.name = "race_free_block";
  result.clauseClass = ClauseClass::storage;
  result.expected = "no conflicting accesses of two threads on both sides";
  result.engine = "barrier intervals";
  std::optional<BarrierInterval> interval = intervalOf(barrier);
  if (!interval) {
    result.found = "control flow of another form around the barrier";
    return result;
  }
  for (const SharedAccess &before : interval->before)
    for (const SharedAccess &after : interval->after)
      if (mayConflict(before, after)) {
        result.loc = after.op->getLoc();
        result.found = describe(before) + " before and " + describe(after) +
                       " after may touch one element";
        return result;
      }
  result.truth = Truth::proved;
  result.found = "no such pair";
  return result;
}
