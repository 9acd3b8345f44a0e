//===- FuseProducer.cpp - The step kind fuse_producer
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"

using namespace mlir;
using namespace klineage;

namespace {

class FuseProducer final : public StepKind {
public:
  FuseProducer()
      : StepKind("fuse_producer",
                 "Fuse a producer into its consumer or its consumer's loop") {}
  /// A product fused into a sum loses a rounding.
  Numerics getNumerics(DictionaryAttr params) const override {
    return params.get("contracts") ? Numerics::reassociating
                                   : Numerics::bit_exact;
  }
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override {
    auto isBufferOp = [](Operation *op) {
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      return linalgOp && linalgOp.hasPureBufferSemantics();
    };
    if (targets.size() != 2 || !isBufferOp(targets[0]) ||
        !(isBufferOp(targets[1]) || isBlockLoop(targets[1])))
      return targets[0]->emitError()
             << getName()
             << " takes a linalg operation on buffers and its "
                "consumer, an operation or a block loop";
    return success();
  }
  void clauses(ArrayRef<Operation *> targets, DictionaryAttr,
               const StepContext &,
               SmallVectorImpl<ClauseResult> &results) const override {
    auto producer = cast<linalg::LinalgOp>(targets[0]);
    results.push_back(inHostForm(targets[0]));
    results.push_back(inHostForm(targets[1]));
    bool ordered = targets[0]->getBlock() == targets[1]->getBlock() &&
                   targets[0]->isBeforeInBlock(targets[1]);
    results.push_back(formClause(
        producer.getLoc(), "producer_first", ClauseClass::types, ordered,
        "the producer before its consumer", ordered ? "before" : "not before"));
    if (!ordered)
      return;
    if (auto loop = dyn_cast<scf::ForallOp>(targets[1]))
      LoopFusion::clauses(producer, loop, results);
    else
      BodyFusion::clauses(producer, cast<linalg::LinalgOp>(targets[1]),
                          results);
  }
  FailureOr<StepOutcome> apply(RewriterBase &rewriter,
                               ArrayRef<Operation *> targets, DictionaryAttr,
                               const StepContext &,
                               ArrayRef<ClauseResult>) const override {
    auto producer = cast<linalg::LinalgOp>(targets[0]);
    if (auto loop = dyn_cast<scf::ForallOp>(targets[1]))
      return LoopFusion::apply(rewriter, producer, loop);
    return BodyFusion::apply(rewriter, producer,
                             cast<linalg::LinalgOp>(targets[1]));
  }
  FailureOr<SmallVector<Operation *>> undo(RewriterBase &rewriter,
                                           Operation *locus,
                                           DictionaryAttr params,
                                           const StepContext &) const override {
    return params.get("tiled_loops")
               ? LoopFusion::undo(rewriter, locus, params)
               : BodyFusion::undo(rewriter, locus, params);
  }
};

} // namespace

/// True if all effects of the operation are known, and none of them writes.
static bool readsOnly(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  return interface && !interface.hasEffect<MemoryEffects::Write>();
}

ClauseResult klineage::noInterference(linalg::LinalgOp first,
                                      Operation *second) {
  Operation *culprit = nullptr;
  for (Operation *op = first->getNextNode(); op && op != second;
       op = op->getNextNode()) {
    for (Value init : first.getDpsInits())
      if (Operation *access = findAccess(op, init))
        culprit = access;
    for (Value input : first.getDpsInputs())
      if (isa<MemRefType>(input.getType()))
        if (Operation *access = findAccess(
                op, input, [](Operation *other) { return readsOnly(other); }))
          culprit = access;
  }
  return formClause(culprit ? culprit->getLoc() : first.getLoc(),
                    "no_interference", ClauseClass::storage, !culprit,
                    "nothing between that uses the producer's buffers",
                    culprit ? culprit->getName().getStringRef()
                            : StringRef("nothing"));
}

std::unique_ptr<StepKind> klineage::createFuseProducer() {
  return std::make_unique<FuseProducer>();
}
