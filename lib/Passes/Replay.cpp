//===- Replay.cpp - The passes klineage-replay and klineage-undo
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lineage/LineageEditor.h"
#include "KLineage/Passes/Passes.h"
#include "KLineage/Search/GateCases.h"
#include "KLineage/Search/KernelProofs.h"
#include "KLineage/State/State.h"
#include "PassDialects.h"
#include "Subject.h"

namespace klineage {
#define GEN_PASS_DEF_REPLAYPASS
#define GEN_PASS_DEF_UNDOPASS
#include "KLineage/Passes/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

static std::vector<AppliedStep> stepsOf(TransitionOp transition) {
  std::vector<AppliedStep> steps;
  for (auto step : transition.getSteps().getOps<StepOp>())
    steps.push_back(fromOp(step));
  return steps;
}

/// The features that the recorded state has; the same steps provide them again.
static std::vector<std::string> featuresAfter(TransitionOp transition) {
  std::vector<std::string> features;
  StateOp after = transition->getParentOfType<LineageOp>().lookupState(
      transition.getAfter());
  if (std::optional<ArrayAttr> recorded = after.getFeatures())
    for (auto name : recorded->getAsRange<StringAttr>())
      features.push_back(name.str());
  return features;
}

namespace {

struct Replay : klineage::impl::ReplayPassBase<Replay> {
  using ReplayPassBase::ReplayPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<LineageOp> lineage = lookupLineage(module);
    if (failed(lineage) || failed(checkHashes(*lineage)))
      return signalPassFailure();
    StepContext context{*lookupTarget(lineage->getTarget().getChip()), true};
    if (failed(on.empty() ? same(*lineage, context)
                          : other(module, *lineage, context)))
      signalPassFailure();
  }

private:
  LogicalResult same(LineageOp lineage, const StepContext &context) {
    for (auto transition : lineage.getBody().getOps<TransitionOp>()) {
      OwningOpRef<ModuleOp> state =
          lineage.lookupState(transition.getBefore()).getModule().clone();
      std::vector<AppliedStep> recorded = stepsOf(transition), done;
      StepRefusal refusal;
      if (failed(redoSteps(*state, recorded, context, done, refusal)))
        return transition.emitError("cannot be replayed: ") << refusal.message;
      for (auto [before, now] : llvm::zip(recorded, done))
        if (before.after != now.after)
          return transition.emitError("replay of ")
                 << now.kind << " has hash " << now.after << ", recorded was "
                 << before.after;
    }
    return success();
  }

  LogicalResult other(ModuleOp module, LineageOp lineage,
                      const StepContext &context) {
    FailureOr<GateOptions> gate =
        gateOptions(module, executor, {timeout, false, profile, memory, nan});
    if (failed(gate))
      return failure();
    OwningOpRef<ModuleOp> kernel = readModule(module, on);
    if (!kernel || failed(importState(*kernel)))
      return failure();
    FailureOr<func::FuncOp> entry = lookupEntry(*kernel);
    OwningOpRef<ModuleOp> result = ModuleOp::create(module.getLoc());
    LineageOp made =
        createLineage(*result, *kernel, entry->getSymName(),
                      lineage.getTarget().getChip(), DictionaryAttr());
    std::vector<AppliedStep> path;
    for (StateOp state : pathTo(lineage, lineage.getCurrent())) {
      TransitionOp transition = lineage.getTransitionTo(state);
      if (transition &&
          failed(transfer(made, transition, context, *gate, path)))
        return failure();
    }
    module.getBody()->clear();
    module.getBodyRegion().takeBody(result->getBodyRegion());
    return success();
  }

  LogicalResult transfer(LineageOp made, TransitionOp transition,
                         const StepContext &context, const GateOptions &gate,
                         std::vector<AppliedStep> &path) {
    StateOp before = made.getCurrent();
    OwningOpRef<ModuleOp> state = before.getModule().clone();
    std::vector<AppliedStep> done;
    StepRefusal refusal;
    ModuleOp recorded = transition->getParentOfType<LineageOp>()
                            .lookupState(transition.getBefore())
                            .getModule();
    if (failed(redoSteps(*state, stepsOf(transition), context, done, refusal,
                         recorded)))
      return transition.emitError("does not apply to '")
             << on << "': " << refusal.message;
    path.insert(path.end(), done.begin(), done.end());
    SmallVector<ClauseResult> kernels = flatten(
        proveKernels(*state, made.getReference().getModule(), context.target));
    if (std::string why = refutation(kernels); !why.empty())
      return transition.emitError("is illegal on '") << on << "': " << why;
    Verdict verdict =
        judge(makeRequest(made.getReference().getModule(), before.getModule(),
                          *state, path, context, gate),
              getContext().getDialectRegistry());
    if (verdict.kind != VerdictKind::accepted)
      return transition.emitError("is ")
             << stringifyVerdictKind(verdict.kind) << " on '" << on
             << "': " << verdict.message;
    TransitionRecord record;
    record.before = before;
    record.after = appendState(made, *state, featuresAfter(transition));
    record.skill = transition.getSkill().str();
    record.anchor = transition.getAnchor();
    record.knobs = transition.getKnobs();
    record.verdict = toAttr(&getContext(), verdict);
    record.certificate = certify(&getContext(), done, kernels, verdict);
    record.evidence = evidenceOf(made, record.certificate.getLevel(), verdict);
    record.reversible = isReversible(*state, done, context);
    done.back().clauses.append(kernels);
    appendTransition(made, record, done);
    return success();
  }
};

struct Undo : klineage::impl::UndoPassBase<Undo> {
  using UndoPassBase::UndoPassBase;

  void runOnOperation() override {
    FailureOr<LineageOp> lineage = lookupLineage(getOperation());
    if (failed(lineage) || failed(checkHashes(*lineage)))
      return signalPassFailure();
    StateOp current = lineage->getCurrent();
    TransitionOp transition = lineage->getTransitionTo(current);
    if (!transition) {
      lineage->emitError("has no transition to undo");
      return signalPassFailure();
    }
    StepContext context{*lookupTarget(lineage->getTarget().getChip()), true};
    OwningOpRef<ModuleOp> state = current.getModule().clone();
    std::vector<AppliedStep> steps = stepsOf(transition);
    for (const AppliedStep &step : llvm::reverse(steps))
      if (failed(undoStep(*state, step, context)))
        return signalPassFailure();
    StateOp before = lineage->lookupState(transition.getBefore());
    if (hashState(*state) != before.getSha256()) {
      transition.emitError("undone has another hash than @")
          << before.getSymName();
      return signalPassFailure();
    }
    for (auto trial :
         llvm::make_early_inc_range(lineage->getBody().getOps<TrialOp>()))
      if (trial.getBefore() == current.getSymName())
        trial.erase();
    transition.erase();
    current.erase();
  }
};

} // namespace
