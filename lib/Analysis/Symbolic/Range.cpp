//===- Range.cpp - Bounds of polynomials, and what follows from facts
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Symbolic/Arena.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace klineage::sym;
using Kind = AtomNode::Kind;

static constexpr int64_t none = Interval::none;

static int64_t saturatingAdd(int64_t a, int64_t b, bool upper) {
  int64_t infinite = upper ? none : -none, sum;
  if (a == infinite || b == infinite)
    return infinite;
  return llvm::AddOverflow(a, b, sum) ? infinite : sum;
}

static int64_t saturatingMul(int64_t a, int64_t b) {
  int64_t product;
  if (a == 0 || b == 0)
    return 0;
  bool negative = (a < 0) != (b < 0);
  if (a == none || a == -none || b == none || b == -none ||
      llvm::MulOverflow(a, b, product))
    return negative ? -none : none;
  return product;
}

static Interval product(Interval x, Interval y) {
  int64_t corners[] = {saturatingMul(x.lo, y.lo), saturatingMul(x.lo, y.hi),
                       saturatingMul(x.hi, y.lo), saturatingMul(x.hi, y.hi)};
  return {*llvm::min_element(corners), *llvm::max_element(corners)};
}

Interval Arena::rangeOf(Poly p) const {
  Interval sum{0, 0};
  for (const Monomial &m : node(p).terms) {
    Interval range{m.coefficient, m.coefficient};
    for (Atom atom : m.atoms)
      range = product(range, node(atom).range);
    sum.lo = saturatingAdd(sum.lo, range.lo, false);
    sum.hi = saturatingAdd(sum.hi, range.hi, true);
  }
  return sum;
}

namespace klineage::sym {
/// Looks for a sum of facts, each scaled, that leaves a remainder whose bounds
/// settle the question.
class Prover {
public:
  Prover(Arena &arena, llvm::ArrayRef<Poly> more) : arena(arena) {
    facts.insert(more.begin(), more.end());
    facts.insert(arena.local.begin(), arena.local.end());
    facts.insert(arena.global.begin(), arena.global.end());
  }

  bool isNonNegative(Poly p) {
    if (arena.rangeOf(p).lo >= 0)
      return true;
    addImplied(p, 2);
    steps = 400;
    return search(p, 0, 4);
  }

private:
  /// p >= -slack. Integers: k p >= -(k slack + k - 1) is enough.
  bool search(Poly p, int64_t slack, unsigned depth) {
    Interval range = arena.rangeOf(p);
    if (range.lo >= -slack)
      return true;
    if (depth == 0 || steps == 0 || range.hi < -slack)
      return false;
    --steps;
    if (Poly smaller = withoutFactor(p); smaller != p)
      return search(smaller, 0, depth - 1);
    const PolyNode node = arena.node(p);
    for (const Monomial &m : node.terms) {
      if (m.atoms.empty() || boundOf(m) >= 0)
        continue;
      if (cancel(p, m, slack, depth))
        return true;
    }
    return false;
  }

  /// Uses up the monomial `m` by any fact that has it with the same sign.
  bool cancel(Poly p, const Monomial &m, int64_t slack, unsigned depth) {
    for (Poly fact : facts) {
      for (const Monomial &f : arena.node(fact).terms) {
        if (f.atoms != m.atoms || (f.coefficient < 0) != (m.coefficient < 0))
          continue;
        int64_t common = std::gcd(f.coefficient, m.coefficient);
        int64_t k = std::abs(f.coefficient) / common;
        int64_t c = std::abs(m.coefficient) / common;
        if (k > 4096 || c > (int64_t(1) << 40) || slack > (int64_t(1) << 40))
          continue;
        Poly rest = arena.sub(arena.scale(p, k), arena.scale(fact, c));
        if (search(rest, slack * k + k - 1, depth - 1))
          return true;
      }
    }
    return false;
  }

  int64_t boundOf(const Monomial &m) const {
    Interval range{m.coefficient, m.coefficient};
    for (Atom atom : m.atoms)
      range = product(range, arena.node(atom).range);
    return range.lo;
  }

