//===- Apply.cpp - The pass klineage-apply
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GateCases.h"
#include "KLineage/Lineage/LineageEditor.h"
#include "KLineage/Lineage/SkillLibrary.h"
#include "KLineage/Lineage/SkillRunner.h"
#include "KLineage/Passes/Passes.h"
#include "KLineage/State/State.h"
#include "PassDialects.h"
#include "llvm/Support/Process.h"

namespace klineage {
#define GEN_PASS_DEF_APPLYPASS
#include "KLineage/Passes/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {

/// The search from the current state of a lineage.
class Search {
public:
  Search(LineageOp lineage, std::vector<Skill> &skills,
         const StepContext &context, int64_t budget, const GateOptions &gate,
         const DialectRegistry &registry)
      : lineage(lineage), skills(skills), context(context), budget(budget),
        gate(gate), registry(registry) {
    for (StateOp state : pathTo(lineage, lineage.getCurrent()))
      if (TransitionOp transition = lineage.getTransitionTo(state))
        for (auto step : transition.getSteps().getOps<StepOp>())
          path.push_back(fromOp(step));
  }

  /// Why the search ended.
  std::string run() {
    while (budget > 0)
      if (!advance())
        return budget > 0 ? "no further skill applies" : "the budget is spent";
    return "the budget is spent";
  }

private:
  /// One accepted transition; false if there is none.
  bool advance() {
    StateOp current = lineage.getCurrent();
    ModuleOp state = current.getModule();
    for (Skill &skill : skills) {
      for (int64_t anchor : findAnchors(state, skill.op, context)) {
        SettingList settings =
            enumerateSettings(state, skill.op, anchor, context.target);
        if (settings.legal.empty())
          refuse(current, skill, anchor, settings.explanation);
        for (DictionaryAttr knobs : settings.legal) {
          if (budget <= 0)
            return false;
          if (!wasTried(current, skill, anchor, knobs) &&
              attempt(current, skill, anchor, knobs))
            return true;
        }
      }
    }
    return false;
  }

  bool wasTried(StateOp state, const Skill &skill, int64_t anchor,
                DictionaryAttr knobs) {
    return llvm::any_of(lineage.getBody().getOps<TrialOp>(),
                        [&](TrialOp trial) {
                          return trial.getBefore() == state.getSymName() &&
                                 trial.getSkill() == skill.name &&
                                 int64_t(trial.getAnchor()) == anchor &&
                                 trial.getKnobs() == knobs;
                        });
  }

  void refuse(StateOp state, const Skill &skill, int64_t anchor,
              const std::string &why) {
    DictionaryAttr none = DictionaryAttr::get(lineage.getContext());
    if (wasTried(state, skill, anchor, none))
      return;
    Verdict verdict;
    verdict.kind = VerdictKind::illegal;
    verdict.stage = "clauses";
    verdict.message = "no legal knob setting: " + why;
    appendTrial(lineage, state, skill.name, anchor, none,
                toAttr(lineage.getContext(), verdict), {});
  }

  bool attempt(StateOp current, Skill &skill, int64_t anchor,
               DictionaryAttr knobs) {
    MLIRContext *ctx = lineage.getContext();
    OwningOpRef<ModuleOp> candidate = current.getModule().clone();
    SkillOutcome outcome =
        runSkill(*candidate, skill.op, anchor, knobs, context);
    if (outcome.refusal) {
      Verdict verdict;
      verdict.kind = VerdictKind::illegal;
      verdict.stage = "clauses";
      verdict.message = outcome.refusal->message;
      progress(skill, knobs, verdict);
      appendTrial(lineage, current, skill.name, anchor, knobs,
                  toAttr(ctx, verdict), failing(outcome.refusal->clauses));
      return false;
    }
    std::vector<AppliedStep> all = path;
    all.insert(all.end(), outcome.steps.begin(), outcome.steps.end());
    Verdict verdict =
        judge(makeRequest(lineage.getReference().getModule(),
                          current.getModule(), *candidate, all, context, gate),
              registry);
    --budget;
    progress(skill, knobs, verdict);
    if (verdict.kind != VerdictKind::accepted) {
      appendTrial(lineage, current, skill.name, anchor, knobs,
                  toAttr(ctx, verdict), {});
      return false;
    }
    TransitionRecord record;
    record.before = current;
    record.after = appendState(lineage, *candidate, {});
    record.skill = skill.name;
    record.anchor = anchor;
    record.knobs = knobs;
    record.verdict = toAttr(ctx, verdict);
    record.certificate = certify(ctx, outcome.steps, verdict);
    record.reversible = isReversible(*candidate, outcome.steps, context);
    appendTransition(lineage, record, outcome.steps);
    path = std::move(all);
    return true;
  }

  static SmallVector<ClauseResult> failing(ArrayRef<ClauseResult> clauses) {
    SmallVector<ClauseResult> list;
    for (const ClauseResult &clause : clauses)
      if (clause.truth != Truth::proved)
        list.push_back(clause);
    return list;
  }

  void progress(const Skill &skill, DictionaryAttr knobs,
                const Verdict &verdict) {
    if (!llvm::sys::Process::StandardErrIsDisplayed())
      return;
    llvm::errs() << skill.name << " " << knobs << ": "
                 << stringifyVerdictKind(verdict.kind) << " ("
                 << verdict.message << "), budget " << budget << "\n";
  }

  LineageOp lineage;
  std::vector<Skill> &skills;
  const StepContext &context;
  int64_t budget;
  GateOptions gate;
  const DialectRegistry &registry;
  std::vector<AppliedStep> path;
};

struct Apply : klineage::impl::ApplyPassBase<Apply> {
  using ApplyPassBase::ApplyPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const TargetInfo *target = lookupTarget(chip);
    if (!target) {
      module.emitError("unknown chip '")
          << chip << "'; known are " << llvm::join(knownTargets(), ", ");
      return signalPassFailure();
    }
    FailureOr<GateOptions> gate =
        gateOptions(module, executor, profile, timeout);
    if (failed(gate))
      return signalPassFailure();
    FailureOr<LineageOp> lineage = prepare(module);
    if (failed(lineage))
      return signalPassFailure();
    llvm::Expected<std::vector<Skill>> library =
        loadSkills(skills, &getContext());
    if (!library) {
      module.emitError() << llvm::toString(library.takeError());
      return signalPassFailure();
    }
    StepContext context{*target, guards};
    Search search(*lineage, *library, context, budget, *gate,
                  getContext().getDialectRegistry());
    std::string ended = search.run();
    (*lineage)->setAttr("klineage.ended",
                        StringAttr::get(&getContext(), ended));
  }

private:
  /// The lineage of the module, or a new one that replaces the kernel.
  FailureOr<LineageOp> prepare(ModuleOp module) {
    if (!module.getOps<LineageOp>().empty()) {
      FailureOr<LineageOp> lineage = lookupLineage(module);
      if (failed(lineage) || failed(checkHashes(*lineage)))
        return failure();
      return lineage;
    }
    if (failed(importState(module)))
      return failure();
    FailureOr<func::FuncOp> entry = lookupEntry(module);
    OwningOpRef<ModuleOp> state = module.clone();
    std::string name = entry->getSymName().str();
    module.getBody()->clear();
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
    return createLineage(module, *state, name, chip, DictionaryAttr());
  }
};

} // namespace
