//===- Guard.h - Run-time guards that keep the old code
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_STEPS_GUARD_H
#define KLINEAGE_LIB_STEPS_GUARD_H

#include "KLineage/Steps/Utils.h"

namespace klineage {

/// Versions the body of a SIMT loop: `scf.if full { sizes constant } else { old
/// }`. `full` says that no tile is partial; it is the same for all threads of
/// the block. Returns the copy of `target` in the first branch. Call only if
/// `hasGuardableTiles` holds.
mlir::Operation *guardFullTiles(mlir::RewriterBase &rewriter,
                                mlir::scf::ForallOp threads,
                                mlir::Operation *target);

/// True if partial tiles in the body can be ruled out by a uniform condition,
/// and doing so makes sizes constant.
bool hasGuardableTiles(mlir::scf::ForallOp threads);

/// True if, behind that guard, every dynamic size of the view `buffer` equals
/// its static bound for all threads. Decided by enumeration of the threads and
/// of the loops that the size depends on; false if there are too many.
bool isFullBehindGuard(mlir::scf::ForallOp threads, mlir::Value buffer);

/// Replaces the guard around `op` by its old code. Emits one error and fails if
/// there is none.
mlir::LogicalResult removeGuard(mlir::RewriterBase &rewriter,
                                mlir::Operation *op);

} // namespace klineage

#endif // KLINEAGE_LIB_STEPS_GUARD_H
