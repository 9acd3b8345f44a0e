//===- Distribution.cpp - How one operation is spread over threads
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Distribution.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace klineage;

int64_t ThreadGrid::count() const {
  int64_t product = 1;
  for (int64_t extent : threads)
    product *= extent;
  return product;
}

OpFoldResult ThreadGrid::linear(OpBuilder &b, Location loc) const {
  AffineExpr expr = getAffineConstantExpr(0, b.getContext());
  SmallVector<OpFoldResult> operands;
  for (size_t dim = ids.size(); dim-- > 0;) {
    expr =
        expr * threads[dim] + getAffineDimExpr(operands.size(), b.getContext());
    operands.push_back(ids[dim]);
  }
  return affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(operands.size(), 0, expr), operands);
}

void ThreadGrid::arrangeTiles(OpBuilder &b, Location loc) {
  tileIds = ids;
  if (warps.empty())
    return;
  OpFoldResult thread = linear(b, loc);
  AffineExpr t = b.getAffineDimExpr(0);
  int64_t lanesX = threads[0] / warps[0], lanesY = threads[1] / warps[1];
  AffineExpr warp = t.floorDiv(lanesX * lanesY), lane = t % (lanesX * lanesY);
  auto id = [&](AffineExpr expr) {
    return getValueOrCreateConstantIndexOp(
        b, loc, affine::makeComposedFoldedAffineApply(b, loc, expr, {thread}));
  };
  tileIds[0] = id((warp % warps[0]) * lanesX + lane % lanesX);
  tileIds[1] = id(warp.floorDiv(warps[0]) * lanesY + lane.floorDiv(lanesX));
}

SmallVector<int64_t> klineage::parallelLoops(linalg::LinalgOp op) {
  SmallVector<int64_t> loops;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel)
      loops.push_back(loop);
  return loops;
}

std::optional<int64_t> klineage::loopBound(linalg::LinalgOp op, int64_t loop) {
  int64_t range = op.getStaticLoopRanges()[loop];
  if (!ShapedType::isDynamic(range))
    return range;
  for (OpOperand &operand : op->getOpOperands()) {
    auto view = operand.get().getDefiningOp<memref::SubViewOp>();
    if (!view || view.getType().getRank() != view.getSourceType().getRank())
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [position, expr] : llvm::enumerate(map.getResults()))
      if (expr == getAffineDimExpr(loop, op.getContext()))
        if (auto bound = staticUpperBound(view.getMixedSizes()[position]))
          return bound;
  }
  return std::nullopt;
}

/// Which thread owns which element of each operand, as text: one role a
/// dimension. Loops without a role are the same for all threads.
static SmallVector<Access>
accessesOf(linalg::LinalgOp op, const DenseMap<int64_t, std::string> &roles) {
  SmallVector<Access> accesses;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()) ||
        isPrivate(operand.get().getType()))
      continue;
    Access access;
    access.operand = operand.get();
    access.base = baseOf(operand.get());
    access.write = op.isDpsInit(&operand);
    SmallVector<std::string> used;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
      auto role = roles.find(cast<AffineDimExpr>(expr).getPosition());
      access.key += (role == roles.end() ? "*" : role->second) + ",";
      if (role != roles.end())
        used.push_back(role->second);
    }
    // Threads that differ in a role not used here share these elements.
    if (used.size() != roles.size())
      access.key += "shared" + std::to_string(used.size());
    accesses.push_back(access);
  }
  return accesses;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The loops that thread dimensions y and x divide.
static std::pair<int64_t, int64_t> tileLoops(linalg::LinalgOp op) {
  SmallVector<int64_t> loops = parallelLoops(op);
  return {loops[loops.size() - 2], loops.back()};
}

