//===- StripMineReduction.cpp - A serial loop over strips of a reduction
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "KLineage/Steps/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace klineage;

namespace {

class StripMineReduction final : public StepKind {
public:
  /// Strips run in order, so no sum is reassociated.
  StripMineReduction()
      : StepKind("strip_mine_reduction", "Split a reduction loop into strips") {
  }
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

/// Negative numbers count from the last loop.
int64_t loopOf(linalg::LinalgOp op, DictionaryAttr params) {
  int64_t dim = intParam(params, "dim");
  return dim < 0 ? dim + int64_t(op.getNumLoops()) : dim;
}

} // namespace

LogicalResult StripMineReduction::verify(ArrayRef<Operation *> targets,
                                         DictionaryAttr params) const {
  FailureOr<linalg::LinalgOp> op = verifyLinalgTarget(targets, getName());
  if (failed(op))
    return failure();
  return success(
      succeeded(verifyRange(*op, params, "dim", -int64_t(op->getNumLoops()),
                            int64_t(op->getNumLoops()) - 1)) &&
      succeeded(verifyRange(*op, params, "size", 1, 1 << 20)));
}

void StripMineReduction::clauses(ArrayRef<Operation *> targets,
                                 DictionaryAttr params, const StepContext &,
                                 SmallVectorImpl<ClauseResult> &results) const {
  auto op = cast<linalg::LinalgOp>(targets[0]);
  results.push_back(simpleMaps(op));
  int64_t dim = loopOf(op, params);
  bool reduction =
      op.getIteratorTypesArray()[dim] == utils::IteratorType::reduction;
  results.push_back(formClause(op.getLoc(), "reduction_loop",
                               ClauseClass::types, reduction,
                               "loop " + Twine(dim) + " a reduction",
                               reduction ? "a reduction" : "parallel"));
  // Otherwise the strips would change the order of the innermost sums.
  bool inner = true;
  for (int64_t loop = 0; loop < dim; ++loop)
    inner &= op.getIteratorTypesArray()[loop] != utils::IteratorType::reduction;
  results.push_back(
      formClause(op.getLoc(), "outermost_reduction", ClauseClass::types, inner,
                 "no reduction loop outside of loop " + Twine(dim),
                 inner ? "none" : "an outer reduction loop"));
}

FailureOr<StepOutcome> StripMineReduction::apply(RewriterBase &rewriter,
                                                 ArrayRef<Operation *> targets,
                                                 DictionaryAttr params,
                                                 const StepContext &,
                                                 ArrayRef<ClauseResult>) const {
  auto op = cast<linalg::LinalgOp>(targets[0]);
  Location loc = op.getLoc();
  int64_t dim = loopOf(op, params), size = intParam(params, "size");
  int64_t range = op.getStaticLoopRanges()[dim];
  if (!ShapedType::isDynamic(range) && range > 0)
    size = std::min(size, range);
  rewriter.setInsertionPoint(op);
  OpFoldResult extent = loopExtents(rewriter, op)[dim];
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto loop = scf::ForOp::create(
      rewriter, loc, index(0),
      getValueOrCreateConstantIndexOp(rewriter, loc, extent), index(size));
  rewriter.setInsertionPoint(loop.getBody()->getTerminator());
  LoopTiles tiles(op.getNumLoops());
  OpFoldResult iv = loop.getInductionVar();
  tiles[dim] = LoopTile{iv, tileSize(rewriter, loc, size, range, extent, iv)};
  linalg::LinalgOp tiled = cloneOnTile(rewriter, op, tiles);
  rewriter.eraseOp(op);
  StepOutcome outcome;
  outcome.locus = loop;
  outcome.handles = {{"tiled", {tiled}}, {"loop", {loop}}};
  return outcome;
}

FailureOr<SmallVector<Operation *>>
StripMineReduction::undo(RewriterBase &rewriter, Operation *locus,
                         DictionaryAttr params, const StepContext &) const {
  linalg::LinalgOp tiled =
      isa<scf::ForOp>(locus) ? onlyLinalgOpIn(locus) : linalg::LinalgOp();
  if (!tiled)
    return locus->emitError() << "undo of " << getName()
                              << " expects a loop around one linalg operation";
  llvm::SmallBitVector loops(tiled.getNumLoops());
  loops.set(loopOf(tiled, params));
  rewriter.setInsertionPoint(locus);
  linalg::LinalgOp whole = cloneUntiled(rewriter, tiled, loops);
  if (!whole)
    return tiled.emitError()
           << "undo of " << getName() << " expects subviews as operands";
  rewriter.eraseOp(locus);
  return SmallVector<Operation *>{whole};
}

std::unique_ptr<StepKind> klineage::createStripMineReduction() {
  return std::make_unique<StripMineReduction>();
}
