//===- Poly.cpp - Integer polynomials over atoms
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
using Kind = AtomNode::Kind;

Arena::Arena(size_t budget) : budget(budget) {
  make(PolyNode());
  make(PredNode());
  make(TermNode());
}

void Arena::fail(llvm::StringRef why) {
  if (failed.empty())
    failed = why.str();
}

Label Arena::label(llvm::StringRef text) {
  auto [it, isNew] = labelIds.try_emplace(text, uint32_t(labels.size()));
  if (isNew)
    labels.push_back(text.str());
  return Label(it->second);
}

/// Sorts, adds up equal monomials and drops zeros.
Poly Arena::make(PolyNode node) {
  if (size() > budget) {
    fail("more expressions than the budget of " + std::to_string(budget));
    return Poly(0);
  }
  llvm::sort(node.terms, [](const Monomial &a, const Monomial &b) {
    return a.atoms < b.atoms;
  });
  PolyNode sum;
  for (Monomial &m : node.terms) {
    if (!sum.terms.empty() && sum.terms.back().atoms == m.atoms) {
      if (llvm::AddOverflow(sum.terms.back().coefficient, m.coefficient,
                            sum.terms.back().coefficient))
        fail("a coefficient beyond 64 bits");
    } else {
      sum.terms.push_back(std::move(m));
    }
    if (sum.terms.back().coefficient == 0)
      sum.terms.pop_back();
  }
  return polys.intern(std::move(sum));
}

Poly Arena::makeAtom(AtomNode node) {
  return ofAtom(atoms.intern(std::move(node)));
}

Poly Arena::ofAtom(Atom a) {
  PolyNode node;
  node.terms.push_back({1, {a}});
  return make(std::move(node));
}

Poly Arena::constant(int64_t value) {
  PolyNode node;
  if (value)
    node.terms.push_back({value, {}});
  return make(std::move(node));
}

Poly Arena::symbol(llvm::StringRef name, Interval range) {
  AtomNode node;
  node.name = uint32_t(names.size());
  node.range = range;
  names.push_back(name.str());
  return makeAtom(std::move(node));
}

Poly Arena::counter(uint32_t height) {
  while (counters.size() <= height)
    counters.push_back(
        symbol("k" + std::to_string(counters.size()), {0, Interval::none}));
  return counters[height];
}

std::optional<int64_t> Arena::constantOf(Poly p) const {
  const PolyNode &n = node(p);
  if (n.terms.empty())
    return 0;
  if (n.terms.size() == 1 && n.terms[0].atoms.empty())
    return n.terms[0].coefficient;
  return std::nullopt;
}

std::optional<Atom> Arena::atomOf(Poly p) const {
  const PolyNode &n = node(p);
  if (n.terms.size() == 1 && n.terms[0].coefficient == 1 &&
      n.terms[0].atoms.size() == 1)
    return n.terms[0].atoms[0];
  return std::nullopt;
}

Poly Arena::add(Poly a, Poly b) {
  if (a == Poly(0))
    return b;
  if (b == Poly(0))
    return a;
  PolyNode sum = node(a);
  llvm::append_range(sum.terms, node(b).terms);
  return make(std::move(sum));
}

Poly Arena::scale(Poly a, int64_t factor) {
  if (factor == 1)
    return a;
  PolyNode product = node(a);
  for (Monomial &m : product.terms)
    if (llvm::MulOverflow(m.coefficient, factor, m.coefficient))
      fail("a coefficient beyond 64 bits");
  return make(std::move(product));
}

Poly Arena::mul(Poly a, Poly b) {
  if (auto c = constantOf(a))
    return scale(b, *c);
  if (auto c = constantOf(b))
    return scale(a, *c);
  PolyNode product;
  for (const Monomial &x : node(a).terms)
    for (const Monomial &y : node(b).terms) {
      Monomial m;
      if (llvm::MulOverflow(x.coefficient, y.coefficient, m.coefficient))
        fail("a coefficient beyond 64 bits");
      m.atoms = x.atoms;
      m.atoms.append(y.atoms);
      llvm::sort(m.atoms);
      product.terms.push_back(std::move(m));
    }
  return make(std::move(product));
}

/// Removes the atoms of `d` from those of `m`, if all are there.
static bool divideAtoms(Monomial &m, const Monomial &d) {
  for (Atom atom : d.atoms) {
    auto *it = llvm::find(m.atoms, atom);
    if (it == m.atoms.end())
      return false;
    m.atoms.erase(it);
  }
  return true;
}

std::pair<Poly, Poly> Arena::split(Poly p, Poly divisor) {
  PolyNode quotient, rest;
  if (node(divisor).terms.size() != 1)
    return {Poly(0), p};
  const Monomial d = node(divisor).terms[0];
  for (const Monomial &m : node(p).terms) {
    Monomial q = m;
    if (!divideAtoms(q, d)) {
      rest.terms.push_back(m);
      continue;
    }
    // A constant is split with a remainder of its own.
    int64_t whole = llvm::divideFloorSigned(m.coefficient, d.coefficient);
    int64_t left = m.coefficient - whole * d.coefficient;
    if (left && !m.atoms.empty() && d.atoms.empty()) {
      rest.terms.push_back(m);
      continue;
    }
    q.coefficient = whole;
    quotient.terms.push_back(q);
    Monomial r = m;
    r.coefficient = left;
    rest.terms.push_back(r);
  }
  return {make(std::move(quotient)), make(std::move(rest))};
}

