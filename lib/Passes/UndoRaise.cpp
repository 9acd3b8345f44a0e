//===- UndoRaise.cpp - Kernels become linalg on whole buffers
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Raise.h"
#include "KLineage/Analysis/Symbolic/Normalize.h"
#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Gate/Extents.h"
#include "KLineage/State/State.h"
#include "Undo.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace klineage;

namespace {
class Raise final : public Undo {
public:
  StringRef getName() const override { return "raise"; }

  /// One place, the whole state, if anything in it is a kernel or becomes one
  /// by a schedule of its own.
  SmallVector<int64_t> places(ModuleOp state) const override {
    bool found = state
                     .walk([](Operation *op) {
                       return isa<gpu::GPUFuncOp, scf::ForallOp, scf::ForOp>(op)
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted();
    return found ? SmallVector<int64_t>{0} : SmallVector<int64_t>{};
  }

  std::optional<UndoResult> apply(ModuleOp state, int64_t, ModuleOp reference,
                                  const TargetInfo &target,
                                  std::string &why) const override {
    OwningOpRef<ModuleOp> kernels = state.clone();
    ScopedDiagnosticHandler quiet(state.getContext(), [&](Diagnostic &d) {
      why = d.str();
      return success();
    });
    if (failed(buildKernels(*kernels, target)))
      return std::nullopt;
    FailureOr<func::FuncOp> entry = lookupEntry(*kernels);
    if (failed(entry))
      return std::nullopt;
    ExtentTies ties = tiedExtents(reference);
    std::optional<UndoResult> result;
    std::string hash;
    std::vector<HostCase> open(1);
    while (!open.empty()) {
      HostCase which = open.back();
      open.pop_back();
      std::optional<UndoResult> one = raiseCase(*entry, ties, which, open, why);
      if (!one && why.empty())
        continue; // It falls into other cases.
      if (!one || failed(normalizeState(*one->state)))
        return std::nullopt;
      std::string now = hashState(*one->state);
      if (result && hash != now) {
        why = "what it computes depends on whether extents are multiples";
        return std::nullopt;
      }
      if (result)
        one->numerics = compose(one->numerics, result->numerics);
      result = std::move(one);
      hash = now;
    }
    return result;
  }

private:
  /// Nothing, without `why`, if the case falls into others.
  static std::optional<UndoResult>
  raiseCase(func::FuncOp entry, const ExtentTies &ties, const HostCase &which,
            std::vector<HostCase> &open, std::string &why) {
    sym::Arena arena;
    HostSymbols symbols(arena, ties, which);
    HostSummary summary = summarizeHost(entry, symbols, which.branches);
    why.clear();
    if (summary.split) {
      for (bool taken : {false, true})
        open.push_back(which.split(*summary.split, summary.branches, taken));
      return std::nullopt;
    }
    if (summary.refusal) {
      why = summary.refusal->reason;
      return std::nullopt;
    }
    // The first level whose form has no more than linalg can say.
    for (sym::Level level : {sym::Level::exact, sym::Level::reassociated}) {
      sym::Normalizer normal(arena, level);
      std::map<uint64_t, sym::Term> outputs;
      bool exact = level == sym::Level::exact;
      for (uint64_t number : summary.outputs) {
        outputs[number] = normal.apply(*summary.arrays[number].value);
        exact &= !sym::mayContract(arena, outputs[number]);
      }
      std::string reason;
      UndoResult result;
      result.state = raiseToLinalg(arena, summary, outputs, entry, reason);
      result.numerics = exact ? Numerics::bit_exact : Numerics::reassociating;
      if (result.state) {
        why.clear();
        return result;
      }
      why = reason;
    }
    return std::nullopt;
  }
};
} // namespace

const Undo &klineage::raiseUndo() {
  static const Raise undo;
  return undo;
}
