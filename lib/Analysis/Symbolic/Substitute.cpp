//===- Substitute.cpp - Putting expressions in the place of others
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Symbolic/Substitute.h"
#include "KLineage/Analysis/Symbolic/Fold.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace klineage::sym;

/// x / d = (f x) / (f d), where f makes a multiple of alpha of what is put in
/// exactly. f x is a multiple of f: less than f more does not change it.
Poly Substituter::quotient(const AtomNode &n) {
  auto divisor = arena.constantOf(n.rhs);
  int64_t factor = 1;
  const PolyNode lhs = arena.node(n.lhs);
  for (const Monomial &m : lhs.terms)
    for (Atom atom : m.atoms)
      if (auto it = scaled.find(atom); it != scaled.end())
        factor = std::lcm(factor, it->second.alpha / std::gcd(it->second.alpha,
                                                              m.coefficient));
  if (!divisor || factor == 1 || factor > (1 << 20))
    return arena.floorDiv(apply(n.lhs), apply(n.rhs));
  Poly dividend = apply(arena.scale(n.lhs, factor));
  int64_t offset = 0;
  for (const Monomial &m : arena.node(dividend).terms)
    if (m.atoms.empty())
      offset = m.coefficient;
  int64_t more = ((-offset) % factor + factor) % factor;
  return arena.floorDiv(arena.add(dividend, arena.constant(more)),
                        arena.constant(factor * *divisor));
}

Poly Substituter::ofAtom(Atom a) {
  if (auto it = atoms.find(a); it != atoms.end())
    return it->second;
  if (auto it = atomMemo.find(a); it != atomMemo.end())
    return it->second;
  const AtomNode n = arena.node(a);
  Poly result = arena.ofAtom(a);
  switch (n.kind) {
  case AtomNode::Kind::symbol:
    break;
  case AtomNode::Kind::floorDiv:
    result = quotient(n);
    break;
  case AtomNode::Kind::min:
    result = arena.min(apply(n.lhs), apply(n.rhs));
    break;
  case AtomNode::Kind::max:
    result = arena.max(apply(n.lhs), apply(n.rhs));
    break;
  case AtomNode::Kind::choose:
    result = arena.choose(apply(Pred(n.name)), apply(n.lhs), apply(n.rhs));
    break;
  case AtomNode::Kind::term:
    result = arena.ofTerm(apply(Term(n.name)));
    break;
  default:
    result = arena.bits(n.kind, apply(n.lhs), apply(n.rhs));
  }
  atomMemo[a] = result;
  return result;
}

Poly Substituter::apply(Poly p) {
  if (auto it = polyMemo.find(p); it != polyMemo.end())
    return it->second;
  const PolyNode n = arena.node(p);
  Poly sum = arena.constant(0);
  for (const Monomial &m : n.terms) {
    int64_t coefficient = m.coefficient;
    Poly product = arena.constant(1);
    for (Atom atom : m.atoms) {
      auto it = scaled.find(atom);
      if (it != scaled.end() && coefficient % it->second.alpha == 0) {
        coefficient /= it->second.alpha;
        product = arena.mul(product, it->second.exact);
      } else {
        product = arena.mul(product, ofAtom(atom));
      }
    }
    sum = arena.add(sum, arena.scale(product, coefficient));
  }
  polyMemo[p] = sum;
  return sum;
}

Pred Substituter::apply(Pred p) {
  if (auto it = predMemo.find(p); it != predMemo.end())
    return it->second;
  const PredNode n = arena.node(p);
  Pred result = p;
  llvm::SmallVector<Pred> parts;
  switch (n.kind) {
  case PredNode::Kind::yes:
  case PredNode::Kind::no:
    return p;
  case PredNode::Kind::nonNegative:
    result = arena.nonNegative(apply(Poly(n.operand)));
    break;
  case PredNode::Kind::zero:
  case PredNode::Kind::nonZero:
    result = arena.zero(apply(Poly(n.operand)));
    if (n.kind == PredNode::Kind::nonZero)
      result = arena.negate(result);
    break;
  case PredNode::Kind::term:
  case PredNode::Kind::notTerm:
    result = arena.ofTermPred(apply(Term(n.operand)));
    if (n.kind == PredNode::Kind::notTerm)
      result = arena.negate(result);
    break;
  case PredNode::Kind::all:
  case PredNode::Kind::any:
    for (Pred part : n.parts)
      parts.push_back(apply(part));
    result =
        n.kind == PredNode::Kind::all ? arena.all(parts) : arena.any(parts);
  }
  if (auto known = arena.decide(result, facts))
    result = arena.boolean(*known);
  predMemo[p] = result;
  return result;
}

