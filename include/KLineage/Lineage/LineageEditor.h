//===- LineageEditor.h - Writing and reading lineages
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LINEAGE_LINEAGEEDITOR_H
#define KLINEAGE_LINEAGE_LINEAGEEDITOR_H

#include "KLineage/Dialect/KLineage/KLineage.h"
#include "KLineage/Steps/StepKind.h"
#include "mlir/IR/OwningOpRef.h"

namespace klineage {

/// A fresh lineage whose reference is a copy of `state`, appended to `parent`.
LineageOp createLineage(mlir::ModuleOp parent, mlir::ModuleOp state,
                        llvm::StringRef name, llvm::StringRef chip,
                        mlir::DictionaryAttr setup);

/// The lineage of `module`, its hashes checked; or if `module` is a kernel, a
/// new one that takes the kernel's place. An empty `chip` is the lineage's, or
/// sm_90a; another one than the lineage's is refused. Emits one error on
/// failure.
mlir::FailureOr<LineageOp> openLineage(mlir::ModuleOp module,
                                       llvm::StringRef chip);

/// Appends a copy of `state` as the next free `@sN`.
StateOp appendState(LineageOp lineage, mlir::ModuleOp state,
                    llvm::ArrayRef<std::string> features);

struct TransitionRecord {
  StateOp before, after;
  std::string skill;
  int64_t anchor = 0;
  mlir::DictionaryAttr knobs;
  CertificateAttr certificate;
  VerdictAttr verdict;
  EvidenceAttr evidence; ///< null if nothing was measured
  bool reversible = false;
};
TransitionOp appendTransition(LineageOp lineage, TransitionRecord record,
                              llvm::ArrayRef<AppliedStep> steps);

TrialOp appendTrial(LineageOp lineage, StateOp before, llvm::StringRef skill,
                    int64_t anchor, mlir::DictionaryAttr knobs,
                    VerdictAttr verdict, llvm::ArrayRef<ClauseResult> clauses);

/// The recorded form of a clause, and of a step read back from a lineage.
ClauseAttr toAttr(mlir::MLIRContext *context, const ClauseResult &clause);
AppliedStep fromOp(StepOp op);

/// The only lineage of `module`. Emits one error if there is none or several.
mlir::FailureOr<LineageOp> lookupLineage(mlir::ModuleOp module);

/// Checks every state against its hash; one error at the first that differs.
mlir::LogicalResult checkHashes(LineageOp lineage);

/// A state by name, "last" (the current one) or "first". Emits an error at the
/// lineage if there is none.
mlir::FailureOr<StateOp> selectState(LineageOp lineage, llvm::StringRef name);

} // namespace klineage

#endif // KLINEAGE_LINEAGE_LINEAGEEDITOR_H
