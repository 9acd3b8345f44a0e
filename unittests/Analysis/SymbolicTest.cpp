//===- SymbolicTest.cpp - Integers, predicates, values and folds
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Symbolic/Fold.h"
#include "KLineage/Analysis/Symbolic/Print.h"
#include "KLineage/Analysis/Symbolic/Substitute.h"
#include "gtest/gtest.h"
#include <random>

using namespace klineage::sym;

namespace {
struct SymbolicTest : ::testing::Test {
  Arena arena;
  Poly c(int64_t value) { return arena.constant(value); }
  Poly upTo(const char *name, int64_t last) {
    return arena.symbol(name, {0, last});
  }
  std::string str(Term t) { return Printer(arena).str(t); }
  std::string str(Poly p) { return Printer(arena).str(p); }
  Term zero = arena.constant(arena.label("f32"), 0);
  Label addf = arena.label("addf"), mulf = arena.label("mulf");

  Term plus(Term a, Term b) { return arena.op(addf, {a, b}); }
  Term times(Term a, Term b) { return arena.op(mulf, {a, b}); }
  /// A[k] * B[N k]
  Term product(Poly k, Poly n) {
    return times(arena.load(0, k), arena.load(1, arena.mul(n, k)));
  }
  Term sumOf(Poly count, Poly n, Term init) {
    Poly k = arena.symbol("k", {0, Interval::none});
    Term acc = arena.variable();
    return makeFold(arena, *arena.atomOf(k), count, acc, init,
                    plus(acc, product(k, n)));
  }
};
} // namespace

TEST_F(SymbolicTest, equalPolynomialsAreOne) {
  Poly x = arena.symbol("x"), y = arena.symbol("y");
  Poly left = arena.mul(arena.add(x, y), arena.sub(x, y));
  EXPECT_EQ(left, arena.sub(arena.mul(x, x), arena.mul(y, y)));
  EXPECT_EQ(arena.sub(left, left), c(0));
  EXPECT_NE(left, x);
}

TEST_F(SymbolicTest, remaindersFold) {
  Poly b = upTo("b", Interval::none), t = upTo("t", 127);
  Poly linear = arena.add(arena.scale(b, 128), t);
  EXPECT_EQ(arena.floorDiv(linear, c(128)), b);
  EXPECT_EQ(arena.mod(linear, c(128)), t);
  EXPECT_NE(arena.mod(linear, c(64)), t);
  EXPECT_EQ(arena.floorDiv(arena.floorDiv(b, c(4)), c(8)),
            arena.floorDiv(b, c(32)));
  EXPECT_EQ(arena.floorDiv(arena.add(arena.scale(b, 2), c(1)), c(4)),
            arena.floorDiv(b, c(2)));
  EXPECT_EQ(arena.bits(AtomNode::Kind::bitAnd, linear, c(127)), t);
}

TEST_F(SymbolicTest, symbolicRemaindersNeedTheirFact) {
  Poly n = arena.symbol("n", {1, Interval::none});
  Poly i = upTo("i", Interval::none), j = upTo("j", Interval::none);
  Poly linear = arena.add(arena.mul(n, i), j);
  EXPECT_NE(arena.floorDiv(linear, n), i);
  arena.assume(arena.sub(arena.sub(n, j), c(1)));
  EXPECT_EQ(arena.floorDiv(linear, n), i);
  EXPECT_EQ(arena.mod(linear, n), j);
}

TEST_F(SymbolicTest, boundsOfALinearOffset) {
  Poly m = arena.symbol("m", {1, Interval::none}),
       n = arena.symbol("n", {1, Interval::none});
  Poly i = upTo("i", Interval::none), j = upTo("j", Interval::none);
  arena.assume(arena.sub(arena.sub(n, j), c(1)));
  arena.assume(arena.sub(arena.sub(m, i), c(1)));
  Poly offset = arena.add(arena.mul(n, i), j);
  EXPECT_EQ(arena.decide(arena.less(offset, arena.mul(m, n))), true);
  EXPECT_EQ(arena.decide(arena.less(offset, arena.sub(arena.mul(m, n), c(1)))),
            std::nullopt);
}

