//===- CheckLift.cpp - The pass klineage-check-lift
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckRun.h"
#include "KLineage/Lift/Passes.h"
#include "KLineage/Passes/TextOutput.h"
#include "Mutate.h"
#include "Utils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace klineage {
#define GEN_PASS_DEF_CHECKLIFTPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {
struct CheckLift : klineage::impl::CheckLiftPassBase<CheckLift> {
  using CheckLiftPassBase::CheckLiftPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    gpu::GPUFuncOp kernel;
    module.walk([&](gpu::GPUFuncOp op) {
      if (op->hasAttr(kLaunchAttr))
        kernel = op;
    });
    const TargetInfo *target = lookupTarget(chip);
    if (!kernel || original.empty() || !target) {
      module.emitError(!target  ? "unknown chip"
                       : kernel ? "name the LLVM IR of the original: original="
                                : "no kernel has a launch description");
      return signalPassFailure();
    }
    auto launch = LaunchDescription::parse(
        kernel->getAttrOfType<StringAttr>(kLaunchAttr).getValue());
    if (!launch) {
      kernel.emitError("launch description: ")
          << llvm::toString(launch.takeError());
      return signalPassFailure();
    }
    auto result = compareLift(original, module, *launch, *target);
    if (!result) {
      kernel.emitError("cannot check: ") << llvm::toString(result.takeError());
      return signalPassFailure();
    }
    if (!result->equal) {
      kernel.emitError("differs from the original: ") << result->message;
      return signalPassFailure();
    }
    textOutput() << "check-lift: " << launch->kernel
                 << ": equal: " << result->runs << " runs, " << result->bytes
                 << " bytes";
    if (result->originalFindings)
      textOutput() << ", findings in the original: "
                   << result->originalFindings;
    textOutput() << "\n";
    if (mutate && failed(score(*launch, *target)))
      signalPassFailure();
  }

private:
  LogicalResult score(const LaunchDescription &launch,
                      const TargetInfo &target) {
    auto result = scoreMutations(getOperation(), original, launch, target);
    if (!result)
      return getOperation().emitError(llvm::toString(result.takeError()));
    textOutput() << "mutations: " << result->caught << " of " << result->total
                 << " caught";
    if (result->endless)
      textOutput() << ", " << result->endless << " by the deadline";
    textOutput() << "\n";
    for (const std::string &line : result->missed)
      textOutput() << "  not caught: " << line << "\n";
    return success();
  }
};
} // namespace
