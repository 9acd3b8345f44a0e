//===- Summarize.cpp - The pass klineage-summarize
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/HostSummary.h"
#include "KLineage/Analysis/Symbolic/Normalize.h"
#include "KLineage/Analysis/Symbolic/Print.h"
#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Gate/Extents.h"
#include "KLineage/Passes/Passes.h"
#include "KLineage/Passes/TextOutput.h"
#include "KLineage/State/State.h"
#include "PassDialects.h"
#include "Subject.h"

namespace klineage {
#define GEN_PASS_DEF_SUMMARIZEPASS
#include "KLineage/Passes/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {
struct Summarize : klineage::impl::SummarizePassBase<Summarize> {
  using SummarizePassBase::SummarizePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::optional<sym::Level> wanted = sym::levelOf(level);
    if (!wanted) {
      module.emitError("no such level '")
          << level << "'; known are exact, contracted and reassociated";
      return signalPassFailure();
    }
    FailureOr<Subject> subject = selectSubject(module, state, chip);
    if (failed(subject))
      return signalPassFailure();
    OwningOpRef<ModuleOp> copy = subject->state.clone();
    if (failed(buildKernels(*copy, *subject->target)))
      return signalPassFailure();
    FailureOr<func::FuncOp> entry = lookupEntry(*copy);
    if (failed(entry))
      return signalPassFailure();
    ExtentTies ties = tiedExtents(subject->reference);
    std::vector<HostCase> open(1);
    while (!open.empty()) {
      HostCase which = open.back();
      open.pop_back();
      if (!print(*entry, ties, which, *wanted, open))
        return signalPassFailure();
    }
  }

private:
  /// What the entry computes in one case, or the cases that it falls into.
  bool print(func::FuncOp entry, const ExtentTies &ties, const HostCase &which,
             sym::Level wanted, std::vector<HostCase> &open) {
    sym::Arena arena;
    HostSymbols symbols(arena, ties, which);
    HostSummary summary = summarizeHost(entry, symbols, which.branches);
    if (summary.split) {
      for (bool taken : {false, true})
        open.push_back(which.split(*summary.split, summary.branches, taken));
      return true;
    }
    if (summary.refusal) {
      emitError(summary.refusal->loc, "not summarized: ")
          << summary.refusal->reason;
      return false;
    }
    llvm::raw_ostream &os = textOutput();
    if (std::string text = which.str(); !text.empty())
      os << "for " << text << ":\n";
    sym::Printer printer(arena, limit), places(arena);
    printer.onLoad = [&](uint64_t array, sym::Poly offset) {
      return summary.arrays[array].name + "[" + places.str(offset) + "]";
    };
    sym::Normalizer normal(arena, wanted);
    for (uint64_t number : summary.outputs) {
      const HostArray &array = summary.arrays[number];
      os << array.name << "[";
      llvm::interleaveComma(array.shape.coordinates, os,
                            [&](sym::Poly p) { os << printer.str(p); });
      os << "] = " << printer.str(normal.apply(*array.value)) << "\n";
    }
    for (const std::string &assumption : summary.assumptions)
      os << "  assumes " << assumption << "\n";
    return true;
  }
};
} // namespace
