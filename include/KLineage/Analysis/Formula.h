//===- Formula.h - Conditions over index expressions and the engines that decide
// them
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_FORMULA_H
#define KLINEAGE_ANALYSIS_FORMULA_H

#include "KLineage/Analysis/IndexExpr.h"

namespace klineage {

/// `expr == 0` or `expr >= 0`.
struct Condition {
  Expr expr;
  bool equality;
};

using Conjunction = llvm::SmallVector<Condition, 8>;

/// A disjunction of conjunctions. No disjunct is false, an empty conjunct true.
struct Formula {
  llvm::SmallVector<Conjunction, 2> disjuncts;

  static Formula always() { return {{Conjunction()}}; }
  static Formula never() { return {}; }
  static Formula ge(Expr e) { return {{{{e, false}}}}; } ///< e >= 0
  static Formula eq(Expr e) { return {{{{e, true}}}}; }  ///< e == 0
  /// `e != 0`.
  static Formula ne(ExprArena &arena, Expr e);
};

Formula conj(const Formula &a, const Formula &b);
Formula disj(const Formula &a, const Formula &b);
Formula substitute(ExprArena &arena, const Formula &formula,
                   const llvm::DenseMap<Var, Expr> &values);
/// Whether the assignment satisfies it; false if a value is missing.
bool holds(const ExprArena &arena, const Conjunction &conjunction,
           const Assignment &values);

/// What one conjunction became before an engine sees it. `solved` gives the
/// eliminated variables, last first.
struct Simplified {
  bool contradiction = false;
  Conjunction conditions;
  llvm::SmallVector<std::pair<Var, Expr>> solved;
};
/// Folds by ranges and divisors, eliminates variables that an equality defines
/// and cancels `a xor k == b xor k`. Keeps the set of solutions.
Simplified simplify(ExprArena &arena, const Conjunction &conjunction);

//===----------------------------------------------------------------------===//
// Engines
//===----------------------------------------------------------------------===//

/// Limits of one question.
struct SolveBudget {
  unsigned columns = 48;    ///< of a Presburger problem, which has no timeout
  int64_t points = 2000000; ///< of an enumeration
};

enum class Solved { empty, witness, unknown };

struct Solution {
  Solved kind = Solved::unknown;
  Assignment witness;   ///< of all variables; re-evaluated on the formula
  std::string engine;   ///< the heaviest one that was needed
  Conjunction disjunct; ///< the one that the witness satisfies
  int64_t points = 0;   ///< that were tried, of all disjuncts
};

/// Exact over div, min and max; xor and products are relaxed to their range.
Solution solvePresburger(ExprArena &arena, const Conjunction &conjunction,
                         const SolveBudget &budget);
/// Tries all values of the variables; unknown if there are too many.
Solution solveEnumerate(const ExprArena &arena, const Conjunction &conjunction,
                        const SolveBudget &budget);
/// Folding, then Presburger, then enumeration. A witness always re-evaluates.
Solution solve(ExprArena &arena, const Formula &formula,
               const SolveBudget &budget = {});

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_FORMULA_H
