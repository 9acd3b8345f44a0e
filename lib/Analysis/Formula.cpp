//===- Formula.cpp - Conditions over index expressions, simplified and decided
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Formula.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace klineage;

Formula Formula::ne(ExprArena &arena, Expr e) {
  return disj(ge(arena.addConstant(e, -1)),
              ge(arena.addConstant(arena.scale(e, -1), -1)));
}

Formula klineage::conj(const Formula &a, const Formula &b) {
  Formula result;
  for (const Conjunction &x : a.disjuncts)
    for (const Conjunction &y : b.disjuncts) {
      Conjunction both = x;
      both.append(y.begin(), y.end());
      result.disjuncts.push_back(std::move(both));
    }
  return result;
}

Formula klineage::disj(const Formula &a, const Formula &b) {
  Formula result = a;
  result.disjuncts.append(b.disjuncts.begin(), b.disjuncts.end());
  return result;
}

Formula klineage::substitute(ExprArena &arena, const Formula &formula,
                             const llvm::DenseMap<Var, Expr> &values) {
  Formula result = formula;
  for (Conjunction &conjunction : result.disjuncts)
    for (Condition &condition : conjunction)
      condition.expr = arena.substitute(condition.expr, values);
  return result;
}

bool klineage::holds(const ExprArena &arena, const Conjunction &conjunction,
                     const Assignment &values) {
  for (auto [v, value] : values)
    if (value < arena.info(v).range.lo || value > arena.info(v).range.hi)
      return false;
  return llvm::all_of(conjunction, [&](Condition condition) {
    auto value = arena.eval(condition.expr, values);
    return value && (condition.equality ? *value == 0 : *value >= 0);
  });
}

/// `a xor k - b xor k` is zero iff `a - b` is.
static Expr cancelXor(ExprArena &arena, Expr e) {
  const ExprArena::Linear &x = arena.linear(e);
  if (x.constant != 0 || x.terms.size() != 2 ||
      x.terms[0].second != -x.terms[1].second)
    return e;
  ExprArena::Atom a = arena.atom(x.terms[0].first),
                  b = arena.atom(x.terms[1].first);
  if (a.kind != ExprArena::AtomKind::bitXor || b.kind != a.kind)
    return e;
  Expr a0 = a.a, a1 = Expr(a.b), b0 = b.a, b1 = Expr(b.b);
  if (a0 == b0)
    return arena.sub(a1, b1);
  if (a0 == b1)
    return arena.sub(a1, b0);
  if (a1 == b0)
    return arena.sub(a0, b1);
  if (a1 == b1)
    return arena.sub(a0, b0);
  return e;
}

/// A variable that the equality defines by whole numbers, if it has one.
static std::optional<std::pair<Var, Expr>> definedBy(ExprArena &arena, Expr e) {
  ExprArena::Linear x = arena.linear(e);
  for (auto [atom, coefficient] : x.terms) {
    if (arena.atom(atom).kind != ExprArena::AtomKind::var ||
        std::abs(coefficient) != 1)
      continue;
    Var v = arena.atom(atom).a;
    Expr rest = arena.sub(e, arena.scale(arena.var(v), coefficient));
    llvm::SetVector<Var> vars;
    arena.collectVars(rest, vars);
    if (!vars.contains(v))
      return std::pair(v, arena.scale(rest, -coefficient));
  }
  return std::nullopt;
}

static bool contradicts(const ExprArena &arena, Condition condition) {
  Range range = arena.rangeOf(condition.expr);
  if (!condition.equality)
    return range.hi < 0;
  if (range.lo > 0 || range.hi < 0)
    return true;
  // 4 x + 2 is never zero.
  ExprArena::Linear x = arena.linear(condition.expr);
  int64_t divisor = 0;
  for (auto [atom, coefficient] : x.terms)
    divisor = std::gcd(divisor, coefficient);
  return divisor > 1 && x.constant % divisor != 0;
}

