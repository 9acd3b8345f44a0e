//===- Clause.h - Three-valued legality conditions with evidence
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_CLAUSE_H
#define KLINEAGE_ANALYSIS_CLAUSE_H

#include "KLineage/Support/Enums.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace klineage {

/// What one legality condition evaluated to, and why. A refutation is what a
/// user reads, a lineage stores and a synthesizer is prompted with, so each
/// text stands alone: "extent 1000 of dim 0", not "bad size".
struct ClauseResult {
  explicit ClauseResult(mlir::Location loc) : loc(loc) {}

  std::string name; ///< closed set, snake_case: "divisible"
  ClauseClass clauseClass = ClauseClass::types;
  Truth truth = Truth::unknown;
  mlir::Location loc;       ///< the operation the condition is about
  std::string expected;     ///< "extent of dim 0 divisible by 128"
  std::string found;        ///< "1000"; a witness when one exists
  std::string nearestLegal; ///< "125 or 8"; empty if there is none
  std::string engine;       ///< "folding", "presburger", "enumeration", ...
  llvm::SmallVector<std::string> assumptions; ///< launch facts it relied on
};

/// Conjunction of all results; `proved` for an empty list.
inline Truth conjunction(llvm::ArrayRef<ClauseResult> results) {
  Truth all = Truth::proved;
  for (const ClauseResult &result : results)
    all = conjunction(all, result.truth);
  return all;
}

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_CLAUSE_H
