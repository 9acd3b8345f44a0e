//===- Equivalence.h - Do two states compute the same
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_PASSES_EQUIVALENCE_H
#define KLINEAGE_LIB_PASSES_EQUIVALENCE_H

#include "KLineage/Analysis/Symbolic/Normalize.h"
#include "KLineage/Gate/Gate.h"
#include <set>

namespace klineage {

/// What block summaries say, for some of the sizes.
struct EquivalenceCase {
  std::string sizes;               ///< empty: all
  std::optional<sym::Level> level; ///< none: not known to be equal
  std::string why;                 ///< of none
  std::set<std::string> assumptions;
};

/// Of two states, by proof. Cases cover all sizes together.
struct Equivalence {
  std::vector<EquivalenceCase> cases;
  bool unproved = false; ///< a clause is, so nothing was compared

  bool equal() const;
  /// The weakest of all cases; none unless equal.
  std::optional<sym::Level> level() const;
};

/// Compares the summaries of `a` and `b`. Clauses that they take for granted
/// (bounds, barriers, races) are proved first; `reference` is the specification
/// that ties extents. Fails with a diagnostic where there is nothing to
/// compare.
mlir::FailureOr<Equivalence> proveEquivalent(mlir::ModuleOp a, mlir::ModuleOp b,
                                             mlir::ModuleOp reference,
                                             const TargetInfo &target);

/// An extent beyond the tiles of a state: the largest constant that may be one.
int64_t tileHint(mlir::ModuleOp state);

struct SearchInputs {
  double timeoutSeconds = 60;
  uint64_t seed = 1;
  bool checked = false; ///< look at a difference in checked mode, too
};

/// Runs both states on the simt executor over inputs of the gate, up to the
/// order of sums. `wrong`: they differ, and where.
Verdict runBoth(mlir::ModuleOp a, mlir::ModuleOp b, const TargetInfo &target,
                const SearchInputs &inputs);

} // namespace klineage

#endif // KLINEAGE_LIB_PASSES_EQUIVALENCE_H
