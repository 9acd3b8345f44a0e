//===- BarrierProof.cpp - A barrier on the kernel model
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierProof.h"
#include "KLineage/Analysis/BarrierInterval.h"
#include "KLineage/Analysis/KernelClauses.h"
#include "KLineage/Codegen/Codegen.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace klineage;

/// Found again by this name in the kernels.
constexpr llvm::StringLiteral kMark = "klineage.candidate";

/// The kernels of a copy of the state, and in them the barrier, which may have
/// become several or have been merged with another one: none then.
static OwningOpRef<ModuleOp> buildMarked(gpu::BarrierOp barrier,
                                         const TargetInfo &target,
                                         SmallVectorImpl<Operation *> &marked) {
  auto state = barrier->getParentOfType<ModuleOp>();
  if (!state)
    return nullptr;
  IRMapping mapping;
  OwningOpRef<ModuleOp> copy =
      cast<ModuleOp>(state->clone(mapping, Operation::CloneOptions::all()));
  Operation *twin = mapping.lookupOrNull(barrier.getOperation());
  if (!twin)
    return nullptr;
  twin->setAttr(kMark, UnitAttr::get(barrier.getContext()));
  ScopedDiagnosticHandler quiet(barrier.getContext(),
                                [](Diagnostic &) { return success(); });
  if (failed(buildKernels(*copy, target)))
    return nullptr;
  copy->walk([&](gpu::BarrierOp op) {
    if (op->hasAttr(kMark))
      marked.push_back(op);
  });
  return copy;
}

/// The clauses that a kernel without the barrier must keep.
static ClauseResult judge(gpu::GPUFuncOp kernel, ClauseResult result) {
  KernelModel model = buildKernelModel(kernel, findLaunch(kernel));
  for (const ClauseResult &clause : evaluateKernel(model, {})) {
    if (clause.clauseClass == ClauseClass::hardware || clause.name == "aligned")
      continue;
    if (clause.truth != Truth::proved) {
      result.found = "without it, " + clause.name + " is " +
                     stringifyTruth(clause.truth).str() + ": " + clause.found;
      return result;
    }
    for (const std::string &fact : clause.assumptions)
      if (!llvm::is_contained(result.assumptions, fact))
        result.assumptions.push_back(fact);
  }
  result.truth = Truth::proved;
  result.found = "no race without it";
  return result;
}

ClauseResult klineage::raceFreeBlock(gpu::BarrierOp barrier,
                                     const TargetInfo &target) {
  ClauseResult result = raceFreeWithout(barrier);
  if (result.truth == Truth::proved)
    return result;
  SmallVector<Operation *> marked;
  OwningOpRef<ModuleOp> built = buildMarked(barrier, target, marked);
  if (!built || marked.empty())
    return result;
  auto kernel = marked[0]->getParentOfType<gpu::GPUFuncOp>();
  if (!kernel || llvm::any_of(marked, [&](Operation *op) {
        return op->getParentOfType<gpu::GPUFuncOp>() != kernel;
      }))
    return result;
  for (Operation *op : marked)
    op->erase();
  result.engine = "kernel model";
  return judge(kernel, std::move(result));
}
