//===- Report.cpp - The pass klineage-report
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lineage/LineageEditor.h"
#include "KLineage/Passes/Passes.h"
#include "KLineage/Passes/TextOutput.h"
#include "PassDialects.h"

namespace klineage {
#define GEN_PASS_DEF_REPORTPASS
#include "KLineage/Passes/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

static void reportClauses(llvm::raw_ostream &os, ArrayAttr clauses,
                          StringRef indent) {
  for (auto clause : clauses.getAsRange<ClauseAttr>()) {
    os << indent << stringifyTruth(clause.getTruth()) << " " << clause.getName()
       << ": expected " << clause.getExpected() << ", found "
       << clause.getFound();
    if (!clause.getNearest().empty() && clause.getTruth() == Truth::refuted)
      os << " (nearest legal: " << clause.getNearest() << ")";
    os << "\n";
  }
}

static void reportVerdict(llvm::raw_ostream &os, VerdictAttr verdict) {
  os << "  verdict: " << stringifyVerdictKind(verdict.getKind()) << " ("
     << verdict.getStage() << "): " << verdict.getMessage() << "\n";
  for (NamedAttribute detail : verdict.getDetails())
    os << "    " << detail.getName().getValue() << ": " << detail.getValue()
       << "\n";
}

static void reportTransition(llvm::raw_ostream &os, TransitionOp transition) {
  os << "transition @" << transition.getSymName() << ": @"
     << transition.getBefore() << " -> @" << transition.getAfter() << " by "
     << transition.getSkill() << " " << transition.getKnobs() << "\n";
  os << "  numerics: " << stringifyNumerics(transition.getNumerics())
     << ", certificate: "
     << stringifyCertificateLevel(transition.getCertificate().getLevel())
     << (transition.getReversible() ? ", reversible" : ", not reversible")
     << "\n";
  for (Attribute domain : transition.getCertificate().getDomain())
    os << "    holds for: " << cast<StringAttr>(domain).getValue() << "\n";
  reportVerdict(os, transition.getVerdict());
  for (auto step : transition.getSteps().getOps<StepOp>()) {
    os << "  step " << step.getKind() << (step.getGuarded() ? " (guarded)" : "")
       << ": " << step.getClauses().size() << " clauses\n";
    reportClauses(os, step.getClauses(), "    ");
  }
}

namespace {
struct Report : klineage::impl::ReportPassBase<Report> {
  using ReportPassBase::ReportPassBase;

  void runOnOperation() override {
    FailureOr<LineageOp> lineage = lookupLineage(getOperation());
    if (failed(lineage) || failed(checkHashes(*lineage)))
      return signalPassFailure();
    llvm::raw_ostream &os = textOutput();
    os << "lineage @" << lineage->getSymName() << " for "
       << lineage->getTarget().getChip() << "\n";
    if (auto ended = (*lineage)->getAttrOfType<StringAttr>("klineage.ended"))
      os << "ended: " << ended.getValue() << "\n";
    for (Operation &op : lineage->getBody().front()) {
      if (auto state = dyn_cast<StateOp>(op))
        os << "state @" << state.getSymName() << " "
           << state.getSha256().take_front(12) << "\n";
      else if (auto transition = dyn_cast<TransitionOp>(op))
        reportTransition(os, transition);
      else if (auto trial = dyn_cast<TrialOp>(op)) {
        os << "trial at @" << trial.getBefore() << " by " << trial.getSkill()
           << " " << trial.getKnobs() << "\n";
        reportVerdict(os, trial.getVerdict());
        reportClauses(os, trial.getClauses(), "    ");
      }
    }
  }
};
} // namespace
