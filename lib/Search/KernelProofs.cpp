//===- KernelProofs.cpp - Kernel clauses of a whole state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Search/KernelProofs.h"
#include "KLineage/Analysis/KernelClauses.h"
#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Gate/Extents.h"

using namespace mlir;
using namespace klineage;

std::vector<KernelReport> klineage::proveKernels(ModuleOp state,
                                                 ModuleOp reference,
                                                 const TargetInfo &target) {
  std::vector<KernelReport> reports;
  std::string message;
  Location place = state.getLoc();
  OwningOpRef<ModuleOp> copy = state.clone();
  bool built;
  {
    ScopedDiagnosticHandler quiet(state.getContext(), [&](Diagnostic &d) {
      message = d.str();
      place = d.getLocation();
      return success();
    });
    built = succeeded(buildKernels(*copy, target));
  }
  if (!built) {
    ClauseResult result(place);
    result.name = "kernels";
    result.expected = "the state has kernels";
    result.found = message;
    reports.push_back({"", {result}});
    return reports;
  }
  LaunchLimits limits;
  limits.threads = target.maxThreadsPerBlock;
  limits.sharedBytes = target.sharedOptInBytes;
  llvm::copy(target.maxBlockDim, limits.block.begin());
  llvm::copy(target.maxGridDim, limits.grid.begin());
  ExtentTies ties = tiedExtents(reference);
  copy->walk([&](gpu::GPUFuncOp kernel) {
    KernelModel model = buildKernelModel(kernel, findLaunch(kernel), ties);
    reports.push_back({kernel.getName().str(), evaluateKernel(model, limits)});
  });
  return reports;
}

SmallVector<ClauseResult> klineage::flatten(ArrayRef<KernelReport> reports) {
  SmallVector<ClauseResult> list;
  for (const KernelReport &report : reports)
    for (ClauseResult clause : report.clauses) {
      if (clause.truth != Truth::proved && !report.kernel.empty())
        clause.found = report.kernel + ": " + clause.found;
      list.push_back(std::move(clause));
    }
  return list;
}

std::string klineage::refutation(ArrayRef<ClauseResult> clauses) {
  for (const ClauseResult &clause : clauses)
    if (clause.truth == Truth::refuted)
      return "kernel clause " + clause.name + " is refuted: " + clause.found;
  return "";
}