TEST_F(SymbolicTest, roundingUpCovers) {
  Poly n = arena.symbol("n", {0, Interval::none});
  Poly tiles = arena.ceilDiv(n, c(64));
  EXPECT_EQ(
      arena.decide(arena.nonNegative(arena.sub(arena.scale(tiles, 64), n))),
      true);
  EXPECT_EQ(
      arena.decide(arena.less(arena.scale(tiles, 64), arena.add(n, c(64)))),
      true);
  EXPECT_EQ(
      arena.decide(arena.less(arena.scale(tiles, 64), arena.add(n, c(63)))),
      std::nullopt);
}

/// Whatever is decided holds for every value in range.
TEST_F(SymbolicTest, decisionsHoldForAllValues) {
  std::mt19937 random(7);
  auto pick = [&](int lo, int hi) {
    return lo + int(random() % unsigned(hi - lo + 1));
  };
  Poly x = upTo("x", 9), y = upTo("y", 9);
  int decided = 0;
  for (int round = 0; round < 600; ++round) {
    auto linear = [&] {
      return arena.add(
          arena.add(arena.scale(x, pick(-4, 4)), arena.scale(y, pick(-4, 4))),
          c(pick(-12, 12)));
    };
    Poly d = c(pick(1, 5));
    Poly p =
        arena.add(arena.floorDiv(linear(), d), arena.min(linear(), linear()));
    p = arena.add(arena.max(p, linear()), arena.mod(linear(), d));
    Facts facts{linear()};
    Pred question = arena.nonNegative(p);
    std::optional<bool> answer = arena.decide(question, facts);
    for (int i = 0; i < 10 && answer; ++i)
      for (int j = 0; j < 10; ++j) {
        Substituter values(arena);
        values.set(*arena.atomOf(x), c(i));
        values.set(*arena.atomOf(y), c(j));
        if (*arena.constantOf(values.apply(facts[0])) < 0)
          continue;
        EXPECT_EQ(values.apply(question), arena.boolean(*answer)) << str(p);
      }
    decided += answer.has_value();
  }
  EXPECT_GT(decided, 50);
}

TEST_F(SymbolicTest, conditionsAreNormal) {
  Poly x = arena.symbol("x");
  Pred p = arena.less(x, c(5)), q = arena.less(x, c(7));
  EXPECT_EQ(arena.all({p, q}), p);
  EXPECT_EQ(arena.any({p, q}), q);
  EXPECT_EQ(arena.all({p, arena.negate(p)}), arena.boolean(false));
  EXPECT_EQ(arena.negate(arena.negate(p)), p);
  EXPECT_EQ(arena.zero(arena.sub(arena.scale(x, 2), c(3))),
            arena.boolean(false));
  Term a = arena.load(0, x), b = arena.load(1, x);
  EXPECT_EQ(arena.select(p, a, b), arena.select(arena.negate(p), b, a));
}

TEST_F(SymbolicTest, unrolledLoopIsThePlainOne) {
  Poly n = arena.symbol("n", {1, Interval::none});
  Term plain = sumOf(c(128), n, zero);
  Poly q = upTo("q", Interval::none);
  Term acc = arena.variable(), body = acc;
  for (int i = 0; i < 16; ++i)
    body = plus(body, product(arena.add(arena.scale(q, 16), c(i)), n));
  EXPECT_EQ(makeFold(arena, *arena.atomOf(q), c(8), acc, zero, body), plain);
  EXPECT_EQ(str(plain), "fold k1 < 128 from 0 {(acc1 + (a0[k1] * a1[n*k1]))}");

  Term chain = zero;
  for (int i = 0; i < 128; ++i)
    chain = plus(chain, product(c(i), n));
  EXPECT_EQ(Roller(arena).apply(chain), plain);
}

