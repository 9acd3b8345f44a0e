//===- FormulaTest.cpp - Tests of index expressions and of the engines
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Formula.h"
#include "gtest/gtest.h"
#include <random>

using namespace klineage;

namespace {

struct Arena : ::testing::Test {
  ExprArena arena;
  Expr x = arena.var(arena.makeVar("x", VarKind::thread, {0, 31}));
  Expr y = arena.var(arena.makeVar("y", VarKind::thread, {0, 31}));
};

TEST_F(Arena, EqualExpressionsAreOne) {
  EXPECT_EQ(arena.add(x, y), arena.add(y, x));
  EXPECT_EQ(arena.sub(arena.add(x, y), y), x);
  EXPECT_NE(arena.scale(x, 2), x);
}

TEST_F(Arena, DivisionOfWholeMultiplesFolds) {
  Expr e = arena.add(arena.scale(y, 16), arena.mod(x, 16));
  EXPECT_EQ(arena.floorDiv(e, 16), y);
  EXPECT_EQ(arena.mod(e, 16), arena.mod(x, 16));
  EXPECT_EQ(arena.mod(x, 32), x);
  EXPECT_EQ(arena.floorDiv(arena.floorDiv(x, 4), 2), arena.floorDiv(x, 8));
}

TEST_F(Arena, RangeKnowsRemainders) {
  Range range = arena.rangeOf(arena.addConstant(arena.mod(x, 8), 3));
  EXPECT_EQ(range.lo, 3);
  EXPECT_EQ(range.hi, 10);
  // x - 8 (x div 8), as affine maps spell it.
  Expr spelled = arena.sub(x, arena.scale(arena.floorDiv(x, 8), 8));
  EXPECT_EQ(spelled, arena.mod(x, 8));
  EXPECT_EQ(arena.rangeOf(arena.bitXor(x, y)).hi, 31);
}

TEST_F(Arena, DivisorsGoThroughProducts) {
  Expr n = arena.var(arena.makeVar("n", VarKind::size, {0, 1000}));
  EXPECT_EQ(arena.divisorOf(arena.mul(arena.scale(n, 4), arena.scale(x, 3))),
            12);
  EXPECT_EQ(arena.divisorOf(arena.addConstant(arena.scale(x, 8), 4)), 4);
}

TEST_F(Arena, OverflowIsOpaque) {
  Expr big = arena.constant(INT64_MAX);
  llvm::SetVector<Var> vars;
  arena.collectVars(arena.add(big, big), vars);
  ASSERT_EQ(vars.size(), 1u);
  EXPECT_EQ(arena.info(vars[0]).kind, VarKind::opaque);
}

TEST_F(Arena, FloorOfNegativeNumbers) {
  Expr e = arena.floorDiv(arena.addConstant(x, -5), 4);
  EXPECT_EQ(arena.eval(e, {{0, 0}}), -2);
  EXPECT_EQ(arena.eval(e, {{0, 5}}), 0);
}

TEST_F(Arena, XorCancels) {
  Expr k = arena.var(arena.makeVar("k", VarKind::thread, {0, 31}));
  Formula same = Formula::eq(arena.sub(arena.bitXor(x, k), arena.bitXor(y, k)));
  Formula differ = Formula::ne(arena, arena.sub(x, y));
  Solution solution = solve(arena, conj(same, differ));
  EXPECT_EQ(solution.kind, Solved::empty);
  EXPECT_NE(solution.engine, "enumeration");
}

/// A random expression of small depth.
Expr randomExpr(ExprArena &arena, llvm::ArrayRef<Var> vars, std::mt19937 &rng,
                int depth) {
  auto pick = [&](int n) { return int(rng() % n); };
  if (depth == 0)
    return pick(4) ? arena.var(vars[pick(vars.size())])
                   : arena.constant(pick(9) - 4);
  Expr a = randomExpr(arena, vars, rng, depth - 1);
  Expr b = randomExpr(arena, vars, rng, depth - 1);
  switch (pick(8)) {
  case 0:
    return arena.floorDiv(a, pick(5) + 1);
  case 1:
    return arena.mod(a, pick(5) + 1);
  case 2:
    return arena.minimum(a, b);
  case 3:
    return arena.maximum(a, b);
  case 4:
    return arena.bitXor(arena.mod(a, 4), arena.mod(b, 4));
  case 5:
    return arena.scale(a, pick(7) - 3);
  case 6:
    return arena.sub(a, b);
  default:
    return arena.add(a, b);
  }
}

TEST(Engines, AgreeOnRandomFormulas) {
  int empty = 0, found = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    ExprArena arena;
    llvm::SmallVector<Var> vars;
    for (int i = 0; i < 3; ++i)
      vars.push_back(arena.makeVar("v" + std::to_string(i), VarKind::thread,
                                   {-2, int64_t(rng() % 7)}));
    Formula formula = Formula::always();
    for (int i = 0; i < 3; ++i) {
      Expr e = randomExpr(arena, vars, rng, 2);
      formula = conj(formula, rng() % 2 ? Formula::eq(e) : Formula::ge(e));
    }
    Solution all = solveEnumerate(arena, formula.disjuncts[0], SolveBudget());
    ASSERT_NE(all.kind, Solved::unknown);
    Solution solution = solve(arena, formula);
    EXPECT_EQ(solution.kind, all.kind);
    if (solution.kind == Solved::witness)
      EXPECT_TRUE(holds(arena, formula.disjuncts[0], solution.witness));
    // Presburger alone may relax xor, but never says empty wrongly.
    Solution relaxed =
        solvePresburger(arena, formula.disjuncts[0], SolveBudget());
    if (relaxed.kind == Solved::empty)
      EXPECT_EQ(all.kind, Solved::empty);
    (all.kind == Solved::empty ? empty : found)++;
  }
  // The formulas are worth asking.
  EXPECT_GT(empty, 50);
  EXPECT_GT(found, 50);
}

TEST(Engines, RangesContainAllValues) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    ExprArena arena;
    llvm::SmallVector<Var> vars = {arena.makeVar("a", VarKind::thread, {-3, 5}),
                                   arena.makeVar("b", VarKind::thread, {0, 6})};
    Expr e = randomExpr(arena, vars, rng, 3);
    Range range = arena.rangeOf(e);
    int64_t divisor = arena.divisorOf(e);
    for (int64_t a = -3; a <= 5; ++a)
      for (int64_t b = 0; b <= 6; ++b) {
        auto value = arena.eval(e, {{vars[0], a}, {vars[1], b}});
        ASSERT_TRUE(value.has_value());
        EXPECT_GE(*value, range.lo);
        EXPECT_LE(*value, range.hi);
        EXPECT_TRUE(divisor == 0 ? *value == 0 : *value % divisor == 0);
      }
  }
}

TEST(Engines, TooManyPointsAreUnknown) {
  ExprArena arena;
  Conjunction conjunction;
  Expr sum = arena.constant(-7);
  for (int i = 0; i < 4; ++i) {
    Expr v = arena.var(arena.makeVar("v", VarKind::thread, {0, 1000}));
    sum = arena.add(sum, arena.scale(v, 2));
  }
  conjunction.push_back({sum, true});
  EXPECT_EQ(solveEnumerate(arena, conjunction, {48, 1000}).kind,
            Solved::unknown);
  EXPECT_EQ(solve(arena, {{conjunction}}).kind, Solved::empty);
}

} // namespace