Simplified klineage::simplify(ExprArena &arena, const Conjunction &input) {
  Simplified result;
  Conjunction work = input;
  // Each round eliminates one variable.
  while (true) {
    Conjunction kept;
    std::optional<std::pair<Var, Expr>> definition;
    for (Condition condition : work) {
      if (condition.equality)
        condition.expr = cancelXor(arena, condition.expr);
      if (contradicts(arena, condition)) {
        result.contradiction = true;
        return result;
      }
      Range range = arena.rangeOf(condition.expr);
      if (condition.equality ? range.lo == 0 && range.hi == 0 : range.lo >= 0)
        continue;
      if (condition.equality && !definition &&
          (definition = definedBy(arena, condition.expr)))
        continue;
      if (llvm::none_of(kept, [&](Condition other) {
            return other.expr == condition.expr &&
                   other.equality == condition.equality;
          }))
        kept.push_back(condition);
    }
    if (!definition) {
      result.conditions = std::move(kept);
      return result;
    }
    auto [v, value] = *definition;
    Range range = arena.info(v).range;
    if (range.lo > -kInfinity)
      kept.push_back({arena.addConstant(arena.var(v), -range.lo), false});
    if (range.hi < kInfinity)
      kept.push_back(
          {arena.addConstant(arena.scale(arena.var(v), -1), range.hi), false});
    llvm::DenseMap<Var, Expr> map;
    map[v] = value;
    for (Condition &condition : kept)
      condition.expr = arena.substitute(condition.expr, map);
    result.solved.push_back(*definition);
    work = std::move(kept);
  }
}

/// Gives every variable of `conjunction` a value: what the engine found, then
/// the eliminated ones, then anything in range.
static bool complete(ExprArena &arena, const Conjunction &conjunction,
                     const Simplified &simplified, Assignment &values) {
  llvm::SetVector<Var> vars;
  for (Condition condition : conjunction)
    arena.collectVars(condition.expr, vars);
  llvm::SetVector<Var> eliminated;
  for (auto [v, value] : simplified.solved) {
    eliminated.insert(v);
    arena.collectVars(value, vars);
  }
  for (Var v : vars)
    if (!eliminated.contains(v) && !values.count(v)) {
      Range range = arena.info(v).range;
      values[v] = range.lo > 0 ? range.lo : range.hi < 0 ? range.hi : 0;
    }
  for (auto [v, value] : llvm::reverse(simplified.solved)) {
    auto number = arena.eval(value, values);
    if (!number)
      return false;
    values[v] = *number;
  }
  return holds(arena, conjunction, values);
}

/// Minima, maxima, products and xor are what engines are slow at, or blind to.
static bool isHard(const ExprArena &arena, Expr e) {
  for (auto [id, coefficient] : arena.linear(e).terms) {
    ExprArena::Atom atom = arena.atom(id);
    if (atom.kind == ExprArena::AtomKind::var)
      continue;
    if (atom.kind != ExprArena::AtomKind::div || isHard(arena, atom.a))
      return true;
  }
  return false;
}

/// Whether the easy conditions alone have no solution.
static bool relaxedIsEmpty(ExprArena &arena, const Conjunction &all,
                           const SolveBudget &budget) {
  Conjunction easy;
  for (Condition condition : all)
    if (!isHard(arena, condition.expr))
      easy.push_back(condition);
  if (easy.size() == all.size() || easy.empty())
    return false;
  return solvePresburger(arena, easy, budget).kind == Solved::empty;
}

Solution klineage::solve(ExprArena &arena, const Formula &formula,
                         const SolveBudget &budget) {
  Solution result;
  result.kind = Solved::empty;
  result.engine = "folding";
  for (const Conjunction &conjunction : formula.disjuncts) {
    Simplified simple = simplify(arena, conjunction);
    if (simple.contradiction)
      continue;
    if (result.engine == "folding")
      result.engine = "presburger";
    if (relaxedIsEmpty(arena, simple.conditions, budget))
      continue;
    Solution found = solvePresburger(arena, simple.conditions, budget);
    if (found.kind == Solved::empty)
      continue;
    Assignment values = found.witness;
    bool sure = found.kind == Solved::witness &&
                complete(arena, conjunction, simple, values);
    if (!sure) {
      found = solveEnumerate(arena, simple.conditions, budget);
      result.points += found.points;
      result.engine = "enumeration";
      if (found.kind == Solved::empty)
        continue;
      values = found.witness;
      sure = found.kind == Solved::witness &&
             complete(arena, conjunction, simple, values);
    }
    if (sure) {
      result.kind = Solved::witness;
      result.witness = std::move(values);
      result.disjunct = conjunction;
      return result;
    }
    result.kind = Solved::unknown;
  }
  return result;
}
