//===- RowGroup.cpp - The operations that one row-wise kernel computes
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowGroup.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace klineage;

/// Elements of a row that a thread can hold in registers.
static constexpr int64_t kMaxRowElements = 64;

bool RowGroup::contains(Operation *op) const {
  return llvm::any_of(ops, [&](RowOp row) { return row.op == op; });
}

SmallVector<Value> RowGroup::buffers() const {
  llvm::SetVector<Value> found;
  for (RowOp row : ops)
    for (Value operand : row.op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        found.insert(operand);
  return found.takeVector();
}

bool RowGroup::isWritten(Value buffer) const {
  return llvm::any_of(ops, [&](RowOp row) {
    return llvm::is_contained(row.op.getDpsInits(), buffer);
  });
}

bool RowGroup::isOutput(Value buffer) const {
  if (!isWritten(buffer))
    return false;
  return isa<BlockArgument>(buffer) ||
         llvm::any_of(buffer.getUsers(), [&](Operation *user) {
           return !contains(user) && !isa<memref::DimOp>(user);
         });
}

/// Loops in increasing order: rows, then the column.
static bool keepsOrder(AffineMap map) {
  int64_t last = -1;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || int64_t(dim.getPosition()) <= last)
      return false;
    last = dim.getPosition();
  }
  return true;
}

static bool sameExtents(ArrayRef<int64_t> some, ArrayRef<int64_t> all) {
  return some == all.take_front(some.size());
}

/// Role of `op` in a group with the extents `ranges` (rows, then columns).
static std::optional<RowRole> roleOf(linalg::LinalgOp op,
                                     ArrayRef<int64_t> ranges) {
  int64_t rowRank = ranges.size() - 1;
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() != 1 ||
      op.hasIndexSemantics() ||
      !llvm::all_of(op.getIndexingMapsArray(), keepsOrder))
    return std::nullopt;
  int64_t loops = op.getNumLoops();
  if ((loops != rowRank && loops != rowRank + 1) ||
      !sameExtents(op.getStaticLoopRanges(), ranges))
    return std::nullopt;
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  bool parallel = op.getNumReductionLoops() == 0;
  if (isa<linalg::FillOp>(op))
    return RowRole::fill;
  if (!isa<linalg::GenericOp>(op))
    return std::nullopt;
  if (parallel && out.isIdentity())
    return loops == rowRank ? RowRole::scalar : RowRole::matrix;
  bool reducesColumns =
      loops == rowRank + 1 && op.getNumReductionLoops() == 1 &&
      op.getIteratorTypesArray().back() == utils::IteratorType::reduction &&
      out == AffineMap::getMultiDimIdentityMap(loops, op.getContext())
                 .getMajorSubMap(rowRank);
  return reducesColumns ? std::optional(RowRole::reduction) : std::nullopt;
}

/// Neighbours of the seed, in one direction, while they have a role.
static void scan(linalg::LinalgOp seed, ArrayRef<int64_t> ranges, bool forward,
                 SmallVectorImpl<RowOp> &found) {
  auto next = [&](Operation *op) {
    return forward ? op->getNextNode() : op->getPrevNode();
  };
  for (Operation *op = next(seed); op; op = next(op)) {
    if (isa<memref::AllocOp>(op) ||
        (op->getNumRegions() == 0 && isMemoryEffectFree(op)))
      continue;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    std::optional<RowRole> role =
        linalgOp ? roleOf(linalgOp, ranges) : std::nullopt;
    if (!role)
      return;
    found.push_back({linalgOp, *role});
  }
}

/// Drops operations that share no buffer with the seed, directly or not.
static void keepConnected(RowGroup &group) {
  llvm::SetVector<Value> reached(group.seed->getOperands().begin(),
                                 group.seed->getOperands().end());
  llvm::DenseSet<Operation *> connected{group.seed};
  for (bool changed = true; changed;) {
    changed = false;
    for (RowOp row : group.ops) {
      if (connected.count(row.op))
        continue;
      bool touches = llvm::any_of(row.op->getOperands(), [&](Value operand) {
        return isa<MemRefType>(operand.getType()) && reached.contains(operand);
      });
      if (!touches)
        continue;
      connected.insert(row.op);
      reached.insert(row.op->getOperands().begin(),
                     row.op->getOperands().end());
      changed = true;
    }
  }
  llvm::erase_if(group.ops,
                 [&](RowOp row) { return !connected.count(row.op); });
}

RowGroup klineage::collectRowGroup(linalg::LinalgOp seed) {
  RowGroup group;
  group.seed = seed;
  SmallVector<int64_t> ranges = seed.getStaticLoopRanges();
  if (ranges.size() < 2 || roleOf(seed, ranges) != RowRole::reduction)
    return group;
  group.rowRank = ranges.size() - 1;
  scan(seed, ranges, /*forward=*/false, group.ops);
  std::reverse(group.ops.begin(), group.ops.end());
  group.ops.push_back({seed, RowRole::reduction});
  scan(seed, ranges, /*forward=*/true, group.ops);
  keepConnected(group);
  // A fill that starts a reduction is part of it.
  for (RowOp &row : group.ops)
    if (row.role == RowRole::fill)
      for (RowOp other : group.ops)
        if (other.role == RowRole::reduction &&
            other.op.getDpsInits()[0] == row.op.getDpsInits()[0])
          row.role = RowRole::initial;
  return group;
}

bool klineage::hasColumn(RowGroup &group, linalg::LinalgOp op,
                         OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return map.getNumResults() > 0 &&
         cast<AffineDimExpr>(map.getResults().back()).getPosition() ==
             group.rowRank;
}

RowShape klineage::shapeOf(RowGroup &group, int64_t threads,
                           int64_t vector) {
  RowShape shape;
  shape.threads = threads;
  shape.vector = vector;
  shape.columns = group.seed.getStaticLoopRanges()[group.rowRank];
  if (!ShapedType::isDynamic(shape.columns) && shape.columns > 0) {
    int64_t chunks = llvm::divideCeil(shape.columns, threads * vector);
    if (chunks * vector <= kMaxRowElements)
      shape.chunks = chunks;
  }
  return shape;
}

std::optional<SmallVector<int64_t>> klineage::sizeSources(Operation *alloc) {
  SmallVector<int64_t> sources;
  for (Value size : cast<memref::AllocOp>(alloc).getDynamicSizes()) {
    auto dim = size.getDefiningOp<memref::DimOp>();
    auto arg = dim ? dyn_cast<BlockArgument>(dim.getSource()) : BlockArgument();
    std::optional<int64_t> index =
        dim ? dim.getConstantIndex() : std::optional<int64_t>();
    if (!arg || !index)
      return std::nullopt;
    sources.push_back(arg.getArgNumber());
    sources.push_back(*index);
  }
  return sources;
}
