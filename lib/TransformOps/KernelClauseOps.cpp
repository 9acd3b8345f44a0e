//===- KernelClauseOps.cpp - Clauses that are decided on the kernels of a state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Banks.h"
#include "KLineage/Codegen/Codegen.h"
#include "KLineage/TransformOps/KLineageTransformOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace klineage;

ClauseResult transform::RequireBankConflictDegreeOp::evaluate(
    Operation *payload, DictionaryAttr params, const StepContext &context) {
  int64_t atMost = 32;
  if (auto value = params.getAs<IntegerAttr>("at_most"))
    atMost = value.getInt();
  ClauseResult worst(payload->getLoc());
  worst.name = "bank_conflict_degree";
  worst.clauseClass = ClauseClass::hardware;
  worst.expected = "kernels that can be built";
  auto own = payload->getParentOfType<gpu::GPUFuncOp>();
  ModuleOp state = payload->getParentOfType<ModuleOp>();
  if (!state)
    return worst;
  OwningOpRef<ModuleOp> copy = state.clone();
  ScopedDiagnosticHandler quiet(payload->getContext(), [&](Diagnostic &d) {
    worst.found = d.str();
    return success();
  });
  if (failed(buildKernels(*copy, context.target)))
    return worst;
  bool first = true;
  copy->walk([&](gpu::GPUFuncOp kernel) {
    if (own && kernel.getName() != own.getName())
      return;
    KernelModel model = buildKernelModel(kernel, findLaunch(kernel));
    ClauseResult result = bankConflictDegree(model, atMost);
    if (first ||
        (worst.truth == Truth::proved && result.truth != Truth::proved) ||
        result.truth == Truth::refuted)
      worst = result;
    first = false;
  });
  // The location is one of the copy: what the user reads is the payload's.
  worst.loc = payload->getLoc();
  return worst;
}