/// A body knows that its counter is below the count. What that makes simpler is
/// so in there only: nothing is remembered.
Term Substituter::applyInside(const Arena::Open &body, Poly count) {
  llvm::ArrayRef<Poly> outside = arena.place();
  Facts inside(outside.begin(), outside.end());
  inside.push_back(arena.sub(arena.sub(count, arena.ofAtom(body.counter)),
                             arena.constant(1)));
  Substituter inner(arena);
  inner.atoms = atoms;
  inner.scaled = scaled;
  inner.terms = terms;
  inner.facts = facts;
  inner.onLoad = onLoad;
  arena.within(inside);
  Term step = inner.apply(body.body);
  arena.within(outside);
  return step;
}

Term Substituter::rebuild(Term t) {
  const TermNode n = arena.node(t);
  llvm::SmallVector<Term, 3> kids;
  switch (n.kind) {
  case TermNode::Kind::constant:
  case TermNode::Kind::argument:
  case TermNode::Kind::variable:
  case TermNode::Kind::undefined:
    return t;
  case TermNode::Kind::load: {
    Poly offset = apply(n.poly);
    if (onLoad)
      if (std::optional<Term> value = onLoad(n.bits, offset))
        return *value;
    return arena.load(n.bits, offset);
  }
  case TermNode::Kind::op:
    for (Term kid : n.kids)
      kids.push_back(apply(kid));
    return llvm::equal(kids, n.kids) ? t : arena.op(n.label, kids);
  case TermNode::Kind::select: {
    Pred p = apply(n.pred);
    if (auto known = arena.decide(p))
      return apply(n.kids[*known ? 0 : 1]);
    return arena.select(p, apply(n.kids[0]), apply(n.kids[1]));
  }
  case TermNode::Kind::ofPoly:
    return arena.ofPoly(n.label, apply(n.poly));
  case TermNode::Kind::fold: {
    // The counter and the accumulator of an opened body are its own: nothing
    // that is put into it can mean them.
    Arena::Open body = openFold(arena, t);
    Poly count = apply(n.poly);
    Term init = apply(n.kids[0]), step = applyInside(body, count);
    if (count == n.poly && init == n.kids[0] && step == body.body)
      return t;
    return makeFold(arena, body.counter, count, body.accumulator, init, step);
  }
  }
  llvm_unreachable("all kinds are handled");
}

Term Substituter::apply(Term t) {
  if (auto it = terms.find(t); it != terms.end())
    return it->second;
  if (auto it = termMemo.find(t); it != termMemo.end())
    return it->second;
  Term result = rebuild(t);
  termMemo[t] = result;
  return result;
}

Mentions &Mentions::add(Poly p) {
  if (!polys.try_emplace(p, true).second)
    return *this;
  for (const Monomial &m : arena.node(p).terms)
    for (Atom atom : m.atoms) {
      if (!atoms.try_emplace(atom, true).second)
        continue;
      const AtomNode &n = arena.node(atom);
      if (n.kind == AtomNode::Kind::term)
        add(Term(n.name));
      if (n.kind == AtomNode::Kind::choose)
        add(Pred(n.name));
      if (n.kind != AtomNode::Kind::symbol)
        add(n.lhs).add(n.rhs);
    }
  return *this;
}

Mentions &Mentions::add(Pred p) {
  if (!preds.try_emplace(p, true).second)
    return *this;
  const PredNode &n = arena.node(p);
  switch (n.kind) {
  case PredNode::Kind::nonNegative:
  case PredNode::Kind::zero:
  case PredNode::Kind::nonZero:
    return add(Poly(n.operand));
  case PredNode::Kind::term:
  case PredNode::Kind::notTerm:
    return add(Term(n.operand));
  default:
    for (Pred part : n.parts)
      add(part);
    return *this;
  }
}

Mentions &Mentions::add(Term t) {
  if (!terms.try_emplace(t, true).second)
    return *this;
  const TermNode &n = arena.node(t);
  undefined |= n.kind == TermNode::Kind::undefined;
  add(n.poly).add(n.pred);
  for (Term kid : n.kids)
    add(kid);
  return *this;
}
