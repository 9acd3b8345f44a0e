//===- Banks.h - How lanes of a warp share the banks of shared memory
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_BANKS_H
#define KLINEAGE_ANALYSIS_BANKS_H

#include "KLineage/Analysis/Clause.h"
#include "KLineage/Analysis/KernelModel.h"

namespace klineage {

/// Passes over the 32 banks of 4 bytes that the worst group of lanes of one
/// shared access needs: 1 is free of conflicts, 32 the worst. A group is a
/// warp; half of one for accesses of 8 bytes, a quarter for 16. Lanes that read
/// one word share it.
struct BankDegree {
  int64_t degree = 32;
  bool exact = false; ///< else some launch may need fewer, none needs more
  std::string why;    ///< why the degree is not known, or empty
};
BankDegree bankDegreeOf(KernelModel &model, const KernelAccess &access,
                        int64_t &budget);

/// Passes beyond the first of all groups of lanes, over the whole launch: what
/// the checked executor counts. nullopt if something of the launch is not a
/// constant, or more than `budget` lanes would be visited.
std::optional<int64_t> countBankConflicts(KernelModel &model,
                                          int64_t budget = 50000000);

/// Hardware clause bank_conflict_degree: no shared access needs more than
/// `atMost` passes. Holds for 32 by itself; `found` gives the highest degree.
ClauseResult bankConflictDegree(KernelModel &model, int64_t atMost = 32);

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_BANKS_H
