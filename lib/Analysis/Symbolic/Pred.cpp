//===- Pred.cpp - Conditions in a normal form
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Symbolic/Arena.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace klineage::sym;
using Kind = PredNode::Kind;

Pred Arena::make(PredNode node) {
  if (size() > budget) {
    fail("more expressions than the budget of " + std::to_string(budget));
    return Pred(0);
  }
  return preds.intern(std::move(node));
}

Pred Arena::boolean(bool value) {
  return make(PredNode{value ? Kind::yes : Kind::no, 0, {}});
}

/// Greatest common divisor of all coefficients but the constant.
static int64_t commonFactor(const PolyNode &node, int64_t &offset) {
  int64_t factor = 0;
  for (const Monomial &m : node.terms) {
    if (m.atoms.empty())
      offset = m.coefficient;
    else
      factor = std::gcd(factor, m.coefficient);
  }
  return factor;
}

Pred Arena::nonNegative(Poly p) {
  Interval range = rangeOf(p);
  if (range.lo >= 0)
    return boolean(true);
  if (range.hi < 0)
    return boolean(false);
  int64_t offset = 0, factor = commonFactor(node(p), offset);
  if (factor > 1) {
    PolyNode reduced = node(p);
    for (Monomial &m : reduced.terms)
      m.coefficient = llvm::divideFloorSigned(m.coefficient, factor);
    p = make(std::move(reduced));
  }
  return make(PredNode{Kind::nonNegative, uint32_t(p), {}});
}

Pred Arena::zero(Poly p) {
  Interval range = rangeOf(p);
  if (range.lo > 0 || range.hi < 0)
    return boolean(false);
  int64_t offset = 0, factor = commonFactor(node(p), offset);
  if (factor == 0)
    return boolean(offset == 0);
  if (offset % factor)
    return boolean(false);
  // One sign: that of the last monomial is positive.
  if (node(p).terms.back().coefficient < 0)
    factor = -factor;
  PolyNode reduced = node(p);
  for (Monomial &m : reduced.terms)
    m.coefficient /= factor;
  return make(PredNode{Kind::zero, uint32_t(make(std::move(reduced))), {}});
}

Pred Arena::less(Poly a, Poly b) {
  return nonNegative(sub(sub(b, a), constant(1)));
}

Pred Arena::ofTermPred(Term t) {
  return make(PredNode{Kind::term, uint32_t(t), {}});
}

Pred Arena::negate(Pred p) {
  const PredNode n = node(p);
  switch (n.kind) {
  case Kind::yes:
    return boolean(false);
  case Kind::no:
    return boolean(true);
  case Kind::nonNegative:
    return nonNegative(sub(constant(-1), Poly(n.operand)));
  case Kind::zero:
    return make(PredNode{Kind::nonZero, n.operand, {}});
  case Kind::nonZero:
    return make(PredNode{Kind::zero, n.operand, {}});
  case Kind::term:
    return make(PredNode{Kind::notTerm, n.operand, {}});
  case Kind::notTerm:
    return make(PredNode{Kind::term, n.operand, {}});
  case Kind::all:
  case Kind::any: {
    llvm::SmallVector<Pred> parts;
    for (Pred part : n.parts)
      parts.push_back(negate(part));
    return n.kind == Kind::all ? any(parts) : all(parts);
  }
  }
  llvm_unreachable("all kinds are handled");
}

Pred Arena::joined(Kind kind, llvm::ArrayRef<Pred> parts) {
  bool isAll = kind == Kind::all;
  Pred neutral = boolean(isAll), absorbing = boolean(!isAll);
  PredNode out{kind, 0, {}};
  for (Pred part : parts) {
    const PredNode &n = node(part);
    if (part == absorbing)
      return absorbing;
    if (n.kind == kind)
      out.parts.append(n.parts);
    else if (part != neutral)
      out.parts.push_back(part);
  }
  llvm::sort(out.parts);
  out.parts.erase(llvm::unique(out.parts), out.parts.end());
  // p >= 0 and p + c >= 0: one says all that both do.
  llvm::SmallVector<Pred, 2> kept;
  for (Pred part : out.parts) {
    bool implied = false;
    for (Pred other : out.parts) {
      if (other == part || node(part).kind != Kind::nonNegative ||
          node(other).kind != Kind::nonNegative)
        continue;
      auto gap =
          constantOf(sub(Poly(node(part).operand), Poly(node(other).operand)));
      implied |= gap && (isAll ? *gap > 0 : *gap < 0);
    }
    if (!implied)
      kept.push_back(part);
    if (llvm::is_contained(out.parts, negate(part)))
      return absorbing;
  }
  out.parts = kept;
  if (out.parts.empty())
    return neutral;
  if (out.parts.size() == 1)
    return out.parts[0];
  return make(std::move(out));
}

Pred Arena::all(llvm::ArrayRef<Pred> parts) { return joined(Kind::all, parts); }

Pred Arena::any(llvm::ArrayRef<Pred> parts) { return joined(Kind::any, parts); }
