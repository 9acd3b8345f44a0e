//===- KernelProofs.h - Kernel clauses of a whole state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_SEARCH_KERNELPROOFS_H
#define KLINEAGE_SEARCH_KERNELPROOFS_H

#include "KLineage/Analysis/Clause.h"
#include "KLineage/Support/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace klineage {

/// The clauses of one kernel.
struct KernelReport {
  std::string kernel;
  llvm::SmallVector<ClauseResult> clauses;
};

/// Builds the kernels of a copy of `state` and evaluates all kernel clauses.
/// `reference` says which extents are equal in every call. A state whose
/// kernels cannot be built has one clause `kernels`, unknown.
std::vector<KernelReport> proveKernels(mlir::ModuleOp state,
                                       mlir::ModuleOp reference,
                                       const TargetInfo &target);

/// All clauses in one list; those that are not proved name their kernel.
llvm::SmallVector<ClauseResult> flatten(llvm::ArrayRef<KernelReport> reports);

/// Why a kernel is illegal: the first refuted clause; empty if none is.
std::string refutation(llvm::ArrayRef<ClauseResult> clauses);

} // namespace klineage

#endif // KLINEAGE_SEARCH_KERNELPROOFS_H
