//===- Term.cpp - Values as shared expressions
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Symbolic/Arena.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace klineage::sym;
using Kind = TermNode::Kind;

static uint64_t mixed(uint64_t a, uint64_t b) {
  return (a ^ (b + 0x9e3779b97f4a7c15 + (a << 12) + (a >> 4))) *
         0xff51afd7ed558ccd;
}

static uint32_t heightOf(const Arena &arena, Poly p);

static uint32_t heightOf(const Arena &arena, Pred p) {
  const PredNode &n = arena.node(p);
  switch (n.kind) {
  case PredNode::Kind::nonNegative:
  case PredNode::Kind::zero:
  case PredNode::Kind::nonZero:
    return heightOf(arena, Poly(n.operand));
  case PredNode::Kind::term:
  case PredNode::Kind::notTerm:
    return arena.node(Term(n.operand)).height;
  default: {
    uint32_t height = 0;
    for (Pred part : n.parts)
      height = std::max(height, heightOf(arena, part));
    return height;
  }
  }
}

static uint32_t heightOf(const Arena &arena, Poly p) {
  uint32_t height = 0;
  for (const Monomial &m : arena.node(p).terms)
    for (Atom atom : m.atoms) {
      const AtomNode &n = arena.node(atom);
      if (n.kind == AtomNode::Kind::term)
        height = std::max(height, arena.node(Term(n.name)).height);
      if (n.kind == AtomNode::Kind::choose)
        height = std::max(height, heightOf(arena, Pred(n.name)));
      if (n.kind != AtomNode::Kind::symbol)
        height =
            std::max({height, heightOf(arena, n.lhs), heightOf(arena, n.rhs)});
    }
  return height;
}

Term Arena::make(TermNode node) {
  if (size() > budget) {
    fail("more expressions than the budget of " + std::to_string(budget));
    return Term(0);
  }
  // The same in every run; loads first, by array.
  uint64_t shape = node.bits;
  if (node.kind != Kind::load)
    shape = mixed(llvm::xxh3_64bits(labels.empty() ? "" : text(node.label)),
                  uint64_t(node.kind) + 1);
  uint32_t height =
      std::max(heightOf(*this, node.poly), heightOf(*this, node.pred));
  for (Term kid : node.kids) {
    shape = mixed(shape, this->node(kid).shape);
    height = std::max(height, this->node(kid).height);
  }
  if (node.kind == Kind::fold)
    height = std::max(height, uint32_t(node.bits));
  node.shape = shape;
  node.height = height;
  return terms.intern(std::move(node));
}

Term Arena::constant(Label type, uint64_t bits) {
  TermNode node;
  node.kind = Kind::constant;
  node.label = type;
  node.bits = bits;
  return make(std::move(node));
}

Term Arena::argument(Label name) {
  TermNode node;
  node.kind = Kind::argument;
  node.label = name;
  return make(std::move(node));
}

Term Arena::load(uint64_t array, Poly offset) {
  TermNode node;
  node.kind = Kind::load;
  node.bits = array;
  node.poly = offset;
  return make(std::move(node));
}

bool Arena::isCommutative(Label name) const {
  static const char *const names[] = {
      "addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf",
  };
  llvm::StringRef op = text(name);
  return llvm::any_of(names, [&](llvm::StringRef n) { return op == n; });
}

Term Arena::op(Label name, llvm::ArrayRef<Term> kids) {
  TermNode node;
  node.kind = Kind::op;
  node.label = name;
  node.kids.assign(kids.begin(), kids.end());
  if (isCommutative(name))
    llvm::sort(node.kids, [&](Term a, Term b) {
      const TermNode &x = this->node(a), &y = this->node(b);
      bool notX = x.kind != Kind::variable, notY = y.kind != Kind::variable;
      return std::tie(notX, x.shape, a) < std::tie(notY, y.shape, b);
    });
  return make(std::move(node));
}

Term Arena::select(Pred p, Term a, Term b) {
  if (a == b)
    return a;
  PredNode::Kind kind = node(p).kind;
  if (kind == PredNode::Kind::yes || kind == PredNode::Kind::no)
    return kind == PredNode::Kind::yes ? a : b;
  // One of a condition and its negation.
  if (kind == PredNode::Kind::notTerm || kind == PredNode::Kind::nonZero ||
      kind == PredNode::Kind::any)
    return select(negate(p), b, a);
  if (node(a).kind == Kind::select && node(a).pred == p)
    a = node(a).kids[0];
  if (node(b).kind == Kind::select && node(b).pred == p)
    b = node(b).kids[1];
  if (a == b)
    return a;
  if (kind == PredNode::Kind::nonNegative) {
    Pred negated = negate(p);
    if (negated < p) {
      p = negated;
      std::swap(a, b);
    }
  }
  TermNode n;
  n.kind = Kind::select;
  n.pred = p;
  n.kids = {a, b};
  return make(std::move(n));
}

Term Arena::ofPoly(Label conversion, Poly p) {
  TermNode node;
  node.kind = Kind::ofPoly;
  node.label = conversion;
  node.poly = p;
  return make(std::move(node));
}

Term Arena::accumulator(uint32_t height) {
  TermNode node;
  node.kind = Kind::variable;
  node.bits = height;
  return make(std::move(node));
}

Term Arena::variable() {
  TermNode node;
  node.kind = Kind::variable;
  node.bits = ++variables;
  return make(std::move(node));
}

Term Arena::undefined() { return make(TermNode()); }

Term Arena::foldNode(uint32_t height, Poly count, Term init, Term body) {
  TermNode node;
  node.kind = Kind::fold;
  node.bits = height;
  node.poly = count;
  node.kids = {init, body};
  return make(std::move(node));
}
