//===- SolveEnumerate.cpp - All values of the variables, one by one
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Formula.h"
#include "llvm/ADT/STLExtras.h"

using namespace klineage;

namespace {

class Enumeration {
public:
  Enumeration(const ExprArena &arena, const Conjunction &conjunction)
      : arena(arena) {
    for (Condition condition : conjunction)
      arena.collectVars(condition.expr, vars);
    due.resize(vars.size() + 1);
    for (Condition condition : conjunction)
      due[lastOf(condition.expr)].push_back(condition);
  }

  Solution run(int64_t points) {
    Solution result;
    result.engine = "enumeration";
    left = points;
    for (Var v : vars)
      if (arena.info(v).range.lo <= -kInfinity ||
          arena.info(v).range.hi >= kInfinity)
        return result;
    if (check(0) && visit(0)) {
      result.kind = Solved::witness;
      result.witness = values;
    } else if (left > 0 && !failed) {
      result.kind = Solved::empty;
    }
    result.points = points - left;
    return result;
  }

private:
  /// One past the last variable that the expression needs.
  size_t lastOf(Expr e) {
    llvm::SetVector<Var> used;
    arena.collectVars(e, used);
    size_t last = 0;
    for (auto [i, v] : llvm::enumerate(vars))
      if (used.contains(v))
        last = i + 1;
    return last;
  }

  bool check(size_t depth) {
    for (Condition condition : due[depth]) {
      auto value = arena.eval(condition.expr, values);
      if (!value) {
        failed = true;
        return false;
      }
      if (condition.equality ? *value != 0 : *value < 0)
        return false;
    }
    return true;
  }

  /// Assigns variables from `depth` on; true when all conditions hold.
  bool visit(size_t depth) {
    if (depth == vars.size())
      return true;
    Range range = arena.info(vars[depth]).range;
    for (int64_t value = range.lo; value <= range.hi; ++value) {
      if (--left <= 0)
        return false;
      values[vars[depth]] = value;
      if (check(depth + 1) && visit(depth + 1))
        return true;
    }
    values.erase(vars[depth]);
    return false;
  }

  const ExprArena &arena;
  llvm::SetVector<Var> vars;
  std::vector<Conjunction> due; ///< by number of assigned variables
  Assignment values;
  int64_t left = 0;
  bool failed = false;
};

} // namespace

Solution klineage::solveEnumerate(const ExprArena &arena,
                                  const Conjunction &conjunction,
                                  const SolveBudget &budget) {
  return Enumeration(arena, conjunction).run(budget.points);
}
