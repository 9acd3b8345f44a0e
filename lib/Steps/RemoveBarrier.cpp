//===- RemoveBarrier.cpp - Barriers that order nothing
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierProof.h"
#include "KLineage/Steps/Kinds.h"
#include "KLineage/Steps/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace klineage;

namespace {

class RemoveBarrier final : public StepKind {
public:
  RemoveBarrier()
      : StepKind("remove_barrier",
                 "Remove a barrier that orders no conflicting accesses") {}
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr) const override {
    if (targets.size() != 1 || !isa<gpu::BarrierOp>(targets[0]))
      return targets[0]->emitError() << getName() << " takes one gpu.barrier";
    return success();
  }
  void clauses(ArrayRef<Operation *> targets, DictionaryAttr,
               const StepContext &context,
               SmallVectorImpl<ClauseResult> &results) const override {
    results.push_back(inSimtForm(targets[0], /*orKernel=*/true));
    if (results.back().truth == Truth::proved)
      results.push_back(
          raceFreeBlock(cast<gpu::BarrierOp>(targets[0]), context.target));
  }
  FailureOr<StepOutcome> apply(RewriterBase &rewriter,
                               ArrayRef<Operation *> targets, DictionaryAttr,
                               const StepContext &,
                               ArrayRef<ClauseResult>) const override {
    // The next operation that keeps its place: where undo puts the barrier.
    Operation *next = targets[0]->getNextNode();
    while (!keepsPlace(next))
      next = next->getNextNode();
    StepOutcome outcome;
    outcome.locus = next;
    // A terminator has no position of its own, its region has.
    if (next->hasTrait<OpTrait::IsTerminator>()) {
      outcome.locus = next->getParentOp();
      outcome.undoFacts.push_back(rewriter.getNamedAttr(
          "end_of_region", rewriter.getI64IntegerAttr(
                               next->getParentRegion()->getRegionNumber())));
    }
    rewriter.eraseOp(targets[0]);
    return outcome;
  }
  FailureOr<SmallVector<Operation *>> undo(RewriterBase &rewriter,
                                           Operation *locus,
                                           DictionaryAttr params,
                                           const StepContext &) const override {
    int64_t region = intParam(params, "end_of_region", -1);
    if (region >= int64_t(locus->getNumRegions()) ||
        (region >= 0 && locus->getRegion(region).empty()))
      return locus->emitError()
             << "undo of " << getName()
             << " expects an operation with a region " << region;
    rewriter.setInsertionPoint(
        region < 0 ? locus : locus->getRegion(region).back().getTerminator());
    Operation *barrier = gpu::BarrierOp::create(rewriter, locus->getLoc());
    return SmallVector<Operation *>{barrier};
  }

private:
  /// Terminators, and what normalization does not move.
  static bool keepsPlace(Operation *op) {
    if (op->hasTrait<OpTrait::IsTerminator>())
      return true;
    return !isa<memref::AllocOp, memref::AllocaOp>(op) &&
           (op->getNumRegions() > 0 || !isMemoryEffectFree(op));
  }
};

} // namespace

std::unique_ptr<StepKind> klineage::createRemoveBarrier() {
  return std::make_unique<RemoveBarrier>();
}
