//===- BarrierProof.h - A barrier on the kernel model
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_STEPS_BARRIERPROOF_H
#define KLINEAGE_LIB_STEPS_BARRIERPROOF_H

#include "KLineage/Analysis/Clause.h"
#include "KLineage/Support/TargetInfo.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace klineage {

/// storage, race_free_block: no two conflicting accesses of different threads
/// are ordered by this barrier alone. Barrier intervals first: they need no
/// kernel and read any operation. What they leave open is decided on the model
/// of the kernel that the state has without the barrier: proved if it has no
/// race, then. Proved or unknown: a race may have been there before.
ClauseResult raceFreeBlock(mlir::gpu::BarrierOp barrier,
                           const TargetInfo &target);

} // namespace klineage

#endif // KLINEAGE_LIB_STEPS_BARRIERPROOF_H
