//===- Mutate.h - Planted faults, to see whether a check sees them
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_LIFT_MUTATE_H
#define KLINEAGE_LIB_LIFT_MUTATE_H

#include "CheckRun.h"

namespace klineage {

struct MutationScore {
  int64_t total = 0, caught = 0;
  int64_t endless = 0; ///< of the caught ones, those that met the deadline
  std::vector<std::string> missed;
};

/// Plants one fault at a time: a dropped barrier, a loop that starts one later,
/// a shuffle of another lane or kind, a comparison that is off by one, an index
/// that is off by one, max for min. Each mutant runs in a child process of ten
/// seconds; one that crashes or hangs is caught, one that cannot be compared is
/// missed. Fails if the kernel without a fault is not `equal` in such a child.
llvm::Expected<MutationScore> scoreMutations(mlir::ModuleOp lifted,
                                             llvm::StringRef originalFile,
                                             const LaunchDescription &launch,
                                             const TargetInfo &target);

} // namespace klineage

#endif // KLINEAGE_LIB_LIFT_MUTATE_H
