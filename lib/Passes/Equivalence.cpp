//===- Equivalence.cpp - Do two states compute the same
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Equivalence.h"
#include "KLineage/Analysis/HostSummary.h"
#include "KLineage/Analysis/Symbolic/Print.h"
#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Gate/Extents.h"
#include "KLineage/Search/GateCases.h"
#include "KLineage/Search/KernelProofs.h"
#include "KLineage/State/State.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace klineage;

bool Equivalence::equal() const {
  return !cases.empty() &&
         llvm::all_of(cases, [](auto &each) { return each.level.has_value(); });
}

std::optional<sym::Level> Equivalence::level() const {
  if (!equal())
    return std::nullopt;
  sym::Level weakest = sym::Level::exact;
  for (const EquivalenceCase &each : cases)
    weakest = std::max(weakest, *each.level);
  return weakest;
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
      if (x == y && level == sym::Level::exact && sym::mayContract(arena, x))
        why = "the backend may contract products";
      if (x == y || !why.empty())
        continue;
      sym::Printer printer(arena, 300), places(arena);
      printer.onLoad = [&](uint64_t array, sym::Poly offset) {
        return a.arrays[array].name + "[" + places.str(offset) + "]";
      };
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
static std::string unproved(ModuleOp state, ModuleOp reference,
                            const TargetInfo &target) {
  for (const KernelReport &report : proveKernels(state, reference, target))
    for (const ClauseResult &clause : report.clauses)
      if (clause.truth != Truth::proved &&
          (clause.name == "in_bounds" || clause.name == "barrier_uniform" ||
           clause.name == "kernels" || clause.name == "race_free_shared" ||
           clause.name == "race_free_global"))
        return report.kernel + ": " + clause.name + " is " +
               stringifyTruth(clause.truth).str() + ": " + clause.found;
  return "";
}

static int64_t alignmentOf(func::FuncOp entry, unsigned argument) {
  auto align = entry.getArgAttrOfType<IntegerAttr>(argument, "llvm.align");
  return align ? align.getInt() : 1;
}

/// What the second entry demands of its callers and the first one does not.
static std::string demandedMore(func::FuncOp a, func::FuncOp b) {
  for (unsigned i = 0; i < a.getNumArguments(); ++i)
    if (alignmentOf(b, i) > alignmentOf(a, i))
      return "argument " + std::to_string(i) + " must be aligned to " +
             std::to_string(alignmentOf(b, i)) + " bytes, in the other state " +
             "to " + std::to_string(alignmentOf(a, i));
  return "";
}

namespace {
/// A state with its kernels.
struct Side {
  OwningOpRef<ModuleOp> kernels;
  func::FuncOp entry;
};

/// A case of the sizes, and which way the second entry's branches go.
struct OpenCase {
  HostCase which;
  std::vector<bool> second;
};
} // namespace

static LogicalResult build(ModuleOp state, const TargetInfo &target,
                           Side &side) {
  side.kernels = state.clone();
  if (failed(buildKernels(*side.kernels, target)))
    return failure();
  FailureOr<func::FuncOp> entry = lookupEntry(*side.kernels);
  if (failed(entry))
    return failure();
  side.entry = *entry;
  return success();
}

/// Adds one case to `result`, or those that it falls into to `open`.
static void compareCase(Side &a, Side &b, const ExtentTies &ties,
                        const OpenCase &which, std::vector<OpenCase> &open,
                        Equivalence &result) {
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
  EquivalenceCase done;
  done.sizes = which.which.str();
  if (x.refusal)
    done.why = x.refusal->reason;
  else if (y.refusal)
    done.why = y.refusal->reason;
  else
    done.level = levelOf(arena, x, y, done.why);
  done.assumptions = x.assumptions;
  done.assumptions.insert(y.assumptions.begin(), y.assumptions.end());
  result.cases.push_back(std::move(done));
}

FailureOr<Equivalence> klineage::proveEquivalent(ModuleOp a, ModuleOp b,
                                                 ModuleOp reference,
                                                 const TargetInfo &target) {
  Side first, second;
  if (failed(build(a, target, first)) || failed(build(b, target, second)))
    return failure();
  if (first.entry.getFunctionType() != second.entry.getFunctionType())
    return b.emitError("expected an entry of type ")
           << first.entry.getFunctionType() << ", found "
           << second.entry.getFunctionType();
  Equivalence result;
  std::string clause = demandedMore(first.entry, second.entry);
  if (clause.empty())
    clause = unproved(a, reference, target);
  if (clause.empty())
    clause = unproved(b, reference, target);
  if (!clause.empty()) {
    result.cases.push_back({"", std::nullopt, clause, {}});
    result.unproved = true;
    return result;
  }
  ExtentTies ties = tiedExtents(reference);
  std::vector<OpenCase> open(1);
  while (!open.empty()) {
    OpenCase which = open.back();
    open.pop_back();
    compareCase(first, second, ties, which, open, result);
  }
  return result;
}

int64_t klineage::tileHint(ModuleOp state) {
  int64_t hint = 32;
  state.walk([&](arith::ConstantIndexOp constant) {
    if (constant.value() <= 128)
      hint = std::max(hint, constant.value());
  });
  return hint;
}

Verdict klineage::runBoth(ModuleOp a, ModuleOp b, const TargetInfo &target,
                          const SearchInputs &inputs) {
  GateRequest request;
  request.target = &target;
  request.numerics = Numerics::reassociating;
  request.timeoutSeconds = inputs.timeoutSeconds;
  request.seed = inputs.seed;
  request.reductionLength = longestReduction(a);
  std::string reference = printState(a), candidate = printState(b);
  for (std::vector<int64_t> &sizes :
       chooseSizes(a, {std::max(tileHint(a), tileHint(b))}))
    request.cases.push_back({reference, candidate, std::move(sizes)});
  return findDifference(request, a.getContext()->getDialectRegistry(),
                        inputs.checked);
}
