//===- Equivalent.cpp - The pass klineage-equivalent
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
#include "KernelProofs.h"
#include "PassDialects.h"
#include "Subject.h"
#include "mlir/Parser/Parser.h"

namespace klineage {
#define GEN_PASS_DEF_EQUIVALENTPASS
#include "KLineage/Passes/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {
/// A state with its kernels.
struct Side {
  Subject subject;
  OwningOpRef<ModuleOp> kernels;
  func::FuncOp entry;
};

/// A case of the sizes, and which way the second entry's branches go.
struct OpenCase {
  HostCase which;
  std::vector<bool> second;
};

} // namespace

static std::string whyUnknown(const HostSummary &summary) {
  return summary.refusal ? summary.refusal->reason : "";
}

/// The first level at which all outputs agree, or why there is none.
static std::optional<sym::Level> levelOf(sym::Arena &arena, HostSummary &a,
                                         HostSummary &b, std::string &why) {
  if (a.outputs != b.outputs) {
    why = "different arguments are stored to";
    return std::nullopt;
  }
  for (sym::Level level :
       {sym::Level::exact, sym::Level::contracted, sym::Level::reassociated}) {
    sym::Normalizer normal(arena, level);
    why.clear();
    for (uint64_t number : a.outputs) {
      sym::Term x = normal.apply(*a.arrays[number].value),
                y = normal.apply(*b.arrays[number].value);
      if (x == y || !why.empty())
        continue;
      sym::Printer printer(arena, 300);
      why = a.arrays[number].name + " is " + printer.str(x) + " and " +
            printer.str(y);
    }
    if (!arena.failure().empty())
      why = arena.failure().str();
    if (why.empty())
      return level;
  }
  return std::nullopt;
}

/// Clauses that lock step takes for granted.
static std::string unproved(const Side &side, ModuleOp reference) {
  for (const KernelReport &report :
       proveKernels(side.subject.state, reference, *side.subject.target))
    for (const ClauseResult &clause : report.clauses)
      if (clause.truth != Truth::proved &&
          (clause.name == "in_bounds" || clause.name == "barrier_uniform" ||
           clause.name == "kernels" || clause.name == "race_free_shared" ||
           clause.name == "race_free_global"))
        return report.kernel + ": " + clause.name + " is " +
               stringifyTruth(clause.truth).str() + ": " + clause.found;
  return "";
}

namespace {
struct Equivalent : klineage::impl::EquivalentPassBase<Equivalent> {
  using EquivalentPassBase::EquivalentPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation(), other = module;
    OwningOpRef<ModuleOp> owned;
    if (!with.empty()) {
      owned = parseSourceFile<ModuleOp>(with, &getContext());
      if (!owned) {
        module.emitError("cannot read '") << with << "'";
        return signalPassFailure();
      }
      other = *owned;
    }
    Side a, b;
    if (failed(build(module, from, a)) || failed(build(other, to, b)))
      return signalPassFailure();
    if (a.entry.getFunctionType() != b.entry.getFunctionType()) {
      other.emitError("expected an entry of type ")
          << a.entry.getFunctionType() << ", found "
          << b.entry.getFunctionType();
      return signalPassFailure();
    }
    ModuleOp reference = a.subject.reference;
    std::string clause = unproved(a, reference);
    if (clause.empty())
      clause = unproved(b, reference);
    if (!clause.empty()) {
      textOutput() << "unknown: " << clause << "\n";
      return;
    }
    ExtentTies ties = tiedExtents(reference);
    std::vector<OpenCase> open(1);
    while (!open.empty()) {
      OpenCase which = open.back();
      open.pop_back();
      compare(a, b, ties, which, open);
    }
  }

private:
  LogicalResult build(ModuleOp module, StringRef name, Side &side) {
    FailureOr<Subject> subject = selectSubject(module, name, chip);
    if (failed(subject))
      return failure();
    side.subject = *subject;
    side.kernels = subject->state.clone();
    if (failed(buildKernels(*side.kernels, *subject->target)))
      return failure();
    FailureOr<func::FuncOp> entry = lookupEntry(*side.kernels);
    if (failed(entry))
      return failure();
    side.entry = *entry;
    return success();
  }

  void compare(Side &a, Side &b, const ExtentTies &ties, const OpenCase &which,
               std::vector<OpenCase> &open) {
    sym::Arena arena;
    HostSymbols symbols(arena, ties, which.which);
    HostSummary x = summarizeHost(a.entry, symbols, which.which.branches);
    if (x.split) {
      for (bool taken : {false, true})
        open.push_back(
            {which.which.split(*x.split, x.branches, taken), which.second});
      return;
    }
    HostSummary y = summarizeHost(b.entry, symbols, which.second);
    if (y.split) {
      OpenCase otherwise = which, multiple = which;
      otherwise.second = y.branches;
      otherwise.second.push_back(false);
      multiple.second = y.branches;
      multiple.which.factors[y.split->extent] = y.split->factor;
      open.push_back(otherwise);
      open.push_back(multiple);
      return;
    }
    std::string why = whyUnknown(x);
    if (why.empty())
      why = whyUnknown(y);
    std::optional<sym::Level> level;
    if (why.empty())
      level = levelOf(arena, x, y, why);
    llvm::raw_ostream &os = textOutput();
    if (std::string text = which.which.str(); !text.empty())
      os << "for " << text << ": ";
    if (!level) {
      os << "unknown: " << why << "\n";
      return;
    }
    os << "equal (" << sym::nameOf(*level) << ")\n";
    x.assumptions.insert(y.assumptions.begin(), y.assumptions.end());
    for (const std::string &assumption : x.assumptions)
      os << "  assumes " << assumption << "\n";
  }
};
} // namespace
