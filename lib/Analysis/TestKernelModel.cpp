//===- TestKernelModel.cpp - Test passes that print the kernel model and its
// clauses
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/KernelClauses.h"
#include "KLineage/Analysis/TestPasses.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace klineage;

namespace {

struct TestKernelModel : PassWrapper<TestKernelModel, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestKernelModel)
  StringRef getArgument() const override {
    return "test-klineage-kernel-model";
  }
  StringRef getDescription() const override {
    return "Print accesses, domains and barrier counters of all kernels";
  }
  void runOnOperation() override {
    getOperation().walk([](gpu::GPUFuncOp kernel) {
      printKernelModel(buildKernelModel(kernel, findLaunch(kernel)),
                       llvm::outs());
    });
  }
};

struct TestProve : PassWrapper<TestProve, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestProve)
  StringRef getArgument() const override { return "test-klineage-prove"; }
  StringRef getDescription() const override {
    return "Print the results of all kernel clauses";
  }
  void runOnOperation() override {
    getOperation().walk([](gpu::GPUFuncOp kernel) {
      KernelModel model = buildKernelModel(kernel, findLaunch(kernel));
      for (const ClauseResult &result : evaluateKernel(model, {})) {
        llvm::outs() << kernel.getName() << ": " << result.name << " "
                     << stringifyTruth(result.truth);
        if (result.truth != Truth::proved)
          llvm::outs() << ": " << result.found;
        llvm::outs() << "\n";
      }
    });
  }
};

} // namespace

void klineage::registerAnalysisTestPasses() {
  PassRegistration<TestKernelModel>();
  PassRegistration<TestProve>();
}
