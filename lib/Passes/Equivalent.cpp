//===- Equivalent.cpp - The pass klineage-equivalent
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Equivalence.h"
#include "KLineage/Passes/Passes.h"
#include "KLineage/Passes/TextOutput.h"
#include "PassDialects.h"
#include "Subject.h"

namespace klineage {
#define GEN_PASS_DEF_EQUIVALENTPASS
#include "KLineage/Passes/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {
struct Equivalent : klineage::impl::EquivalentPassBase<Equivalent> {
  using EquivalentPassBase::EquivalentPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation(), other = module;
    OwningOpRef<ModuleOp> owned;
    if (!(timeout > 0)) {
      module.emitError("timeout must be positive");
      return signalPassFailure();
    }
    if (!with.empty()) {
      owned = readModule(module, with);
      if (!owned)
        return signalPassFailure();
      other = *owned;
    }
    FailureOr<Subject> a = selectSubject(module, from, chip);
    if (failed(a))
      return signalPassFailure();
    FailureOr<Subject> b = selectSubject(other, to, chip);
    if (failed(b))
      return signalPassFailure();
    FailureOr<Equivalence> result =
        proveEquivalent(a->state, b->state, a->reference, *a->target);
    if (failed(result))
      return signalPassFailure();
    Verdict runs;
    bool ran = check || (execute && !result->equal());
    if (ran)
      runs = runBoth(a->state, b->state, *a->target,
                     {timeout, seed, result->unproved});
    bool contradicts =
        runs.kind == VerdictKind::wrong || runs.kind == VerdictKind::unsafe;
    if (result->equal() && ran && contradicts) {
      module.emitError("equal by their summaries, but ")
          << runs.message << inputOf(runs);
      return signalPassFailure();
    }
    print(*result, ran, runs);
  }

private:
  /// The input of a run, and what else it showed.
  static std::string inputOf(const Verdict &runs) {
    std::string text;
    for (auto [i, line] : llvm::enumerate(runs.details))
      text += (i ? "; " : " on ") + line;
    return text;
  }

  void print(const Equivalence &result, bool ran, const Verdict &runs) {
    llvm::raw_ostream &os = textOutput();
    if (ran && runs.kind == VerdictKind::wrong) {
      os << "different: " << runs.message << "\n";
      for (auto [i, line] : llvm::enumerate(runs.details))
        os << (i ? "  also: " : "  input: ") << line << "\n";
      return;
    }
    for (const EquivalenceCase &each : result.cases) {
      if (!each.sizes.empty())
        os << "for " << each.sizes << ": ";
      if (!each.level) {
        os << "unknown: " << each.why << "\n";
        continue;
      }
      os << "equal (" << sym::nameOf(*each.level) << ")\n";
      for (const std::string &assumption : each.assumptions)
        os << "  assumes " << assumption << "\n";
    }
    if (!ran)
      return;
    os << "  run: " << runs.message;
    if (runs.kind == VerdictKind::accepted && runs.tolerance > 0)
      os << "; largest relative error " << llvm::format("%.2g", runs.maxError);
    os << "\n";
  }
};
} // namespace