bool klineage::canSplit(linalg::LinalgOp op, const ThreadGrid &grid) {
  if (grid.chunk.size() != 2 || grid.threads.size() < 2)
    return false;
  auto [y, x] = tileLoops(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto divides = [&](int64_t loop, int64_t dim) {
    return !ShapedType::isDynamic(ranges[loop]) &&
           ranges[loop] % (grid.threads[dim] * grid.chunk[dim]) == 0;
  };
  return divides(y, 1) && divides(x, 0);
}

namespace {
/// Splits the two tiled loops into chunks of a thread: extent = chunks x
/// threads x chunk, and a thread has the middle one fixed.
struct Splitter {
  OpBuilder &b;
  linalg::LinalgOp op;
  const ThreadGrid &grid;
  int64_t y, x;

  int64_t dimOf(int64_t loop) const { return loop == x ? 0 : 1; }
  bool isSplit(int64_t loop) const { return loop == x || loop == y; }

  /// First new loop that an old one becomes.
  int64_t newLoop(int64_t loop) const {
    return loop + (y < loop ? 1 : 0) + (x < loop ? 1 : 0);
  }

  Value view(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto type = cast<MemRefType>(operand.get().getType());
    SmallVector<int64_t> shape, reduced;
    SmallVector<ReassociationIndices> groups;
    SmallVector<OpFoldResult> offsets, sizes;
    bool touched = false;
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      int64_t loop = cast<AffineDimExpr>(expr).getPosition();
      int64_t extent = type.getDimSize(position);
      groups.emplace_back();
      auto add = [&](int64_t size, OpFoldResult offset, bool keep) {
        groups.back().push_back(shape.size());
        shape.push_back(size);
        offsets.push_back(offset);
        sizes.push_back(b.getIndexAttr(keep ? size : 1));
        if (keep)
          reduced.push_back(size);
      };
      if (!isSplit(loop)) {
        add(extent, b.getIndexAttr(0), true);
        sizes.back() =
            memref::getMixedSize(b, op.getLoc(), operand.get(), position);
        continue;
      }
      touched = true;
      int64_t dim = dimOf(loop);
      int64_t chunk = grid.chunk[dim], threads = grid.threads[dim];
      add(extent / (chunk * threads), b.getIndexAttr(0), true);
      add(threads, grid.tileIds[dim], false);
      add(chunk, b.getIndexAttr(0), true);
    }
    if (!touched)
      return operand.get();
    auto expanded = memref::ExpandShapeOp::create(b, op.getLoc(), shape,
                                                  operand.get(), groups);
    SmallVector<OpFoldResult> strides(shape.size(), b.getIndexAttr(1));
    auto reducedType =
        cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
            reduced, expanded.getResultType(), offsets, sizes, strides));
    return memref::SubViewOp::create(b, op.getLoc(), reducedType, expanded,
                                     offsets, sizes, strides);
  }

  AffineMap splitMap(AffineMap map) {
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : map.getResults()) {
      int64_t loop = cast<AffineDimExpr>(expr).getPosition();
      results.push_back(getAffineDimExpr(newLoop(loop), b.getContext()));
      if (isSplit(loop))
        results.push_back(getAffineDimExpr(newLoop(loop) + 1, b.getContext()));
    }
    return AffineMap::get(map.getNumDims() + 2, 0, results, b.getContext());
  }

  linalg::LinalgOp run() {
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands())
      operands.push_back(isa<MemRefType>(operand.get().getType())
                             ? view(operand)
                             : operand.get());
    linalg::LinalgOp split;
    if (isa<linalg::FillOp>(op)) {
      split = linalg::FillOp::create(b, op.getLoc(), operands[0], operands[1]);
    } else {
      auto generic = cast<linalg::GenericOp>(op.getOperation());
      SmallVector<AffineMap> maps =
          llvm::map_to_vector(generic.getIndexingMapsArray(),
                              [&](AffineMap m) { return splitMap(m); });
      SmallVector<utils::IteratorType> iterators;
      for (auto [loop, iterator] :
           llvm::enumerate(generic.getIteratorTypesArray()))
        iterators.append(isSplit(loop) ? 2 : 1, iterator);
      size_t inputs = generic.getNumDpsInputs();
      auto created = linalg::GenericOp::create(
          b, op.getLoc(), ValueRange(operands).take_front(inputs),
          ValueRange(operands).drop_front(inputs), maps, iterators);
      IRMapping mapping;
      generic.getRegion().cloneInto(&created.getRegion(), mapping);
      split = created;
    }
    split->setAttr(kSplitAttr, b.getDenseI64ArrayAttr({y, x}));
    return split;
  }
};
} // namespace

/// max(0, min(part, extent - offset)): nothing for threads past the end.
static OpFoldResult threadPart(OpBuilder &b, Location loc, int64_t part,
                               OpFoldResult extent, OpFoldResult offset) {
  OpFoldResult size = boundedSize(b, loc, part, extent, offset, false);
  AffineMap map = AffineMap::get(
      1, 0, {getAffineConstantExpr(0, b.getContext()), b.getAffineDimExpr(0)},
      b.getContext());
  return affine::makeComposedFoldedAffineMax(b, loc, map, {size});
}

