//===- TileToBlocks.cpp - One block of threads a tile of the parallel loops
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "KLineage/Steps/Utils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace klineage;

namespace {

class TileToBlocks final : public StepKind {
public:
  TileToBlocks()
      : StepKind("tile_to_blocks",
                 "Tile parallel loops over the blocks of a grid") {}
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override;
  void clauses(ArrayRef<Operation *> targets, DictionaryAttr params,
               const StepContext &context,
               SmallVectorImpl<ClauseResult> &results) const override;
  FailureOr<StepOutcome> apply(RewriterBase &rewriter,
                               ArrayRef<Operation *> targets,
                               DictionaryAttr params,
                               const StepContext &context,
                               ArrayRef<ClauseResult> unknown) const override;
  FailureOr<SmallVector<Operation *>>
  undo(RewriterBase &rewriter, Operation *locus, DictionaryAttr params,
       const StepContext &context) const override;
};

/// The tile of each loop, 0 for none. With `innermost` the sizes are those of
/// the last loops, and each loop further out gets tiles of 1.
SmallVector<int64_t> tileSizes(linalg::LinalgOp op, DictionaryAttr params) {
  SmallVector<int64_t> sizes = intArrayParam(params, "tile_sizes");
  size_t loops = op.getNumLoops();
  if (params.get("innermost")) {
    if (sizes.size() > loops)
      sizes.erase(sizes.begin(), sizes.end() - loops);
    sizes.insert(sizes.begin(), loops - sizes.size(), 1);
  }
  // A tile beyond the extent would only look partial.
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [size, range] : llvm::zip(sizes, ranges))
    if (!ShapedType::isDynamic(range) && range > 0)
      size = std::min(size, range);
  return sizes;
}

/// Loops that get a tile, outermost first.
SmallVector<int64_t> tiledLoops(ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> loops;
  for (auto [loop, size] : llvm::enumerate(sizes))
    if (size > 0)
      loops.push_back(loop);
  return loops;
}

/// The innermost tiled loop is x: neighbouring blocks work on neighbouring
/// data.
ArrayAttr blockMapping(MLIRContext *context, unsigned rank) {
  SmallVector<Attribute> mapping;
  for (unsigned dim = 0; dim < rank; ++dim)
    mapping.push_back(gpu::GPUBlockMappingAttr::get(
        context, static_cast<gpu::MappingId>(rank - 1 - dim)));
  return ArrayAttr::get(context, mapping);
}

} // namespace

LogicalResult TileToBlocks::verify(ArrayRef<Operation *> targets,
                                   DictionaryAttr params) const {
  FailureOr<linalg::LinalgOp> op = verifyLinalgTarget(targets, getName());
  if (failed(op) ||
      failed(verifyRange(targets[0], params, "tile_sizes", 0, 1 << 20)))
    return failure();
  SmallVector<int64_t> sizes = tileSizes(*op, params);
  if (sizes.size() > op->getNumLoops())
    return targets[0]->emitError()
           << getName() << " has " << sizes.size() << " tile sizes for "
           << op->getNumLoops() << " loops";
  size_t tiled = tiledLoops(sizes).size();
  if (tiled == 0 || tiled > 3)
    return targets[0]->emitError()
           << getName() << " tiles 1 to 3 loops, got " << tiled;
  if (params.get("min_blocks_per_sm") &&
      failed(verifyRange(*op, params, "min_blocks_per_sm", 0, 32)))
    return failure();
  if (params.get("max_registers"))
    return verifyRange(*op, params, "max_registers", 0, 255);
  return success();
}

void TileToBlocks::clauses(ArrayRef<Operation *> targets, DictionaryAttr params,
                           const StepContext &context,
                           SmallVectorImpl<ClauseResult> &results) const {
  auto op = cast<linalg::LinalgOp>(targets[0]);
  results.push_back(inHostForm(op));
  results.push_back(simpleMaps(op));
  SmallVector<int64_t> sizes = tileSizes(op, params);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), grid;
  SmallVector<int64_t> loops = tiledLoops(sizes);
  for (int64_t loop : llvm::reverse(loops)) {
    results.push_back(loopParallel(op, loop));
    results.push_back(disjointWrites(op, loop));
    grid.push_back(ShapedType::isDynamic(ranges[loop])
                       ? ShapedType::kDynamic
                       : llvm::divideCeil(ranges[loop], sizes[loop]));
  }
  results.push_back(gridLimits(op.getLoc(), grid, context.target));
}

FailureOr<StepOutcome> TileToBlocks::apply(RewriterBase &rewriter,
                                           ArrayRef<Operation *> targets,
                                           DictionaryAttr params,
                                           const StepContext &,
                                           ArrayRef<ClauseResult>) const {
  auto op = cast<linalg::LinalgOp>(targets[0]);
  Location loc = op.getLoc();
  SmallVector<int64_t> sizes = tileSizes(op, params);
  SmallVector<int64_t> loops = tiledLoops(sizes);
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> extents = loopExtents(rewriter, op);
  SmallVector<OpFoldResult> lower, upper, steps;
  for (int64_t loop : loops) {
    lower.push_back(rewriter.getIndexAttr(0));
    upper.push_back(extents[loop]);
    steps.push_back(rewriter.getIndexAttr(sizes[loop]));
  }
  auto forall =
      scf::ForallOp::create(rewriter, loc, lower, upper, steps, ValueRange(),
                            blockMapping(rewriter.getContext(), loops.size()));
  for (StringRef name : {"min_blocks_per_sm", "max_registers"})
    if (int64_t value = intParam(params, name))
      forall->setAttr(("klineage." + name).str(),
                      rewriter.getI64IntegerAttr(value));

  rewriter.setInsertionPoint(forall.getBody()->getTerminator());
  LoopTiles tiles(op.getNumLoops());
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [loop, iv] : llvm::zip(loops, forall.getInductionVars())) {
    tiles[loop] = LoopTile{iv, tileSize(rewriter, loc, sizes[loop],
                                        ranges[loop], extents[loop], iv)};
  }
  linalg::LinalgOp tiled = cloneOnTile(rewriter, op, tiles);
  rewriter.eraseOp(op);
  StepOutcome outcome;
  outcome.locus = forall;
  outcome.handles = {{"tiled", {tiled}}, {"loop", {forall}}};
  return outcome;
}

FailureOr<SmallVector<Operation *>>
TileToBlocks::undo(RewriterBase &rewriter, Operation *locus,
                   DictionaryAttr params, const StepContext &) const {
  linalg::LinalgOp tiled =
      isBlockLoop(locus) ? onlyLinalgOpIn(locus) : linalg::LinalgOp();
  if (!tiled)
    return locus->emitError() << "undo of " << getName()
                              << " expects a block loop around one linalg "
                                 "operation";
  // Tiles may be partial here, but which loops have one does not change.
  SmallVector<int64_t> sizes = tileSizes(tiled, params);
  llvm::SmallBitVector loops(tiled.getNumLoops());
  for (int64_t loop : tiledLoops(sizes))
    if (loop < int64_t(loops.size()))
      loops.set(loop);
  rewriter.setInsertionPoint(locus);
  linalg::LinalgOp whole = cloneUntiled(rewriter, tiled, loops);
  if (!whole)
    return tiled.emitError()
           << "undo of " << getName() << " expects subviews as operands";
  rewriter.eraseOp(locus);
  return SmallVector<Operation *>{whole};
}

std::unique_ptr<StepKind> klineage::createTileToBlocks() {
  return std::make_unique<TileToBlocks>();
}
