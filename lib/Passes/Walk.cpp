//===- Walk.cpp - From an expert kernel backward to a naive one
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk.h"
#include "Equivalence.h"
#include "KLineage/Search/KernelProofs.h"
#include "KLineage/State/State.h"
#include "KLineage/Support/Interrupt.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace klineage;

Walk::Walk(LineageOp lineage, const TargetInfo &target, WalkOptions options,
           const DialectRegistry &registry)
    : lineage(lineage), expert(lineage.getReference().getModule()),
      target(target), options(std::move(options)), registry(registry) {
  sizes = chooseSizes(expert, {tileHint(expert)});
}

Verdict Walk::judgeState(ModuleOp before, ModuleOp after, Numerics numerics) {
  GateRequest request;
  request.target = &target;
  request.timeoutSeconds = options.gate.timeoutSeconds;
  request.memoryBytes = options.gate.memoryMiB << 20;
  request.onDevice = options.gate.onDevice;
  request.profile = false; // Simpler is slower, as it should be.
  request.numerics = numerics;
  request.reductionLength =
      std::max(longestReduction(before), longestReduction(after));
  // Sums of kernels have no length that can be read off.
  if (request.reductionLength == 1)
    request.reductionLength = 256;
  request.reference = printState(before);
  request.subject = printState(after);
  for (const std::vector<int64_t> &each : sizes)
    request.cases.push_back({request.reference, request.subject, each});
  --options.budget;
  return judge(request, registry);
}

void Walk::report(StringRef what, const Verdict &verdict) {
  if (options.progress)
    llvm::errs() << what << ": " << stringifyVerdictKind(verdict.kind) << ": "
                 << verdict.message << "\n";
}

/// Why the expert has no defined meaning; empty if it has.
std::string Walk::judgeExpert() {
  Verdict verdict = judgeState(expert, expert, Numerics::bit_exact);
  report("the expert itself", verdict);
  if (verdict.kind == VerdictKind::accepted)
    return "";
  appendTrial(lineage, lineage.getReference(), "expert", 0,
              DictionaryAttr::get(lineage.getContext()),
              toAttr(lineage.getContext(), verdict), {});
  return llvm::formatv("the expert itself is not accepted: {0}: {1}",
                       stringifyVerdictKind(verdict.kind), verdict.message);
}

void Walk::refuse(const Undo &undo, int64_t place, const Verdict &verdict,
                  ArrayRef<ClauseResult> clauses) {
  report(undo.getName(), verdict);
  SmallVector<ClauseResult> failing;
  for (const ClauseResult &clause : clauses)
    if (clause.truth != Truth::proved)
      failing.push_back(clause);
  appendTrial(lineage, lineage.getCurrent(), undo.getName(), place,
              DictionaryAttr::get(lineage.getContext()),
              toAttr(lineage.getContext(), verdict), failing);
}

void Walk::accept(const Undo &undo, int64_t place, UndoResult &result,
                  const Verdict &verdict) {
  report(undo.getName(), verdict);
  MLIRContext *context = lineage.getContext();
  Builder b(context);
  CertificateLevel level = CertificateLevel::tested;
  SmallVector<Attribute> domain;
  SmallVector<ClauseResult> clauses;
  {
    ScopedDiagnosticHandler quiet(context,
                                  [](Diagnostic &) { return success(); });
    auto proof = proveEquivalent(current(), *result.state, expert, target);
    if (succeeded(proof) && proof->equal()) {
      level = CertificateLevel::equivalent;
      std::set<std::string> assumptions;
      for (const EquivalenceCase &each : proof->cases)
        assumptions.insert(each.assumptions.begin(), each.assumptions.end());
      for (const std::string &text : assumptions)
        domain.push_back(b.getStringAttr(text));
    } else if (succeeded(proof)) {
      for (const EquivalenceCase &each : proof->cases)
        if (!each.level)
          domain.push_back(b.getStringAttr("summaries: " + each.why));
    }
  }
  for (const std::string &text : verdict.domain)
    domain.push_back(b.getStringAttr(text));
  AppliedStep step;
  step.kind = undo.getName().str();
  step.targets = {place};
  step.params = DictionaryAttr::get(context);
  step.undoLocus = 0;
  step.before = hashState(current());
  step.after = hashState(*result.state);
  step.numerics = result.numerics;
  StateOp before = lineage.getCurrent();
  StateOp after = appendState(lineage, *result.state, {});
  appendTransition(
      lineage,
      {before, after, undo.getName().str(), place, step.params,
       CertificateAttr::get(context, level, b.getArrayAttr(domain)),
       toAttr(context, verdict), EvidenceAttr(), false},
      step);
}

bool Walk::tryPlace(const Undo &undo, int64_t place) {
  std::string why;
  Verdict verdict;
  verdict.kind = VerdictKind::illegal;
  verdict.stage = "clauses";
  std::optional<UndoResult> result =
      undo.apply(current(), place, expert, target, why);
  if (result && failed(normalizeState(*result->state))) {
    result.reset();
    why = "the result has no canonical form";
  }
  if (result && hashState(*result->state) == hashState(current())) {
    result.reset();
    why = "nothing changes";
  }
  if (!result) {
    verdict.message = why;
    if (&undo == &raiseUndo())
      limit = why;
    refuse(undo, place, verdict, {});
    return false;
  }
  SmallVector<ClauseResult> kernels =
      flatten(proveKernels(*result->state, expert, target));
  if (std::string text = refutation(kernels); !text.empty()) {
    verdict.message = text;
    refuse(undo, place, verdict, kernels);
    return false;
  }
  verdict = judgeState(current(), *result->state, result->numerics);
  if (verdict.kind != VerdictKind::accepted) {
    if (&undo == &raiseUndo())
      limit = verdict.message;
    refuse(undo, place, verdict, {});
    return false;
  }
  accept(undo, place, *result, verdict);
  return true;
}

/// Everywhere, again after each success, for places move.
bool Walk::advance(const Undo &undo) {
  bool any = false;
  size_t passed = 0;
  while (options.budget > 0 && !interrupted()) {
    SmallVector<int64_t> places = undo.places(current());
    if (passed >= places.size())
      break;
    if (tryPlace(undo, places[passed]))
      any = true;
    else
      ++passed;
  }
  return any;
}

std::string Walk::ended() {
  if (interrupted())
    return "interrupted";
  ModuleOp state = current();
  if (raiseUndo().places(state).empty()) {
    int64_t operations = 0;
    state.walk([&](linalg::LinalgOp) { ++operations; });
    return llvm::formatv("naive: no kernel and no loop is left, {0} linalg "
                         "operations on whole buffers",
                         operations);
  }
  if (options.budget <= 0)
    return "the budget is spent";
  return "stopped before naive: raise: " + limit;
}

std::string Walk::run() {
  if (std::string why = judgeExpert(); !why.empty())
    return why;
  for (const Undo *undo : allUndos())
    advance(*undo);
  return ended();
}