Distributed klineage::distributeTiles(OpBuilder &b, linalg::LinalgOp op,
                                      const ThreadGrid &grid) {
  Location loc = op.getLoc();
  auto [y, x] = tileLoops(op);
  Distributed result;
  std::string form = canSplit(op, grid) ? "chunk" : "tile";
  DenseMap<int64_t, std::string> roles{{y, form + "_y"}, {x, form + "_x"}};
  result.accesses = accessesOf(op, roles);
  bool generic = isa<linalg::GenericOp, linalg::FillOp>(op.getOperation());
  if (generic && canSplit(op, grid)) {
    linalg::LinalgOp split = Splitter{b, op, grid, y, x}.run();
    split->setAttr(kMappingAttr, b.getStringAttr("tiles"));
    result.top = split;
    return result;
  }
  SmallVector<OpFoldResult> extents = loopExtents(b, op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  LoopTiles tiles(op.getNumLoops());
  for (auto [loop, dim] : {std::pair<int64_t, int64_t>{y, 1}, {x, 0}}) {
    int64_t threads = grid.threads[dim];
    int64_t part = llvm::divideCeil(*loopBound(op, loop), threads);
    OpFoldResult offset = affine::makeComposedFoldedAffineApply(
        b, loc, b.getAffineDimExpr(0) * part,
        {OpFoldResult(grid.tileIds[dim])});
    bool divides =
        !ShapedType::isDynamic(ranges[loop]) && ranges[loop] == part * threads;
    tiles[loop] = LoopTile{
        offset, divides ? OpFoldResult(b.getIndexAttr(part))
                        : threadPart(b, loc, part, extents[loop], offset)};
  }
  linalg::LinalgOp tiled = cloneOnTile(b, op, tiles);
  tiled->setAttr(kMappingAttr, b.getStringAttr("tiles"));
  result.top = tiled;
  return result;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Threads along a row: as many as the row has vectors, a divisor of all.
static int64_t threadsAlongRow(linalg::LinalgOp op, int64_t inner, bool hasRows,
                               const ThreadGrid &grid) {
  int64_t count = grid.count();
  if (!hasRows)
    return count;
  std::optional<int64_t> bound = loopBound(op, inner);
  int64_t wanted = bound ? llvm::divideCeil(*bound, grid.vector) : 32;
  for (int64_t along = std::min(count, std::max<int64_t>(wanted, 1)); along > 1;
       --along)
    if (count % along == 0)
      return along;
  return 1;
}

/// A cyclic loop `for (i = first; i < extent; i += step)`, where `first` is
/// less than `step`. If all threads make the same trips, the loop says so:
/// `for (i = 0; ..)` around `first + i`, or just `first` for one trip.
static Value cyclicLoop(OpBuilder &b, Location loc, OpFoldResult first,
                        OpFoldResult extent, int64_t step, Operation *&top) {
  Value start = getValueOrCreateConstantIndexOp(b, loc, first);
  std::optional<int64_t> constant = getConstantIntValue(extent);
  if (constant == step)
    return start;
  bool even = constant && *constant % step == 0;
  if (even)
    start = arith::ConstantIndexOp::create(b, loc, 0);
  auto loop = scf::ForOp::create(
      b, loc, start, getValueOrCreateConstantIndexOp(b, loc, extent),
      arith::ConstantIndexOp::create(b, loc, step));
  loop->setAttr(kThreadLoopAttr, b.getUnitAttr());
  if (!top)
    top = loop;
  b.setInsertionPoint(loop.getBody()->getTerminator());
  if (!even)
    return loop.getInductionVar();
  AffineExpr sum = b.getAffineDimExpr(0) + b.getAffineDimExpr(1);
  return getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(
          b, loc, sum, {OpFoldResult(loop.getInductionVar()), first}));
}

Distributed klineage::distributeRows(OpBuilder &b, linalg::LinalgOp op,
                                     const ThreadGrid &grid) {
  Location loc = op.getLoc();
  SmallVector<int64_t> loops = parallelLoops(op);
  int64_t inner = loops.back();
  bool hasRows = loops.size() > 1;
  int64_t vector = grid.vector;
  int64_t along = threadsAlongRow(op, inner, hasRows, grid);
  int64_t rows = grid.count() / along;
  SmallVector<OpFoldResult> extents = loopExtents(b, op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  OpFoldResult thread = grid.linear(b, loc);
  AffineExpr t = b.getAffineDimExpr(0);
  auto apply = [&](AffineExpr expr) {
    return affine::makeComposedFoldedAffineApply(b, loc, expr, {thread});
  };

  Distributed result;
  DenseMap<int64_t, std::string> roles{
      {inner, "column" + std::to_string(along) + "x" + std::to_string(vector)}};
  LoopTiles tiles(op.getNumLoops());
  if (hasRows) {
    int64_t outer = loops[loops.size() - 2];
    roles[outer] = "row" + std::to_string(rows);
    Value row = cyclicLoop(b, loc, apply(t.floorDiv(along)), extents[outer],
                           rows, result.top);
    tiles[outer] = LoopTile{row, b.getIndexAttr(1)};
  }
  Value column = cyclicLoop(b, loc, apply((t % along) * vector), extents[inner],
                            along * vector, result.top);
  bool divides = vector == 1 || (!ShapedType::isDynamic(ranges[inner]) &&
                                 ranges[inner] % vector == 0);
  tiles[inner] = LoopTile{
      column, boundedSize(b, loc, vector, extents[inner], column, divides)};
  result.accesses = accessesOf(op, roles);
  linalg::LinalgOp tiled = cloneOnTile(b, op, tiles);
  tiled->setAttr(kMappingAttr, b.getStringAttr("rows"));
  if (!result.top)
    result.top = tiled;
  return result;
}

Distributed klineage::distributeSingle(OpBuilder &b, linalg::LinalgOp op,
                                       const ThreadGrid &grid) {
  Location loc = op.getLoc();
  Value thread = getValueOrCreateConstantIndexOp(b, loc, grid.linear(b, loc));
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value first =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, thread, zero);
  auto guard = scf::IfOp::create(b, loc, first, /*withElseRegion=*/false);
  guard->setAttr(kThreadLoopAttr, b.getUnitAttr());
  b.setInsertionPoint(guard.thenBlock()->getTerminator());
  Operation *copy = b.clone(*op);
  copy->setAttr(kMappingAttr, b.getStringAttr("single"));
  Distributed result;
  result.top = guard;
  result.accesses = accessesOf(op, {{-1, "first"}});
  return result;
}

//===----------------------------------------------------------------------===//
// Back
//===----------------------------------------------------------------------===//

/// The operation before its loops were split into chunks.
static linalg::LinalgOp unsplit(OpBuilder &b, linalg::LinalgOp op,
                                ArrayRef<int64_t> loops) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    auto view = operand.get().getDefiningOp<memref::SubViewOp>();
    auto expanded =
        view ? view.getSource().getDefiningOp<memref::ExpandShapeOp>()
             : memref::ExpandShapeOp();
    operands.push_back(expanded ? expanded.getSrc() : operand.get());
  }
  if (isa<linalg::FillOp>(op))
    return linalg::FillOp::create(b, op.getLoc(), operands[0], operands[1]);
  auto generic = cast<linalg::GenericOp>(op.getOperation());
  // Old position of each new loop; -1 for the second half of a split one.
  SmallVector<int64_t> old;
  for (int64_t loop = 0; old.size() < generic.getNumLoops(); ++loop) {
    old.push_back(loop);
    if (llvm::is_contained(loops, loop))
      old.push_back(-1);
  }
  unsigned count = generic.getNumLoops() - loops.size();
  SmallVector<AffineMap> maps;
  for (AffineMap map : generic.getIndexingMapsArray()) {
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : map.getResults())
      if (int64_t loop = old[cast<AffineDimExpr>(expr).getPosition()];
          loop >= 0)
        results.push_back(b.getAffineDimExpr(loop));
    maps.push_back(AffineMap::get(count, 0, results, b.getContext()));
  }
  SmallVector<utils::IteratorType> iterators;
  for (auto [loop, iterator] : llvm::enumerate(generic.getIteratorTypesArray()))
    if (old[loop] >= 0)
      iterators.push_back(iterator);
  size_t inputs = generic.getNumDpsInputs();
  auto created = linalg::GenericOp::create(
      b, op.getLoc(), ValueRange(operands).take_front(inputs),
      ValueRange(operands).drop_front(inputs), maps, iterators);
  IRMapping mapping;
  generic.getRegion().cloneInto(&created.getRegion(), mapping);
  return created;
}