Poly Arena::floorDiv(Poly a, Poly b) {
  auto divisor = constantOf(b);
  if (divisor && *divisor <= 0) {
    fail("a division by " + std::to_string(*divisor));
    return a;
  }
  if (divisor == 1)
    return a;
  auto [quotient, rest] = split(a, b);
  if (isNonNegative(rest) && isNonNegative(sub(sub(b, rest), constant(1))))
    return quotient;
  if (divisor) {
    // A common factor of the divisor and all but the constant.
    int64_t factor = *divisor, offset = 0;
    for (const Monomial &m : node(rest).terms) {
      if (m.atoms.empty())
        offset = m.coefficient;
      else
        factor = std::gcd(factor, m.coefficient);
    }
    if (factor > 1) {
      PolyNode reduced;
      for (Monomial m : node(rest).terms) {
        m.coefficient = m.atoms.empty()
                            ? llvm::divideFloorSigned(offset, factor)
                            : m.coefficient / factor;
        reduced.terms.push_back(m);
      }
      return add(quotient, floorDiv(make(std::move(reduced)),
                                    constant(*divisor / factor)));
    }
    // (x / c) / d = x / (c d).
    if (auto atom = atomOf(rest); atom && node(*atom).kind == Kind::floorDiv)
      if (auto inner = constantOf(node(*atom).rhs))
        if (*inner < (int64_t(1) << 31) && *divisor < (int64_t(1) << 31))
          return add(quotient,
                     floorDiv(node(*atom).lhs, constant(*inner * *divisor)));
  }
  AtomNode atom{Kind::floorDiv, 0, rest, b, {}};
  Interval r = rangeOf(rest);
  if (r.lo != -Interval::none)
    atom.range.lo = divisor ? llvm::divideFloorSigned(r.lo, *divisor)
                            : std::min<int64_t>(r.lo, 0);
  if (r.hi != Interval::none)
    atom.range.hi = divisor ? llvm::divideFloorSigned(r.hi, *divisor)
                            : std::max<int64_t>(r.hi, 0);
  return add(quotient, makeAtom(std::move(atom)));
}

Poly Arena::ceilDiv(Poly a, Poly b) {
  return scale(floorDiv(scale(a, -1), b), -1);
}

Poly Arena::min(Poly a, Poly b) {
  if (isNonNegative(sub(b, a)))
    return a;
  if (isNonNegative(sub(a, b)))
    return b;
  Interval x = rangeOf(a), y = rangeOf(b);
  return makeAtom({Kind::min,
                   0,
                   std::min(a, b),
                   std::max(a, b),
                   {std::min(x.lo, y.lo), std::min(x.hi, y.hi)}});
}

Poly Arena::max(Poly a, Poly b) {
  if (isNonNegative(sub(a, b)))
    return a;
  if (isNonNegative(sub(b, a)))
    return b;
  Interval x = rangeOf(a), y = rangeOf(b);
  return makeAtom({Kind::max,
                   0,
                   std::min(a, b),
                   std::max(a, b),
                   {std::max(x.lo, y.lo), std::max(x.hi, y.hi)}});
}

Poly Arena::choose(Pred p, Poly a, Poly b) {
  if (a == b)
    return a;
  if (auto known = decide(p))
    return *known ? a : b;
  Interval x = rangeOf(a), y = rangeOf(b);
  return makeAtom({Kind::choose,
                   uint32_t(p),
                   a,
                   b,
                   {std::min(x.lo, y.lo), std::max(x.hi, y.hi)}});
}

Poly Arena::ofTerm(Term t) {
  AtomNode node;
  node.kind = Kind::term;
  node.name = uint32_t(t);
  return makeAtom(std::move(node));
}

Poly Arena::bits(Kind kind, Poly a, Poly b) {
  auto x = constantOf(a), y = constantOf(b);
  if (x && !y) {
    std::swap(a, b);
    std::swap(x, y);
  }
  if (x && y)
    return constant(kind == Kind::bitAnd  ? *x & *y
                    : kind == Kind::bitOr ? *x | *y
                                          : *x ^ *y);
  if (y == 0)
    return kind == Kind::bitAnd ? b : a;
  // A mask of the low bits is a remainder, of negative numbers as well.
  if (y && kind == Kind::bitAnd && *y > 0 && llvm::isMask_64(uint64_t(*y)))
    return mod(a, constant(*y + 1));
  if (a == b)
    return kind == Kind::bitXor ? constant(0) : a;
  Interval range;
  if (rangeOf(a).lo >= 0 && rangeOf(b).lo >= 0)
    range.lo = 0;
  return makeAtom({kind, 0, std::min(a, b), std::max(a, b), range});
}
