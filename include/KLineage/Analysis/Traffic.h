//===- Traffic.h - An estimate of what a state costs, without running it
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_TRAFFIC_H
#define KLINEAGE_ANALYSIS_TRAFFIC_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <cstdint>

namespace klineage {

/// What the launches of an entry move between a chip and its memory, as far as
/// the IR tells. An estimate to order candidates by; no time, no verdict.
///
/// Each launch (an `scf.forall` over blocks, a linalg operation in host form, a
/// `gpu.launch_func`) reads or writes each of its device buffers once. Linalg
/// operations in host form run without staging: an operand that several points
/// share is fetched again for each warp of points, as often as the extents say.
/// Dynamic extents count as 1024; of a guard (scf.if) the side that it guards.
struct Traffic {
  int64_t launches = 0;
  double bytes = 0;
  /// One number: the bytes, and for each launch what a memory moves meanwhile.
  double cost() const { return bytes + double(launches) * 4e6; }
};

Traffic estimateTraffic(mlir::func::FuncOp entry);

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_TRAFFIC_H
