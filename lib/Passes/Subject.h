//===- Subject.h - The state that a pass is about
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_PASSES_SUBJECT_H
#define KLINEAGE_LIB_PASSES_SUBJECT_H

#include "KLineage/Support/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace klineage {

struct Subject {
  mlir::ModuleOp state, reference; ///< the same if the module is no lineage
  const TargetInfo *target;
};

/// The state called `state` (a name, first or last) of the lineage in `module`,
/// or the module itself if it holds none. An empty `chip` is the lineage's, or
/// sm_90a. Emits one error on failure.
mlir::FailureOr<Subject> selectSubject(mlir::ModuleOp module,
                                       llvm::StringRef state,
                                       llvm::StringRef chip);

/// The module in another file. Emits one error on failure: at `op` if the file
/// cannot be opened, else at the place in the file.
mlir::OwningOpRef<mlir::ModuleOp> readModule(mlir::Operation *op,
                                             llvm::StringRef path);

} // namespace klineage

#endif // KLINEAGE_LIB_PASSES_SUBJECT_H
