//===- KernelClauses.h - Clauses about kernels, decided on the kernel model
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_KERNELCLAUSES_H
#define KLINEAGE_ANALYSIS_KERNELCLAUSES_H

#include "KLineage/Analysis/Clause.h"
#include "KLineage/Analysis/KernelModel.h"

namespace klineage {

/// Limits of a chip that a launch must keep.
struct LaunchLimits {
  int64_t threads = 1024;
  int64_t sharedBytes = 232448;
  std::array<int64_t, 3> block = {1024, 1024, 64};
  std::array<int64_t, 3> grid = {2147483647, 65535, 65535};
};

/// All clauses in order, the ones that later ones presuppose first:
/// launch_limits, grid_limits, in_bounds, aligned, barrier_uniform,
/// race_free_shared, race_free_global, bank_conflict_degree. Races are
/// `unknown` unless bounds and uniformity are proved.
llvm::SmallVector<ClauseResult> evaluateKernel(KernelModel &model,
                                               const LaunchLimits &limits);

ClauseResult launchLimits(KernelModel &model, const LaunchLimits &limits);
/// The grid that the host computes. One that may be too large for some sizes
/// is what the launch checks: proved under that assumption.
ClauseResult gridWithin(KernelModel &model, const LaunchLimits &limits);
ClauseResult inBounds(KernelModel &model);
ClauseResult aligned(KernelModel &model);
ClauseResult barrierUniform(KernelModel &model);
/// Races on memory of one space between two threads.
ClauseResult raceFree(KernelModel &model, MemoryRoot::Space space);

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_KERNELCLAUSES_H
