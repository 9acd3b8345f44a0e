//===- FindingLog.h - Collecting findings without repeating them
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMT_FINDINGLOG_H
#define KLINEAGE_LIB_GATE_SIMT_FINDINGLOG_H

#include "Abi.h"
#include "KLineage/Gate/Simt/Findings.h"
#include "llvm/ADT/DenseMap.h"
#include <mutex>

namespace klineage::simt {

/// Distinct findings in the order of their first occurrence.
class FindingLog {
public:
  explicit FindingLog(int64_t limit) : limit(limit) {}

  /// The finding to fill in, null if this is a repetition or the log is full.
  /// `place` tells buffers apart; the site may be null.
  Finding *report(FindingKind kind, llvm::StringRef kernel, const Site *site,
                  uint64_t place, const ThreadCtx &ctx);
  const std::vector<Finding> &list() const { return findings; }

private:
  int64_t limit;
  std::mutex mutex; ///< fast mode reports from several OS threads
  std::vector<Finding> findings;
  llvm::DenseMap<std::pair<const Site *, uint64_t>, int64_t> known;
};

/// threadIdx of a linear index, in a block of the shape that `ctx` has.
Dim3 threadOf(unsigned linear, const ThreadCtx &ctx);

} // namespace klineage::simt

#endif // KLINEAGE_LIB_GATE_SIMT_FINDINGLOG_H
