//===- LoopFusion.cpp - A producer computed tile by tile in its consumer's loop
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace klineage;

/// The one tile of `buffer` that the loop uses, or null.
static memref::SubViewOp tileIn(scf::ForallOp loop, Value buffer) {
  memref::SubViewOp tile;
  for (Operation *user : buffer.getUsers()) {
    if (!loop->isAncestor(user))
      continue;
    auto view = dyn_cast<memref::SubViewOp>(user);
    if (!view || view.getType().getRank() != view.getSourceType().getRank())
      return {};
    if (tile && (tile.getMixedOffsets() != view.getMixedOffsets() ||
                 tile.getMixedSizes() != view.getMixedSizes()))
      return {};
    tile = view;
  }
  return tile;
}

/// Every induction variable is the offset of exactly one dimension, with the
/// loop's step as the bound of its size: the tiles are a partition.
static bool isPartition(scf::ForallOp loop, memref::SubViewOp tile) {
  SmallVector<OpFoldResult> steps = loop.getMixedStep();
  SmallVector<OpFoldResult> uppers = loop.getMixedUpperBound();
  for (auto [iv, upper, step] :
       llvm::zip(loop.getInductionVars(), uppers, steps)) {
    // One tile may be smaller than the step.
    std::optional<int64_t> whole = getConstantIntValue(upper),
                           expected = getConstantIntValue(step);
    if (whole && expected)
      expected = std::min(*whole, *expected);
    int64_t found = 0;
    for (auto [offset, size] :
         llvm::zip(tile.getMixedOffsets(), tile.getMixedSizes())) {
      if (offset != OpFoldResult(iv))
        continue;
      ++found;
      if (staticUpperBound(size) != expected)
        return false;
    }
    if (found != 1)
      return false;
  }
  for (OpFoldResult offset : tile.getMixedOffsets()) {
    bool isIv = llvm::any_of(loop.getInductionVars(), [&](Value iv) {
      return offset == OpFoldResult(iv);
    });
    if (!isIv && getConstantIntValue(offset) != 0)
      return false;
  }
  return true;
}

void LoopFusion::clauses(linalg::LinalgOp producer, scf::ForallOp loop,
                         SmallVectorImpl<ClauseResult> &results) {
  Location loc = producer.getLoc();
  results.push_back(simpleMaps(producer));
  bool one = producer.getNumDpsInits() == 1;
  memref::SubViewOp tile =
      one ? tileIn(loop, producer.getDpsInits()[0]) : memref::SubViewOp();
  results.push_back(formClause(loc, "one_tile", ClauseClass::layout, bool(tile),
                               "one tile of the buffer used in the loop",
                               tile ? "one" : "no tile, or several"));
  if (!tile)
    return;
  bool partition = isPartition(loop, tile);
  results.push_back(formClause(loc, "tile_partition", ClauseClass::layout,
                               partition,
                               "tiles that cover the buffer, each once",
                               partition ? "a partition" : "another tiling"));
  results.push_back(noInterference(producer, loop));
  for (Value input : producer.getDpsInputs())
    if (isa<MemRefType>(input.getType()))
      results.push_back(notWrittenIn(loop.getRegion(), input, loc));
}

/// Operations between the two that normalization leaves in their order.
static int64_t ordersBetween(Operation *first, Operation *second) {
  int64_t count = 0;
  for (Operation *op = first->getNextNode(); op && op != second;
       op = op->getNextNode())
    count += !isMemoryEffectFree(op);
  return count;
}

StepOutcome LoopFusion::apply(RewriterBase &rewriter, linalg::LinalgOp producer,
                              scf::ForallOp loop) {
  Value buffer = producer.getDpsInits()[0];
  memref::SubViewOp tile = tileIn(loop, buffer);
  AffineMap map =
      producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
  LoopTiles tiles(producer.getNumLoops());
  SmallVector<int64_t> tiled;
  for (auto [expr, offset, size] : llvm::zip(
           map.getResults(), tile.getMixedOffsets(), tile.getMixedSizes())) {
    if (!isa<Value>(offset))
      continue;
    unsigned position = cast<AffineDimExpr>(expr).getPosition();
    tiles[position] = LoopTile{offset, size};
    tiled.push_back(position);
  }
  // Right before the first operation of the body that works on the tile.
  Operation *first = nullptr;
  for (Operation *user : tile->getUsers())
    if (Operation *top = loop.getBody()->findAncestorOpInBlock(*user))
      if (top != tile && (!first || top->isBeforeInBlock(first)))
        first = top;
  if (!first)
    first = loop.getBody()->getTerminator();
  rewriter.setInsertionPoint(first);
  // Sizes may be computed further down in the body.
  for (const auto &entry : tiles)
    if (entry)
      if (auto size = dyn_cast<Value>(entry->size))
        if (Operation *def = size.getDefiningOp())
          if (def->getBlock() == first->getBlock() &&
              first->isBeforeInBlock(def))
            rewriter.moveOpBefore(def, first);
  linalg::LinalgOp fused = cloneOnTile(rewriter, producer, tiles);
  StepOutcome outcome;
  if (int64_t between = ordersBetween(producer, loop))
    outcome.undoFacts.push_back(
        rewriter.getNamedAttr("ahead", rewriter.getI64IntegerAttr(between)));
  rewriter.eraseOp(producer);
  outcome.locus = fused;
  outcome.handles = {{"fused", {fused}}};
  outcome.undoFacts.push_back(rewriter.getNamedAttr(
      "tiled_loops", intArrayAttr(rewriter.getContext(), tiled)));
  return outcome;
}

FailureOr<SmallVector<Operation *>> LoopFusion::undo(RewriterBase &rewriter,
                                                     Operation *locus,
                                                     DictionaryAttr params) {
  auto fused = dyn_cast<linalg::LinalgOp>(locus);
  scf::ForallOp loop = fused ? enclosingBlockLoop(fused) : scf::ForallOp();
  if (!loop)
    return locus->emitError() << "undo of fuse_producer expects a linalg "
                                 "operation in a block loop";
  llvm::SmallBitVector tiled(fused.getNumLoops());
  for (int64_t position : intArrayParam(params, "tiled_loops"))
    if (position >= 0 && position < int64_t(tiled.size()))
      tiled.set(position);
  rewriter.setInsertionPoint(loop);
  linalg::LinalgOp whole = cloneUntiled(rewriter, fused, tiled);
  if (!whole)
    return fused.emitError()
           << "undo of fuse_producer expects subviews as operands";
  rewriter.eraseOp(fused);
  Operation *place = loop;
  for (int64_t left = intParam(params, "ahead"); left > 0 && place;) {
    place = place == loop ? whole->getPrevNode() : place->getPrevNode();
    left -= place && !isMemoryEffectFree(place);
  }
  if (!place)
    return loop.emitError() << "undo of fuse_producer has no place to go";
  if (place != loop) {
    if (failed(moveOperationDependencies(rewriter, whole, place)))
      return failure();
    rewriter.moveOpBefore(whole, place);
  }
  return SmallVector<Operation *>{whole, loop};
}