LogicalResult klineage::undistribute(RewriterBase &rewriter,
                                     linalg::LinalgOp op,
                                     const ThreadGrid &grid) {
  auto mapping = op->getAttrOfType<StringAttr>(kMappingAttr);
  if (!mapping)
    return op.emitError("undo of distribute_to_threads expects operations that "
                        "carry their mapping");
  Operation *top = op;
  while (top->getParentOp()->hasAttr(kThreadLoopAttr))
    top = top->getParentOp();
  rewriter.setInsertionPoint(top);
  linalg::LinalgOp whole;
  if (auto split = op->getAttrOfType<DenseI64ArrayAttr>(kSplitAttr)) {
    whole = unsplit(rewriter, op, split.asArrayRef());
  } else {
    llvm::SmallBitVector tiled(op.getNumLoops());
    SmallVector<int64_t> loops = parallelLoops(op);
    size_t count =
        mapping.getValue() == "single" ? 0 : std::min<size_t>(2, loops.size());
    for (int64_t loop : ArrayRef<int64_t>(loops).take_back(count))
      tiled.set(loop);
    whole = cloneUntiled(rewriter, op, tiled, enclosingThreadLoop(op));
  }
  if (!whole)
    return op.emitError("undo of distribute_to_threads expects subviews as "
                        "operands");
  whole->removeAttr(kMappingAttr);
  whole->removeAttr(kSplitAttr);
  rewriter.eraseOp(top);
  return success();
}
