//===- TestNormalForm.cpp - A test pass that simplifies what a launch tells
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Testing/TestPasses.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace klineage;
using namespace klineage::testing;

namespace {

/// Builds the kernels, tells each one the constant sizes of its launch, and
/// simplifies by the ranges that follow. Two states with one normal form
/// compute the same.
class TestNormalFormPass
    : public PassWrapper<TestNormalFormPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestNormalFormPass)

  StringRef getArgument() const override { return "test-klineage-normal-form"; }
  StringRef getDescription() const override {
    return "Simplify kernels by what their launches tell";
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(buildKernels(module, *lookupTarget("sm_90a"))))
      return signalPassFailure();
    module.walk([&](gpu::GPUFuncOp kernel) { noteLaunch(module, kernel); });
    OpPassManager passes(ModuleOp::getOperationName());
    auto &kernels = passes.nest<gpu::GPUModuleOp>().nest<gpu::GPUFuncOp>();
    kernels.addPass(arith::createIntRangeOptimizationsPass());
    kernels.addPass(createCanonicalizerPass());
    kernels.addPass(createCSEPass());
    if (failed(runPipeline(passes, module)))
      signalPassFailure();
  }

private:
  static void noteLaunch(ModuleOp module, gpu::GPUFuncOp kernel) {
    SmallVector<gpu::LaunchFuncOp> launches;
    module.walk([&](gpu::LaunchFuncOp launch) {
      if (launch.getKernelName() == kernel.getName())
        launches.push_back(launch);
    });
    if (launches.size() != 1)
      return;
    gpu::KernelDim3 grid = launches[0].getGridSizeOperandValues(),
                    block = launches[0].getBlockSizeOperandValues();
    SmallVector<int32_t> sizes;
    for (Value size : {grid.x, grid.y, grid.z, block.x, block.y, block.z}) {
      std::optional<int64_t> constant = constantOf(size);
      if (!constant || *constant < 1 || *constant > INT32_MAX)
        return;
      sizes.push_back(int32_t(*constant));
    }
    Builder b(module.getContext());
    kernel.setKnownGridSizeAttr(
        b.getDenseI32ArrayAttr(ArrayRef(sizes).take_front(3)));
    kernel.setKnownBlockSizeAttr(
        b.getDenseI32ArrayAttr(ArrayRef(sizes).take_back(3)));
  }
};

} // namespace

void klineage::registerTestNormalFormPass() {
  PassRegistration<TestNormalFormPass>();
}
