//===- Fold.cpp - Loops over one accumulator, in a canonical form
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Symbolic/Fold.h"
#include "KLineage/Analysis/Symbolic/Substitute.h"
#include "llvm/ADT/STLExtras.h"

using namespace klineage::sym;

/// Fewer rounds are written out.
static constexpr int64_t leastRounds = 4;

namespace {
/// A fold on its way to its canonical form.
struct Draft {
  Arena &arena;
  Atom counter;
  Poly count;
  Term acc, init, body;

  Term make();
  std::optional<Term> withoutState();
  std::optional<Term> writtenOut();
  bool trim();
  std::optional<Term> longer();
  std::optional<Term> merged(Poly inner, int64_t rounds, Term step,
                             Term stepAcc);
  bool joinInit();
  Term close();
};
} // namespace

/// The accumulator has no influence: the last round's value.
std::optional<Term> Draft::withoutState() {
  if (body == acc)
    return init;
  if (Mentions(arena).add(body).has(acc))
    return std::nullopt;
  Substituter last(arena);
  last.set(counter, arena.sub(count, arena.constant(1)));
  Term value = last.apply(body);
  Pred some = arena.nonNegative(arena.sub(count, arena.constant(1)));
  if (auto known = arena.decide(some))
    some = arena.boolean(*known);
  return arena.select(some, value, init);
}

std::optional<Term> Draft::writtenOut() {
  std::optional<int64_t> rounds = arena.constantOf(count);
  if (!rounds || *rounds >= leastRounds)
    return std::nullopt;
  Term value = init;
  for (int64_t i = 0; i < *rounds; ++i) {
    Substituter round(arena);
    round.set(counter, arena.constant(i));
    round.set(acc, value);
    value = round.apply(body);
  }
  return value;
}

/// Rounds from some number on change nothing: there are only those before.
bool Draft::trim() {
  const TermNode n = arena.node(body);
  if (n.kind != TermNode::Kind::select)
    return false;
  bool inverted = n.kids[0] == acc;
  if (!inverted && n.kids[1] != acc)
    return false;
  Pred active = inverted ? arena.negate(n.pred) : n.pred;
  Term step = n.kids[inverted ? 1 : 0];
  llvm::SmallVector<Pred> parts{active};
  if (arena.node(active).kind == PredNode::Kind::all)
    parts.assign(arena.node(active).parts.begin(),
                 arena.node(active).parts.end());
  for (size_t i = 0; i < parts.size(); ++i) {
    const PredNode part = arena.node(parts[i]);
    if (part.kind != PredNode::Kind::nonNegative)
      continue;
    // limit - 1 - counter >= 0
    Poly limit = arena.add(arena.add(Poly(part.operand), arena.ofAtom(counter)),
                           arena.constant(1));
    if (Mentions(arena).add(limit).has(counter))
      continue;
    count = arena.max(arena.constant(0), arena.min(count, limit));
    parts.erase(parts.begin() + i);
    body = arena.select(arena.all(parts), step, acc);
    return true;
  }
  return false;
}

/// One round of this fold is `rounds` of `step`, whose number in the round is
/// the symbol `inner`: a fold of `step` alone, if it depends on
/// rounds * counter + inner only.
std::optional<Term> Draft::merged(Poly inner, int64_t rounds, Term step,
                                  Term stepAcc) {
  Poly next = arena.symbol("k", {0, Interval::none});
  Substituter sub(arena);
  sub.setScaled(counter, rounds, arena.sub(next, inner),
                arena.floorDiv(next, arena.constant(rounds)));
  Term flat = sub.apply(step);
  Mentions left(arena);
  left.add(flat);
  if (left.has(*arena.atomOf(inner)) || left.has(counter))
    return std::nullopt;
  return makeFold(arena, *arena.atomOf(next), arena.scale(count, rounds),
                  stepAcc, init, flat);
}

std::optional<Term> Draft::longer() {
  const TermNode n = arena.node(body);
  if (n.kind == TermNode::Kind::fold && n.kids[0] == acc) {
    Arena::Open open = openFold(arena, body);
    std::optional<int64_t> rounds = arena.constantOf(n.poly);
    if (!rounds || Mentions(arena).add(open.body).has(acc))
      return std::nullopt;
    return merged(arena.ofAtom(open.counter), *rounds, open.body,
                  open.accumulator);
  }
  Chain chain = chainOf(arena, body);
  if (chain.links.size() < 2 || chain.bottom != acc)
    return std::nullopt;
  Term link = arena.variable();
  Poly inner = arena.symbol("s", {0, int64_t(chain.links.size()) - 1});
  std::optional<Term> step =
      generalize(arena, linkOver(arena, chain.links[0], acc, link),
                 linkOver(arena, chain.links[1], chain.links[0], link), inner);
  if (!step)
    return std::nullopt;
  Term before = acc;
  for (auto [i, expected] : llvm::enumerate(chain.links)) {
    Substituter sub(arena);
    sub.set(*arena.atomOf(inner), arena.constant(int64_t(i)));
    sub.set(link, before);
    if (sub.apply(*step) != expected)
      return std::nullopt;
    before = expected;
  }
  return merged(inner, int64_t(chain.links.size()), *step, link);
}

/// `init` is a fold of the same body that ends where this one starts.
bool Draft::joinInit() {
  const TermNode n = arena.node(init);
  if (n.kind != TermNode::Kind::fold)
    return false;
  Arena::Open open = openFold(arena, init);
  Substituter later(arena);
  later.set(open.counter, arena.add(n.poly, arena.ofAtom(counter)));
  later.set(open.accumulator, acc);
  if (later.apply(open.body) != body || !arena.isNonNegative(count) ||
      !arena.isNonNegative(n.poly))
    return false;
  counter = open.counter;
  acc = open.accumulator;
  body = open.body;
  count = arena.add(n.poly, count);
  init = n.kids[0];
  return true;
}

Term Draft::close() {
  uint32_t height = arena.node(body).height + 1;
  Substituter sub(arena);
  sub.set(counter, arena.counter(height));
  sub.set(acc, arena.accumulator(height));
  Term fold = arena.foldNode(height, count, init, sub.apply(body));
  arena.open.try_emplace(uint32_t(fold), Arena::Open{counter, acc, body});
  return fold;
}

Term Draft::make() {
  if (!arena.failure().empty())
    return arena.undefined();
  while (trim() || joinInit()) {
  }
  if (auto value = withoutState())
    return *value;
  if (auto value = writtenOut())
    return *value;
  if (auto value = longer())
    return *value;
  return close();
}

Term klineage::sym::makeFold(Arena &arena, Atom counter, Poly count,
                             Term accumulator, Term init, Term body) {
  return Draft{arena, counter, count, accumulator, init, body}.make();
}

Arena::Open klineage::sym::openFold(Arena &arena, Term fold) {
  return arena.open.lookup(uint32_t(fold));
}