  /// Without an atom that is never negative and divides every monomial.
  Poly withoutFactor(Poly p) {
    const PolyNode &node = arena.node(p);
    if (node.terms.empty())
      return p;
    for (Atom atom : node.terms.back().atoms) {
      if (arena.node(atom).range.lo < 0)
        continue;
      auto [quotient, rest] = arena.split(p, arena.ofAtom(atom));
      if (arena.constantOf(rest) == 0)
        return quotient;
    }
    return p;
  }

  /// What the definitions of the atoms in `p` say.
  void addImplied(Poly p, unsigned depth) {
    const PolyNode node = arena.node(p);
    for (const Monomial &m : node.terms)
      for (Atom atom : m.atoms)
        addImplied(atom, depth);
  }

  void addImplied(Atom a, unsigned depth) {
    const AtomNode &node = arena.node(a);
    Poly self = arena.ofAtom(a);
    switch (node.kind) {
    case Kind::floorDiv: {
      Poly rest = arena.sub(node.lhs, arena.mul(self, node.rhs));
      facts.insert(rest);
      facts.insert(arena.sub(arena.sub(node.rhs, rest), arena.constant(1)));
      break;
    }
    case Kind::min:
      facts.insert(arena.sub(node.lhs, self));
      facts.insert(arena.sub(node.rhs, self));
      break;
    case Kind::max:
      facts.insert(arena.sub(self, node.lhs));
      facts.insert(arena.sub(self, node.rhs));
      break;
    default:
      return;
    }
    if (depth > 1)
      addImplied(node.lhs, depth - 1);
  }

  Arena &arena;
  llvm::SetVector<Poly, std::vector<Poly>> facts;
  unsigned steps = 0;
};
} // namespace klineage::sym

bool Arena::isNonNegative(Poly p, llvm::ArrayRef<Poly> more) {
  Interval range = rangeOf(p);
  if (range.lo >= 0)
    return true;
  if (range.hi < 0)
    return false;
  return Prover(*this, more).isNonNegative(p);
}

void Arena::learn(Pred p, Facts &facts) {
  const PredNode &n = node(p);
  switch (n.kind) {
  case PredNode::Kind::nonNegative:
    facts.push_back(Poly(n.operand));
    break;
  case PredNode::Kind::zero:
    facts.push_back(Poly(n.operand));
    facts.push_back(scale(Poly(n.operand), -1));
    break;
  case PredNode::Kind::all:
    for (Pred part : n.parts)
      learn(part, facts);
    break;
  default:
    break;
  }
}

std::optional<bool> Arena::decide(Pred p, llvm::ArrayRef<Poly> more) {
  const PredNode &n = node(p);
  Poly x = Poly(n.operand);
  Poly minusOne = constant(-1);
  auto isPositive = [&](Poly q) {
    return isNonNegative(add(q, minusOne), more);
  };
  switch (n.kind) {
  case PredNode::Kind::yes:
    return true;
  case PredNode::Kind::no:
    return false;
  case PredNode::Kind::nonNegative:
    if (isNonNegative(x, more))
      return true;
    if (isPositive(scale(x, -1)))
      return false;
    return std::nullopt;
  case PredNode::Kind::zero:
  case PredNode::Kind::nonZero: {
    bool isZero = n.kind == PredNode::Kind::zero;
    if (isPositive(x) || isPositive(scale(x, -1)))
      return !isZero;
    if (isNonNegative(x, more) && isNonNegative(scale(x, -1), more))
      return isZero;
    return std::nullopt;
  }
  case PredNode::Kind::all:
  case PredNode::Kind::any: {
    bool absorbing = n.kind == PredNode::Kind::any, open = false;
    for (Pred part : n.parts) {
      std::optional<bool> known = decide(part, more);
      if (known == absorbing)
        return absorbing;
      open |= !known;
    }
    if (open)
      return std::nullopt;
    return !absorbing;
  }
  default:
    return std::nullopt;
  }
}
