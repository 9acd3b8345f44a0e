//===- Report.cpp - The pass klineage-report
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Traffic.h"
#include "KLineage/Lineage/LineageEditor.h"
#include "KLineage/Passes/Passes.h"
#include "KLineage/Passes/TextOutput.h"
#include "KLineage/State/State.h"
#include "PassDialects.h"
#include "ReportJson.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace klineage {
#define GEN_PASS_DEF_REPORTPASS
#include "KLineage/Passes/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

/// One line of a clause, without what is empty.
static std::string clauseLine(ClauseAttr clause) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << stringifyTruth(clause.getTruth()) << " " << clause.getName()
     << ": expected " << clause.getExpected();
  if (!clause.getFound().empty())
    os << ", found " << clause.getFound();
  if (!clause.getNearest().empty() && clause.getTruth() == Truth::refuted)
    os << " (nearest legal: " << clause.getNearest() << ")";
  return text;
}

/// Clauses that say the same, of several buffers, share a line.
static void reportClauses(llvm::raw_ostream &os, ArrayAttr clauses,
                          StringRef indent) {
  SmallVector<std::pair<std::string, unsigned>> lines;
  for (auto clause : clauses.getAsRange<ClauseAttr>()) {
    std::string line = clauseLine(clause);
    auto same = llvm::find_if(lines, [&](auto &l) { return l.first == line; });
    if (same == lines.end())
      lines.emplace_back(std::move(line), 1);
    else
      ++same->second;
  }
  for (auto &[line, count] : lines) {
    os << indent << line;
    if (count > 1)
      os << " (" << count << " times)";
    os << "\n";
  }
}

/// An attribute as a reader wants it: no types, no quotes.
static void printPlain(llvm::raw_ostream &os, Attribute attr) {
  if (auto text = dyn_cast<StringAttr>(attr)) {
    os << text.getValue();
  } else if (auto number = dyn_cast<IntegerAttr>(attr)) {
    os << number.getValue();
  } else if (auto number = dyn_cast<FloatAttr>(attr)) {
    double value = number.getValueAsDouble(), size = std::fabs(value);
    bool tiny = size > 0 && size < 1e-2;
    os << llvm::formatv(tiny ? "{0:e2}" : "{0:f2}", value);
  } else if (auto list = dyn_cast<ArrayAttr>(attr)) {
    llvm::interleave(
        list, os, [&](Attribute element) { printPlain(os, element); }, "; ");
  } else if (auto entries = dyn_cast<DictionaryAttr>(attr)) {
    llvm::interleaveComma(entries, os, [&](NamedAttribute entry) {
      os << entry.getName().getValue() << " ";
      printPlain(os, entry.getValue());
    });
  } else {
    os << attr;
  }
}

static void reportVerdict(llvm::raw_ostream &os, VerdictAttr verdict) {
  os << "  verdict: " << stringifyVerdictKind(verdict.getKind()) << " ("
     << verdict.getStage() << "): " << verdict.getMessage() << "\n";
  for (NamedAttribute detail : verdict.getDetails()) {
    os << "    " << detail.getName().getValue() << ": ";
    printPlain(os, detail.getValue());
    os << "\n";
  }
}

static void reportState(llvm::raw_ostream &os, StateOp state) {
  os << "state @" << state.getSymName() << " "
     << state.getSha256().take_front(12);
  if (std::optional<ArrayAttr> features = state.getFeatures())
    for (auto feature : features->getAsRange<StringAttr>())
      os << " +" << feature.getValue();
  os << "\n";
  FailureOr<func::FuncOp> entry = lookupEntry(state.getModule());
  if (failed(entry))
    return;
  Traffic traffic = estimateTraffic(*entry);
  os << llvm::formatv(
      "  estimate: {0} launch{2}, {1:f2} MB of memory traffic\n",
      traffic.launches, traffic.bytes * 1e-6,
      traffic.launches == 1 ? "" : "es");
}

