//===- BarrierInterval.h - What a barrier orders
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_BARRIERINTERVAL_H
#define KLINEAGE_ANALYSIS_BARRIERINTERVAL_H

#include "KLineage/Analysis/Clause.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace klineage {

/// One access to memory that threads share. `buffer` is null if the operation
/// may access anything.
struct SharedAccess {
  mlir::Operation *op = nullptr;
  mlir::Value buffer;
  bool write = false;
  /// Indices, and elements along the last one; only of plain loads and stores.
  llvm::SmallVector<mlir::Value> indices;
  int64_t width = 0;
};

/// Accesses that may happen between the barrier and the nearest other ones on
/// each path: before it and after it. Goes around loops. nullopt if control
/// flow has another form than scf.for, scf.if and straight lines.
struct BarrierInterval {
  llvm::SmallVector<SharedAccess> before, after;
};
std::optional<BarrierInterval> intervalOf(mlir::gpu::BarrierOp barrier);

/// storage: no two conflicting accesses of different threads are ordered by
/// this barrier alone. Proved or unknown, never refuted: the pair that it
/// finds may be of one thread after all.
ClauseResult raceFreeWithout(mlir::gpu::BarrierOp barrier);

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_BARRIERINTERVAL_H
