//===- Roll.cpp - From chains of equal links to folds
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Symbolic/Fold.h"
#include "KLineage/Analysis/Symbolic/Substitute.h"
#include "llvm/ADT/STLExtras.h"

using namespace klineage::sym;
using Kind = TermNode::Kind;

/// The operand that goes on a chain of operations named `name`; none at its
/// end, or where more than one could.
static std::optional<Term> spineOf(Arena &arena, const TermNode &n) {
  std::optional<Term> found;
  for (Term kid : n.kids) {
    const TermNode &k = arena.node(kid);
    bool same = k.kind == Kind::op && k.label == n.label;
    if (k.kind == Kind::select)
      for (Term arm : k.kids)
        same |= arena.node(arm).kind == Kind::op &&
                arena.node(arm).label == n.label;
    if (!same && k.kind != Kind::fold && k.kind != Kind::variable)
      continue;
    if (found)
      return std::nullopt;
    found = kid;
  }
  return found;
}

/// The operation of a link; of select(p, operation(before), before) as well.
static std::optional<Term> operationOf(Arena &arena, Term link) {
  const TermNode &n = arena.node(link);
  if (n.kind == Kind::op)
    return link;
  if (n.kind != Kind::select)
    return std::nullopt;
  for (unsigned i : {0, 1}) {
    const TermNode &arm = arena.node(n.kids[i]);
    if (arm.kind == Kind::op && llvm::is_contained(arm.kids, n.kids[1 - i]))
      return n.kids[i];
  }
  return std::nullopt;
}

Term klineage::sym::linkOver(Arena &arena, Term link, Term before, Term acc) {
  const TermNode n = arena.node(link);
  if (n.kind == Kind::select) {
    Term a =
        n.kids[0] == before ? acc : linkOver(arena, n.kids[0], before, acc);
    Term b =
        n.kids[1] == before ? acc : linkOver(arena, n.kids[1], before, acc);
    return arena.select(n.pred, a, b);
  }
  llvm::SmallVector<Term, 3> kids = n.kids;
  if (auto *it = llvm::find(kids, before); it != kids.end())
    *it = acc;
  return n.kind == Kind::op ? arena.op(n.label, kids) : link;
}

/// Where the innermost link starts: the operand that is unlike what the link
/// after it adds.
static std::optional<Term> bottomOf(Arena &arena, Term operation, Term after,
                                    Term link) {
  const TermNode &n = arena.node(operation), &next = arena.node(after);
  if (n.kids.size() != next.kids.size())
    return std::nullopt;
  llvm::SmallVector<uint64_t> shapes;
  for (Term kid : next.kids)
    if (kid != link)
      shapes.push_back(arena.node(kid).shape);
  std::optional<Term> found;
  for (Term kid : n.kids) {
    auto *it = llvm::find(shapes, arena.node(kid).shape);
    if (it != shapes.end())
      shapes.erase(it);
    else if (!found)
      found = kid;
  }
  return found ? found : std::optional<Term>(n.kids.back());
}

Chain klineage::sym::chainOf(Arena &arena, Term top) {
  Chain chain;
  chain.bottom = top;
  Label name{};
  while (auto operation = operationOf(arena, chain.bottom)) {
    const TermNode &n = arena.node(*operation);
    if (n.kids.size() < 2 || (!chain.links.empty() && n.label != name))
      break;
    name = n.label;
    std::optional<Term> before = spineOf(arena, n);
    if (arena.node(chain.bottom).kind == Kind::select)
      before = arena.node(chain.bottom).kids[0] == *operation
                   ? arena.node(chain.bottom).kids[1]
                   : arena.node(chain.bottom).kids[0];
    if (!before) {
      if (chain.links.empty())
        break;
      auto after = operationOf(arena, chain.links.back());
      before = bottomOf(arena, *operation, *after, chain.bottom);
      if (!before)
        break;
      chain.links.push_back(chain.bottom);
      chain.bottom = *before;
      break;
    }
    chain.links.push_back(chain.bottom);
    chain.bottom = *before;
  }
  std::reverse(chain.links.begin(), chain.links.end());
  return chain;
}

static Poly generalize(Arena &arena, Poly first, Poly second, Poly step) {
  return first == second
             ? first
             : arena.add(first, arena.mul(step, arena.sub(second, first)));
}

