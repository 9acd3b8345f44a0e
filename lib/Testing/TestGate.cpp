//===- TestGate.cpp - A test pass that judges a module
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Search/GateCases.h"
#include "KLineage/Testing/TestPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace klineage;

namespace {

/// Judges the module against a reference as `klineage-apply` does, and prints
/// the verdict.
class TestGatePass : public PassWrapper<TestGatePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestGatePass)
  TestGatePass() = default;
  TestGatePass(const TestGatePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-klineage-gate"; }
  StringRef getDescription() const override {
    return "Judge a state against a reference; print the verdict";
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const TargetInfo *target = lookupTarget(chip);
    std::optional<Numerics> declared = symbolizeNumerics(numerics);
    OwningOpRef<ModuleOp> state =
        parseSourceFile<ModuleOp>(reference, &getContext());
    if (!target || !declared || !state) {
      module.emitError(!target     ? "unknown chip"
                       : !declared ? "unknown numerics"
                                   : "cannot read the reference");
      return signalPassFailure();
    }
    GateOptions options;
    options.timeoutSeconds = timeout;
    GateRequest request =
        makeRequest(*state, *state, module, {}, StepContext{*target}, options);
    request.numerics = *declared;
    request.cases.clear();
    for (std::vector<int64_t> &sizes : chooseSizes(*state, {tile}))
      request.cases.push_back(
          {request.reference, request.subject, std::move(sizes)});
    Verdict verdict = judge(request, getContext().getDialectRegistry());
    llvm::errs() << "verdict: " << stringifyVerdictKind(verdict.kind) << " ("
                 << verdict.stage << "): " << verdict.message << "\n";
  }

private:
  Option<std::string> reference{*this, "reference",
                                llvm::cl::desc("File with state 0")};
  Option<std::string> numerics{*this, "numerics", llvm::cl::init("bit_exact"),
                               llvm::cl::desc("What the candidate declares")};
  Option<std::string> chip{*this, "chip", llvm::cl::init("sm_90a"),
                           llvm::cl::desc("Target chip")};
  Option<int64_t> tile{*this, "tile", llvm::cl::init(32),
                       llvm::cl::desc("Elements of the largest tile")};
  Option<double> timeout{*this, "timeout", llvm::cl::init(60),
                         llvm::cl::desc("Seconds")};
};

} // namespace

void klineage::registerTestGatePass() { PassRegistration<TestGatePass>(); }
