//===- Apply.cpp - The pass klineage-apply
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Passes/Passes.h"
#include "KLineage/Search/Search.h"
#include "KLineage/Support/Interrupt.h"
#include "KLineage/Support/OutputFile.h"
#include "PassDialects.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Process.h"

namespace klineage {
#define GEN_PASS_DEF_APPLYPASS
#include "KLineage/Passes/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {

struct Apply : klineage::impl::ApplyPassBase<Apply> {
  using ApplyPassBase::ApplyPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (budget < 0 || settings < 1) {
      module.emitError(budget < 0 ? "budget must not be negative"
                                  : "settings must be positive");
      return signalPassFailure();
    }
    FailureOr<GateOptions> gate =
        gateOptions(module, executor, {timeout, false, profile, memory, nan});
    if (failed(gate))
      return signalPassFailure();
    FailureOr<LineageOp> lineage = openLineage(module, chip);
    if (failed(lineage))
      return signalPassFailure();
    const TargetInfo *target = lookupTarget(lineage->getTarget().getChip());
    llvm::Expected<std::vector<Skill>> library =
        loadSkills(skills, &getContext());
    if (!library) {
      module.emitError() << llvm::toString(library.takeError());
      return signalPassFailure();
    }
    StepContext context{*target, guards};
    SearchOptions options;
    options.budget = budget;
    options.settings = settings;
    options.gate = *gate;
    if (progress || llvm::sys::Process::StandardErrIsDisplayed())
      options.progress = [](StringRef line) { llvm::errs() << line << "\n"; };
    if (!checkpoint.empty())
      options.checkpoint = [&] { return save(module, *lineage, "unfinished"); };
    Search search(*lineage, *library, context, std::move(options),
                  getContext().getDialectRegistry());
    llvm::Expected<std::string> ended = search.run();
    if (ended && !checkpoint.empty())
      if (llvm::Error error = save(module, *lineage, *ended))
        ended = std::move(error);
    if (!ended) {
      module.emitError() << llvm::toString(ended.takeError());
      return signalPassFailure();
    }
    setEnded(*lineage, *ended);
    if (lineage->getBody().getOps<TransitionOp>().empty() && !interrupted())
      warn(*lineage, search);
  }

private:
  /// Nothing was applied: says why, skill by skill.
  static void warn(LineageOp lineage, const Search &search) {
    InFlightDiagnostic warning =
        lineage.emitWarning("no skill was applied to '")
        << lineage.getSymName() << "'";
    for (auto &[skill, why] : search.getUnanchored())
      warning.attachNote() << skill << ": " << why;
    llvm::SetVector<std::pair<StringRef, StringRef>> said;
    for (auto trial : lineage.getBody().getOps<TrialOp>())
      if (said.insert({trial.getSkill(), trial.getVerdict().getMessage()}))
        warning.attachNote()
            << trial.getSkill() << ": "
            << stringifyVerdictKind(trial.getVerdict().getKind()) << ": "
            << trial.getVerdict().getMessage();
  }

  static void setEnded(LineageOp lineage, StringRef why) {
    lineage->setAttr("klineage.ended",
                     StringAttr::get(lineage.getContext(), why));
  }

  /// Writes all that is known so far: a killed run goes on from there.
  llvm::Error save(ModuleOp module, LineageOp lineage, StringRef why) {
    setEnded(lineage, why);
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    os << "\n";
    return writeOutputFile(checkpoint, text);
  }
};

} // namespace