static std::optional<Pred> generalize(Arena &arena, Pred first, Pred second,
                                      Poly step) {
  if (first == second)
    return first;
  const PredNode a = arena.node(first), b = arena.node(second);
  if (a.kind != b.kind || a.parts.size() != b.parts.size())
    return std::nullopt;
  llvm::SmallVector<Pred> parts;
  switch (a.kind) {
  case PredNode::Kind::nonNegative:
    return arena.nonNegative(
        generalize(arena, Poly(a.operand), Poly(b.operand), step));
  case PredNode::Kind::zero:
    return arena.zero(
        generalize(arena, Poly(a.operand), Poly(b.operand), step));
  case PredNode::Kind::all:
  case PredNode::Kind::any:
    for (auto [x, y] : llvm::zip(a.parts, b.parts)) {
      std::optional<Pred> part = generalize(arena, x, y, step);
      if (!part)
        return std::nullopt;
      parts.push_back(*part);
    }
    return a.kind == PredNode::Kind::all ? arena.all(parts) : arena.any(parts);
  case PredNode::Kind::term:
    if (auto t = generalize(arena, Term(a.operand), Term(b.operand), step))
      return arena.ofTermPred(*t);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

static std::optional<Term> generalizeFold(Arena &arena, Term first, Term second,
                                          Poly step) {
  const TermNode a = arena.node(first), b = arena.node(second);
  Arena::Open x = openFold(arena, first), y = openFold(arena, second);
  Substituter same(arena);
  same.set(y.counter, arena.ofAtom(x.counter));
  same.set(y.accumulator, x.accumulator);
  auto init = generalize(arena, a.kids[0], b.kids[0], step);
  auto body = generalize(arena, x.body, same.apply(y.body), step);
  if (!init || !body)
    return std::nullopt;
  return makeFold(arena, x.counter, generalize(arena, a.poly, b.poly, step),
                  x.accumulator, *init, *body);
}

std::optional<Term> klineage::sym::generalize(Arena &arena, Term first,
                                              Term second, Poly step) {
  if (first == second)
    return first;
  const TermNode a = arena.node(first), b = arena.node(second);
  if (a.kind != b.kind || a.label != b.label || a.kids.size() != b.kids.size())
    return std::nullopt;
  if (a.kind == Kind::fold)
    return generalizeFold(arena, first, second, step);
  Poly poly = ::generalize(arena, a.poly, b.poly, step);
  llvm::SmallVector<Term, 3> kids;
  for (auto [x, y] : llvm::zip(a.kids, b.kids)) {
    std::optional<Term> kid = generalize(arena, x, y, step);
    if (!kid)
      return std::nullopt;
    kids.push_back(*kid);
  }
  switch (a.kind) {
  case Kind::load:
    if (a.bits != b.bits)
      return std::nullopt;
    return arena.load(a.bits, poly);
  case Kind::op:
    return arena.op(a.label, kids);
  case Kind::select:
    if (auto pred = ::generalize(arena, a.pred, b.pred, step))
      return arena.select(*pred, kids[0], kids[1]);
    return std::nullopt;
  case Kind::ofPoly:
    return arena.ofPoly(a.label, poly);
  default:
    return std::nullopt;
  }
}

/// How many links from the first on are `step` at 0, 1, 2, ...
static size_t matching(Arena &arena, Term step, Poly number, Term link,
                       Term bottom, llvm::ArrayRef<Term> links) {
  Term before = bottom;
  for (size_t i = 0; i < links.size(); ++i) {
    Substituter sub(arena);
    sub.set(*arena.atomOf(number), arena.constant(int64_t(i)));
    sub.set(link, before);
    if (sub.apply(step) != links[i])
      return i;
    before = links[i];
  }
  return links.size();
}

/// The links as folds where they progress, as they are elsewhere.
static Term rollLinks(Arena &arena, Term bottom, llvm::ArrayRef<Term> links,
                      llvm::ArrayRef<Term> befores, Term value) {
  for (size_t at = 0; at < links.size();) {
    llvm::ArrayRef<Term> rest = links.drop_front(at);
    Term before = befores[at];
    size_t count = 0;
    Term link = arena.variable();
    std::optional<Term> step;
    Poly number = arena.symbol("k", {0, int64_t(rest.size()) - 1});
    if (rest.size() >= 4) {
      step = generalize(arena, linkOver(arena, rest[0], before, link),
                        linkOver(arena, rest[1], rest[0], link), number);
      if (step)
        count = matching(arena, *step, number, link, before, rest);
    }
    if (count >= 4) {
      value = makeFold(arena, *arena.atomOf(number),
                       arena.constant(int64_t(count)), link, value, *step);
      at += count;
      continue;
    }
    value = linkOver(arena, rest[0], before, value);
    ++at;
  }
  return value;
}

Term Roller::rebuilt(Term t) {
  const TermNode n = arena.node(t);
  llvm::SmallVector<Term, 3> kids;
  if (n.kind == Kind::fold) {
    Arena::Open open = openFold(arena, t);
    return makeFold(arena, open.counter, n.poly, open.accumulator,
                    apply(n.kids[0]), apply(open.body));
  }
  if (n.kind != Kind::op && n.kind != Kind::select)
    return t;
  Chain chain = chainOf(arena, t);
  if (chain.links.size() >= 4) {
    // Folds inside of the links first, each with the link before as it was.
    llvm::SmallVector<Term> links, befores;
    Term before = chain.bottom, inner = chain.bottom;
    for (Term link : chain.links) {
      Term hole = arena.variable();
      Term changed = apply(linkOver(arena, link, before, hole));
      befores.push_back(inner);
      Substituter fill(arena);
      fill.set(hole, inner);
      inner = fill.apply(changed);
      links.push_back(inner);
      before = link;
    }
    return rollLinks(arena, chain.bottom, links, befores, apply(chain.bottom));
  }
  for (Term kid : n.kids)
    kids.push_back(apply(kid));
  return n.kind == Kind::op ? arena.op(n.label, kids)
                            : arena.select(n.pred, kids[0], kids[1]);
}

Term Roller::apply(Term t) {
  if (auto it = memo.find(t); it != memo.end())
    return it->second;
  Term result = rebuilt(t);
  memo[t] = result;
  return result;
}
