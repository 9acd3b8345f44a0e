//===- Prove.cpp - The pass klineage-prove
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Lineage/LineageEditor.h"
#include "KLineage/Passes/Passes.h"
#include "KLineage/Passes/TextOutput.h"
#include "KernelProofs.h"
#include "PassDialects.h"

namespace klineage {
#define GEN_PASS_DEF_PROVEPASS
#include "KLineage/Passes/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {
struct Prove : klineage::impl::ProvePassBase<Prove> {
  using ProvePassBase::ProvePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    ModuleOp subject = module, reference = module;
    std::string chipName = chip.empty() ? "sm_90a" : chip.getValue();
    if (!module.getOps<LineageOp>().empty()) {
      FailureOr<LineageOp> lineage = lookupLineage(module);
      if (failed(lineage) || failed(checkHashes(*lineage)))
        return signalPassFailure();
      FailureOr<StateOp> selected = selectState(*lineage, state);
      if (failed(selected))
        return signalPassFailure();
      subject = selected->getModule();
      reference = lineage->getReference().getModule();
      if (chip.empty())
        chipName = lineage->getTarget().getChip().str();
    }
    const TargetInfo *target = lookupTarget(chipName);
    if (!target) {
      module.emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    for (const KernelReport &report : proveKernels(subject, reference, *target))
      for (const ClauseResult &clause : report.clauses)
        print(report.kernel, clause);
  }

private:
  void print(StringRef kernel, const ClauseResult &clause) {
    llvm::raw_ostream &os = textOutput();
    os << kernel << ": " << clause.name << " " << stringifyTruth(clause.truth)
       << " (" << clause.engine << ")";
    if (clause.truth != Truth::proved)
      os << ": " << clause.found;
    os << "\n";
    for (const std::string &fact : clause.assumptions)
      os << "  assumes " << fact << "\n";
  }
};
} // namespace
