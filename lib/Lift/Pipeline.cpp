//===- Pipeline.cpp - The pipeline klineage-lift
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lift/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace klineage;

namespace {
struct LiftOptions : PassPipelineOptions<LiftOptions> {
  Option<std::string> launch{*this, "launch",
                             llvm::cl::desc("JSON file: launch description")};
  Option<std::string> command{*this, "command",
                              llvm::cl::desc("Command line to record")};
  Option<std::string> fix{*this, "fix",
                          llvm::cl::desc("Extents to make constant")};
  Option<bool> strict{*this, "strict",
                      llvm::cl::desc("Fail if an llvm operation is left"),
                      llvm::cl::init(false)};
  Option<bool> delinearize{*this, "delinearize",
                           llvm::cl::desc("Matrices get two dimensions"),
                           llvm::cl::init(false)};
  Option<bool> assumeNoWrap{
      *this, "assume-no-wrap",
      llvm::cl::desc("Assume that integers do not wrap, and stamp it"),
      llvm::cl::init(false)};
};
} // namespace

static void buildPipeline(OpPassManager &pm, const LiftOptions &options) {
  LiftFuncPassOptions func;
  func.launch = options.launch;
  func.command = options.command;
  pm.addPass(createLiftFuncPass(func));
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  auto clean = [&] {
    kernels.addPass(createCanonicalizerPass());
    kernels.addPass(createCSEPass());
  };
  kernels.addPass(createLiftAsmPass());
  kernels.addPass(createLiftArithPass());
  kernels.addPass(createLiftNvvmPass());
  kernels.addPass(createLiftMemoryPass());
  clean();
  kernels.addPass(createLiftStructurePass());
  clean();
  // A bound that changes is no bound: what does not change goes outside first.
  kernels.addPass(createLoopInvariantCodeMotionPass());
  LiftForPassOptions loops;
  loops.assumeNoWrap = options.assumeNoWrap;
  kernels.addPass(createLiftForPass(loops));
  clean();
  LiftIndexPassOptions index;
  index.assumeNoWrap = options.assumeNoWrap;
  kernels.addPass(createLiftIndexPass(index));
  clean();
  LiftLaunchPassOptions launch;
  launch.fix = options.fix;
  pm.addPass(createLiftLaunchPass(launch));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (options.delinearize) {
    pm.addPass(createLiftDelinearizePass());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  }
  LiftVerifyPassOptions verify;
  verify.strict = options.strict;
  pm.addPass(createLiftVerifyPass(verify));
}

void klineage::registerLiftPipeline() {
  PassPipelineRegistration<LiftOptions>(
      "klineage-lift", "Lift kernels from imported LLVM IR (docs/lifting.md)",
      buildPipeline);
}
