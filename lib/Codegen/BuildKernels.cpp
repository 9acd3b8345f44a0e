//===- BuildKernels.cpp - Stage A: from the forms of a state to kernels
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Codegen/Codegen.h"
#include "KLineage/State/State.h"
#include "Lowering.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace klineage;

/// gpu.launch regions of hand-written states, by the upstream pass.
static LogicalResult outlineGpuLaunches(ModuleOp state) {
  bool found = state.walk([](gpu::LaunchOp) { return WalkResult::interrupt(); })
                   .wasInterrupted();
  if (!found)
    return success();
  PassManager pm(state.getContext());
  pm.addPass(createGpuLaunchSinkIndexComputationsPass());
  pm.addPass(createGpuKernelOutliningPass());
  return pm.run(state);
}

static gpu::GPUModuleOp createKernelModule(ModuleOp state) {
  OpBuilder b = OpBuilder::atBlockEnd(state.getBody());
  std::string name = kKernelModule.str();
  while (SymbolTable::lookupSymbolIn(state, name))
    name += "_";
  auto module = gpu::GPUModuleOp::create(b, state.getLoc(), name);
  state->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                 b.getUnitAttr());
  return module;
}

static LogicalResult finishKernel(gpu::GPUFuncOp kernel,
                                  const TargetInfo &target) {
  return success(
      succeeded(lowerAsyncCopies(kernel)) && succeeded(lowerLinalg(kernel)) &&
      succeeded(unrollLoops(kernel)) && succeeded(lowerAllReduce(kernel)) &&
      succeeded(planMemory(kernel, target)));
}

LogicalResult klineage::buildKernels(ModuleOp state, const TargetInfo &target) {
  FailureOr<func::FuncOp> entry = lookupEntry(state);
  if (failed(entry) || failed(verifyEntry(*entry)) ||
      failed(outlineGpuLaunches(state)))
    return failure();
  annotateAlignment(state);
  if (failed(normalizeLaunches(*entry)) || failed(mapHostLinalg(*entry)))
    return failure();
  gpu::GPUModuleOp kernels = createKernelModule(state);
  if (failed(outlineBlockLoops(*entry, kernels)))
    return failure();
  if (kernels.getBody()->empty())
    kernels.erase();
  SmallVector<gpu::GPUFuncOp> functions;
  state.walk([&](gpu::GPUFuncOp kernel) { functions.push_back(kernel); });
  for (gpu::GPUFuncOp kernel : functions)
    if (failed(finishKernel(kernel, target)))
      return failure();
  PassManager pm(state.getContext());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  return pm.run(state);
}