static void reportTransition(llvm::raw_ostream &os, TransitionOp transition) {
  os << "transition @" << transition.getSymName() << ": @"
     << transition.getBefore() << " -> @" << transition.getAfter() << " by "
     << transition.getSkill() << " (";
  printPlain(os, transition.getKnobs());
  os << ")\n";
  os << "  numerics: " << stringifyNumerics(transition.getNumerics())
     << ", certificate: "
     << stringifyCertificateLevel(transition.getCertificate().getLevel())
     << (transition.getReversible() ? ", reversible" : ", not reversible")
     << "\n";
  for (Attribute domain : transition.getCertificate().getDomain())
    os << "    holds for: " << cast<StringAttr>(domain).getValue() << "\n";
  reportVerdict(os, transition.getVerdict());
  if (std::optional<EvidenceAttr> evidence = transition.getEvidence())
    os << llvm::formatv(
        "  measured: {0}: {1:f2} us before, {2:f2} us after, on {3}\n",
        evidence->getSubject(), evidence->getBefore().getValueAsDouble(),
        evidence->getAfter().getValueAsDouble(), evidence->getToolchain());
  for (auto step : transition.getSteps().getOps<StepOp>()) {
    os << "  step " << step.getKind() << (step.getGuarded() ? " (guarded)" : "")
       << ": " << step.getClauses().size() << " clauses\n";
    reportClauses(os, step.getClauses(), "    ");
  }
}

/// Trials that say the same of other places or settings are told by the first.
static bool saysTheSame(TrialOp a, TrialOp b) {
  return a && a.getBefore() == b.getBefore() && a.getSkill() == b.getSkill() &&
         a.getVerdict() == b.getVerdict() && a.getClauses() == b.getClauses();
}

static void reportTrial(llvm::raw_ostream &os, TrialOp trial, unsigned count) {
  os << "trial at @" << trial.getBefore() << " by " << trial.getSkill() << " (";
  printPlain(os, trial.getKnobs());
  os << ")";
  if (count > 1)
    os << " and " << count - 1 << " more places or settings";
  os << "\n";
  reportVerdict(os, trial.getVerdict());
  reportClauses(os, trial.getClauses(), "    ");
}

static void reportLineage(llvm::raw_ostream &os, LineageOp lineage) {
  os << "lineage @" << lineage.getSymName() << " for "
     << lineage.getTarget().getChip() << "\n";
  if (auto ended = lineage->getAttrOfType<StringAttr>("klineage.ended"))
    os << "ended: " << ended.getValue() << "\n";
  TrialOp pending;
  unsigned count = 0;
  auto flush = [&] {
    if (pending)
      reportTrial(os, pending, count);
    pending = nullptr;
    count = 0;
  };
  for (Operation &op : lineage.getBody().front()) {
    auto trial = dyn_cast<TrialOp>(op);
    if (!trial || !saysTheSame(pending, trial))
      flush();
    if (trial) {
      pending = pending ? pending : trial;
      ++count;
    } else if (auto state = dyn_cast<StateOp>(op)) {
      reportState(os, state);
    } else if (auto transition = dyn_cast<TransitionOp>(op)) {
      reportTransition(os, transition);
    }
  }
  flush();
}

namespace {
struct Report : klineage::impl::ReportPassBase<Report> {
  using ReportPassBase::ReportPassBase;

  void runOnOperation() override {
    FailureOr<LineageOp> lineage = lookupLineage(getOperation());
    if (failed(lineage) || failed(checkHashes(*lineage)))
      return signalPassFailure();
    if (format == "text")
      reportLineage(textOutput(), *lineage);
    else if (format == "json")
      textOutput() << lineageToJson(*lineage);
    else {
      lineage->emitError("no such format '")
          << format << "'; known are text and json";
      signalPassFailure();
    }
  }
};
} // namespace
