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
#include "KLineage/Search/KernelProofs.h"
#include "PassDialects.h"
#include "Subject.h"

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
    FailureOr<Subject> subject = selectSubject(module, state, chip);
    if (failed(subject))
      return signalPassFailure();
    std::vector<KernelReport> reports =
        proveKernels(subject->state, subject->reference, *subject->target);
    // What has no kernels is an error at its place, not a clause.
    if (!reports.empty() && reports.front().kernel.empty()) {
      const ClauseResult &failed = reports.front().clauses.front();
      emitError(failed.loc, failed.found);
      return signalPassFailure();
    }
    if (reports.empty())
      textOutput() << "the state has no kernels\n";
    for (const KernelReport &report : reports)
      for (const ClauseResult &clause : report.clauses)
        print(report.kernel, clause);
  }

private:
  void print(StringRef kernel, const ClauseResult &clause) {
    llvm::raw_ostream &os = textOutput();
    os << kernel << ": " << clause.name << " " << stringifyTruth(clause.truth)
       << " (" << clause.engine << ")";
    // A degree is of interest by itself.
    if (clause.truth != Truth::proved || clause.name == "bank_conflict_degree")
      os << ": " << clause.found;
    os << "\n";
    for (const std::string &fact : clause.assumptions)
      os << "  assumes " << fact << "\n";
  }
};
} // namespace
