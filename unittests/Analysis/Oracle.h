//===- Oracle.h - What the checked executor sees of a state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_UNITTESTS_ANALYSIS_ORACLE_H
#define KLINEAGE_UNITTESTS_ANALYSIS_ORACLE_H

#include "KLineage/Gate/Simt/Findings.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <map>
#include <set>
#include <vector>

namespace klineage::test {

/// Kinds of faults by kernel, over all orders, and the counts of the first.
struct Sight {
  std::map<std::string, std::set<simt::FindingKind>> found;
  std::vector<simt::Counts> counts;

  /// Whether a fault was seen that the clause rules out.
  bool contradicts(const std::string &kernel, llvm::StringRef clause) const;
};

/// Runs the entry, whose arguments are memrefs of static shape, on ones in
/// checked mode, in forward and reverse order.
llvm::Expected<Sight> execute(mlir::ModuleOp state, int64_t countedBlocks = 2);

} // namespace klineage::test

#endif // KLINEAGE_UNITTESTS_ANALYSIS_ORACLE_H