TEST_F(SymbolicTest, oneOddLinkIsNotTheLoop) {
  Poly n = arena.symbol("n", {1, Interval::none});
  for (int odd : {0, 1, 5, 127}) {
    Term chain = zero;
    for (int i = 0; i < 128; ++i)
      chain = plus(chain, product(c(i == odd ? i + 1 : i), n));
    EXPECT_NE(Roller(arena).apply(chain), sumOf(c(128), n, zero));
  }
  Poly q = upTo("q", Interval::none);
  Term acc = arena.variable(), body = acc;
  for (int i = 0; i < 16; ++i)
    body = plus(body, product(arena.add(arena.scale(q, 17), c(i)), n));
  EXPECT_NE(makeFold(arena, *arena.atomOf(q), c(8), acc, zero, body),
            sumOf(c(128), n, zero));
}

TEST_F(SymbolicTest, tailRoundsThatDoNothingGo) {
  Poly n = arena.symbol("n", {1, Interval::none}),
       k = arena.symbol("k", {0, Interval::none});
  Poly q = upTo("q", Interval::none);
  Term acc = arena.variable(), body = acc;
  for (int i = 0; i < 8; ++i) {
    Poly at = arena.add(arena.scale(q, 8), c(i));
    body = arena.select(arena.less(at, k), plus(body, product(at, n)), body);
  }
  Term tiled = makeFold(arena, *arena.atomOf(q), arena.ceilDiv(k, c(8)), acc,
                        zero, body);
  EXPECT_EQ(tiled, sumOf(k, n, zero)) << str(tiled);
}

TEST_F(SymbolicTest, aFoldGoesOnWhereItsInitEnded) {
  Poly n = arena.symbol("n", {1, Interval::none}),
       k = arena.symbol("k", {0, Interval::none});
  Poly whole = arena.scale(arena.floorDiv(k, c(16)), 16);
  Term first = sumOf(whole, n, zero);
  Poly r = upTo("r", Interval::none);
  Term acc = arena.variable();
  Term both = makeFold(arena, *arena.atomOf(r), arena.mod(k, c(16)), acc, first,
                       plus(acc, product(arena.add(whole, r), n)));
  EXPECT_EQ(both, sumOf(k, n, zero)) << str(both);
}

TEST_F(SymbolicTest, substitutionCapturesNothing) {
  Poly n = arena.symbol("n", {1, Interval::none}), x = arena.symbol("x");
  Poly k = arena.symbol("k", {0, Interval::none});
  Term acc = arena.variable();
  // sum over k of A[x + k]; then A[e] stands for a sum of B, of the same
  // height.
  Term outer = makeFold(arena, *arena.atomOf(k), n, acc, zero,
                        plus(acc, arena.load(0, arena.add(x, k))));
  Substituter sub(arena);
  sub.onLoad = [&](uint64_t array, Poly at) -> std::optional<Term> {
    if (array != 0)
      return std::nullopt;
    Poly j = arena.symbol("j", {0, Interval::none});
    Term inner = arena.variable();
    return makeFold(arena, *arena.atomOf(j), n, inner, zero,
                    plus(inner, arena.load(1, arena.add(arena.mul(at, n), j))));
  };
  EXPECT_EQ(str(sub.apply(outer)),
            "fold k2 < n from 0 {(acc2 + fold k1 < n from 0 "
            "{(acc1 + a1[n*x + n*k2 + k1])})}");
}

TEST_F(SymbolicTest, overflowAndBudgetSpoilTheArena) {
  Poly x = arena.symbol("x");
  arena.mul(arena.scale(x, INT64_MAX), arena.scale(x, 2));
  EXPECT_EQ(arena.failure(), "a coefficient beyond 64 bits");
  Arena small(100);
  Poly y = small.symbol("y");
  for (int i = 0; i < 200; ++i)
    small.load(0, small.add(y, small.constant(i)));
  EXPECT_EQ(small.failure(), "more expressions than the budget of 100");
}
