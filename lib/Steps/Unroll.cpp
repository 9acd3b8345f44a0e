//===- Unroll.cpp - Unrolling as a directive that codegen obeys
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "KLineage/Steps/Utils.h"

using namespace mlir;
using namespace klineage;

namespace {

/// The state keeps one loop body with `klineage.unroll`; codegen unrolls it
/// with the upstream utility. So a lineage stays readable, and the undo of an
/// unrolled loop is exact for every body.
class Unroll final : public StepKind {
public:
  Unroll() : StepKind("unroll", "Unroll a loop") {}
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override {
    if (targets.size() != 1 || !isa<scf::ForOp>(targets[0]))
      return targets[0]->emitError() << getName() << " takes one scf.for";
    return verifyRange(targets[0], params, "factor", 0, 1024);
  }
  void clauses(ArrayRef<Operation *> targets, DictionaryAttr params,
               const StepContext &,
               SmallVectorImpl<ClauseResult> &results) const override {
    auto loop = cast<scf::ForOp>(targets[0]);
    results.push_back(inSimtForm(loop, /*orKernel=*/true));
    bool once = !loop->hasAttr("klineage.unroll");
    results.push_back(formClause(
        loop.getLoc(), "not_unrolled", ClauseClass::pipeline, once,
        "a loop that is not unrolled yet", once ? "so" : "an unrolled loop"));
    std::optional<llvm::APInt> trips = loop.getStaticTripCount();
    bool full = intParam(params, "factor") == 0;
    bool fits = trips && trips->getSExtValue() <= 1024;
    if (full)
      results.push_back(formClause(
          loop.getLoc(), "static_extent", ClauseClass::pipeline, fits,
          "a constant trip count up to 1024",
          trips ? Twine(trips->getSExtValue()) : Twine("a dynamic one")));
  }
  FailureOr<StepOutcome> apply(RewriterBase &rewriter,
                               ArrayRef<Operation *> targets,
                               DictionaryAttr params, const StepContext &,
                               ArrayRef<ClauseResult>) const override {
    rewriter.modifyOpInPlace(targets[0], [&] {
      targets[0]->setAttr("klineage.unroll", rewriter.getI64IntegerAttr(
                                                 intParam(params, "factor")));
    });
    StepOutcome outcome;
    outcome.locus = targets[0];
    outcome.handles = {{"loop", {targets[0]}}};
    return outcome;
  }
  FailureOr<SmallVector<Operation *>> undo(RewriterBase &rewriter,
                                           Operation *locus, DictionaryAttr,
                                           const StepContext &) const override {
    if (!locus->hasAttr("klineage.unroll"))
      return locus->emitError()
             << "undo of " << getName() << " expects an unrolled loop";
    rewriter.modifyOpInPlace(locus,
                             [&] { locus->removeAttr("klineage.unroll"); });
    return SmallVector<Operation *>{locus};
  }
};

} // namespace

std::unique_ptr<StepKind> klineage::createUnroll() {
  return std::make_unique<Unroll>();
}
