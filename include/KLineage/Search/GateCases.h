//===- GateCases.h - From states and steps to what the gate compares
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_SEARCH_GATECASES_H
#define KLINEAGE_SEARCH_GATECASES_H

#include "KLineage/Dialect/KLineage/KLineage.h"
#include "KLineage/Gate/Gate.h"
#include "KLineage/Steps/StepKind.h"

namespace klineage {

/// How candidates are judged, whatever they are.
struct GateOptions {
  double timeoutSeconds = 120;
  bool onDevice = false; ///< on a GPU, too
  bool profile = true;   ///< with `onDevice`
  int64_t memoryMiB = 0; ///< for the child; 0: as the machine has
  bool nan = false;      ///< NaN among the inputs
};

/// Options of a pass, with `onDevice` by `executor`. Emits one error at `op`.
mlir::FailureOr<GateOptions> gateOptions(mlir::Operation *op,
                                         llvm::StringRef executor,
                                         const GateOptions &options);

/// Everything that the gate needs to judge the state that `steps` make of
/// `reference`. Kernels with too much work for the CPU are judged on smaller
/// extents, for which the steps are done again; the verdict's domain says so.
/// `baseline` is the state before the last transition, for the profile.
GateRequest makeRequest(mlir::ModuleOp reference, mlir::ModuleOp baseline,
                        mlir::ModuleOp candidate,
                        llvm::ArrayRef<AppliedStep> steps,
                        const StepContext &context, const GateOptions &options);

/// Elements that one trip of the steps' tiles, strips and threads covers at
/// most: dynamic extents must reach beyond it.
int64_t largestTile(llvm::ArrayRef<AppliedStep> steps);

/// Does recorded steps again, by position. On failure `refusal` says why.
/// On another module than the one they were recorded on, name that one as
/// `recorded`: they are done there too, to tell which operations are meant.
mlir::LogicalResult
redoSteps(mlir::ModuleOp state, llvm::ArrayRef<AppliedStep> steps,
          const StepContext &context, std::vector<AppliedStep> &done,
          StepRefusal &refusal, mlir::ModuleOp recorded = {});

/// Terms of the longest sum of a state; 256 where an extent is dynamic.
int64_t longestReduction(mlir::ModuleOp state);

std::string printState(mlir::ModuleOp state);

VerdictAttr toAttr(mlir::MLIRContext *context, const Verdict &verdict);

/// proved where every clause of the steps and of the kernels was, guarded with
/// a guard, tested where a kernel clause is unknown; with assumptions and
/// sizes.
CertificateAttr certify(mlir::MLIRContext *context,
                        llvm::ArrayRef<AppliedStep> steps,
                        llvm::ArrayRef<ClauseResult> kernels,
                        const Verdict &verdict);

/// What the profile stage measured, or null.
EvidenceAttr evidenceOf(LineageOp lineage, CertificateLevel level,
                        const Verdict &verdict);

/// True if all steps can be undone and redone with identical hashes.
bool isReversible(mlir::ModuleOp candidate, llvm::ArrayRef<AppliedStep> steps,
                  const StepContext &context);

} // namespace klineage

#endif // KLINEAGE_SEARCH_GATECASES_H
