//===- Normalize.cpp - Values up to how sums are rounded
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Symbolic/Normalize.h"
#include "KLineage/Analysis/Symbolic/Fold.h"
#include "KLineage/Analysis/Symbolic/Substitute.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace klineage::sym;
using Kind = TermNode::Kind;

/// Fewer operands are no family.
static constexpr size_t leastFamily = 4;

static constexpr llvm::StringLiteral levelNames[] = {"exact", "contracted",
                                                     "reassociated"};

std::optional<Level> klineage::sym::levelOf(llvm::StringRef name) {
  for (unsigned i = 0; i < 3; ++i)
    if (levelNames[i] == name)
      return Level(i);
  return std::nullopt;
}

llvm::StringRef klineage::sym::nameOf(Level level) {
  return levelNames[unsigned(level)];
}

bool Normalizer::isAssociative(Label label) const {
  static const char *const names[] = {"addf", "maximumf", "minimumf", "maxnumf",
                                      "minnumf"};
  return level == Level::reassociated &&
         llvm::any_of(names,
                      [&](const char *n) { return arena.text(label) == n; });
}

bool Normalizer::isFma(const TermNode &n) const {
  return arena.text(n.label) == "fma";
}

static bool isOp(const Arena &arena, const TermNode &n, llvm::StringRef name) {
  return n.kind == Kind::op && arena.text(n.label).starts_with(name);
}

/// The last operation that makes the value may be a product.
static bool endsInProduct(const Arena &arena, Term t) {
  const TermNode &n = arena.node(t);
  if (n.kind == Kind::select || n.kind == Kind::fold)
    return llvm::any_of(n.kids,
                        [&](Term kid) { return endsInProduct(arena, kid); });
  if (isOp(arena, n, "negf"))
    return endsInProduct(arena, n.kids[0]);
  return isOp(arena, n, "mulf");
}

bool klineage::sym::mayContract(Arena &arena, Term t) {
  Mentions mentions(arena);
  mentions.add(t);
  for (auto &[term, seen] : mentions.all()) {
    const TermNode &n = arena.node(term);
    if ((isOp(arena, n, "addf") || isOp(arena, n, "subf")) &&
        llvm::any_of(n.kids,
                     [&](Term kid) { return endsInProduct(arena, kid); }))
      return true;
    // What a fold carries goes from one round into the next.
    if (n.kind == Kind::fold && endsInProduct(arena, term))
      return true;
  }
  return false;
}

/// Of f32 and f64; others stay operands.
bool Normalizer::isNeutral(Label label, Term t) const {
  const TermNode &n = arena.node(t);
  llvm::StringRef op = arena.text(label);
  if (n.kind == Kind::argument)
    return arena.text(n.label) == ("neutral." + op).str();
  if (n.kind != Kind::constant)
    return false;
  bool wide = arena.text(n.label) == "f64";
  if (!wide && arena.text(n.label) != "f32")
    return false;
  uint64_t infinity = wide ? 0x7ff0000000000000 : 0x7f800000;
  uint64_t sign = wide ? 0x8000000000000000 : 0x80000000;
  if (op == "addf")
    return n.bits == 0 || n.bits == sign;
  // maxnumf and minnumf of a NaN alone would lose it.
  if (op == "maximumf")
    return n.bits == (sign | infinity);
  return op == "minimumf" && n.bits == infinity;
}

/// A fold that joins one operand a round to what it has.
bool Normalizer::flattenFold(Label label, Term t, Sum &sum) {
  const TermNode n = arena.node(t);
  Arena::Open open = openFold(arena, t);
  Sum body;
  flatten(label, open.body, body);
  auto *acc = llvm::find(body.single, open.accumulator);
  if (acc == body.single.end() || !body.families.empty())
    return false;
  body.single.erase(acc);
  for (Term value : body.single)
    if (Mentions(arena).add(value).has(open.accumulator))
      return false;
  flatten(label, n.kids[0], sum);
  for (Term value : body.single)
    sum.families.push_back({open.counter, n.poly, value});
  return true;
}

void Normalizer::flatten(Label label, Term t, Sum &sum) {
  const TermNode n = arena.node(t);
  if (n.kind == Kind::op && n.label == label) {
    for (Term kid : n.kids)
      flatten(label, kid, sum);
    return;
  }
  if (n.kind == Kind::op && isFma(n) && arena.text(label) == "addf") {
    sum.single.push_back(arena.op(arena.label("mulf"), {n.kids[0], n.kids[1]}));
    flatten(label, n.kids[2], sum);
    return;
  }
  if (isNeutral(label, t) ||
      (n.kind == Kind::fold && flattenFold(label, t, sum)))
    return;
  sum.single.push_back(t);
}

/// The first offset of a load in there: what a family progresses by.
static std::optional<Poly> firstOffset(const Arena &arena, Term t) {
  const TermNode &n = arena.node(t);
  if (n.kind == Kind::load)
    return n.poly;
  for (Term kid : n.kids)
    if (auto found = firstOffset(arena, kid))
      return found;
  return std::nullopt;
}

namespace {
struct Placed {
  int64_t at;
  size_t index;
};
} // namespace

/// By the part of the offset that is not constant, in order of the rest.
static std::vector<std::vector<Placed>>
progressions(Arena &arena, llvm::ArrayRef<Term> values) {
  llvm::MapVector<std::pair<uint64_t, uint32_t>, std::vector<Placed>> by;
  for (auto [index, value] : llvm::enumerate(values)) {
    auto offset = firstOffset(arena, value);
    if (!offset)
      continue;
    int64_t at = 0;
    for (const Monomial &m : arena.node(*offset).terms)
      if (m.atoms.empty())
        at = m.coefficient;
    Poly rest = arena.sub(*offset, arena.constant(at));
    // A key that the map reserves cannot be one.
    by[{arena.node(value).shape >> 1, uint32_t(rest)}].push_back({at, index});
  }
  std::vector<std::vector<Placed>> lists;
  for (auto &[key, list] : by) {
    llvm::sort(list, [](const Placed &a, const Placed &b) {
      return std::pair(a.at, a.index) < std::pair(b.at, b.index);
    });
    lists.push_back(std::move(list));
  }
  return lists;
}

/// Operands that progress evenly become families.
void Normalizer::gather(Label label, Sum &sum) {
  llvm::SmallVector<bool> used(sum.single.size(), false);
  for (const std::vector<Placed> &list : progressions(arena, sum.single)) {
    for (size_t first = 0; first + leastFamily <= list.size();) {
      Poly step = arena.symbol("k", {0, int64_t(list.size()) - 1});
      auto general = generalize(arena, sum.single[list[first].index],
                                sum.single[list[first + 1].index], step);
      size_t count = 0;
      while (general && first + count < list.size()) {
        Substituter at(arena);
        at.set(*arena.atomOf(step), arena.constant(int64_t(count)));
        if (at.apply(*general) != sum.single[list[first + count].index])
          break;
        ++count;
      }
      if (count < leastFamily) {
        ++first;
        continue;
      }
      for (size_t i = first; i < first + count; ++i)
        used[list[i].index] = true;
      sum.families.push_back(
          {*arena.atomOf(step), arena.constant(int64_t(count)), *general});
      first += count;
    }
  }
  llvm::SmallVector<Term> left;
  for (auto [value, gone] : llvm::zip(sum.single, used))
    if (!gone)
      left.push_back(value);
  sum.single = left;
}

/// K, if the count may be that of the numbers D n below K.
static std::optional<Poly> limitOf(Arena &arena, Poly count, int64_t by) {
  for (const Monomial &m : arena.node(count).terms)
    for (Atom atom : m.atoms) {
      const AtomNode n = arena.node(atom);
      if (n.kind == AtomNode::Kind::max || n.kind == AtomNode::Kind::min) {
        for (Poly side : {n.lhs, n.rhs})
          if (auto limit = limitOf(arena, side, by))
            return limit;
        continue;
      }
      auto divisor = n.kind == AtomNode::Kind::floorDiv
                         ? arena.constantOf(n.rhs)
                         : std::nullopt;
      if (divisor && m.coefficient == -1 && by % *divisor == 0)
        return arena.scale(n.lhs, -(by / *divisor));
    }
  return std::nullopt;
}

/// Families whose counters leave each other's gaps are one: D of them, of
/// operands f(D n + j), j from 0 to D - 1.
void Normalizer::mergeStrided(Sum &sum) {
  llvm::SmallVector<Term> values;
  Poly common = arena.symbol("n", {0, Interval::none});
  for (Sum::Family &family : sum.families) {
    Substituter sub(arena);
    sub.set(family.counter, common);
    family.value = sub.apply(family.value);
    family.counter = *arena.atomOf(common);
    values.push_back(family.value);
  }
  llvm::SmallVector<bool> used(values.size(), false);
  std::vector<Sum::Family> merged;
  for (const std::vector<Placed> &list : progressions(arena, values)) {
    int64_t by = int64_t(list.size());
    if (by < 2)
      continue;
    Poly k = arena.symbol("k", {0, Interval::none});
    Poly first = sum.families[list[0].index].count;
    Poly limit = arena.constant(0);
    if (arena.constantOf(first)) {
      for (const Placed &p : list)
        limit = arena.add(limit, sum.families[p.index].count);
    } else if (auto found = limitOf(arena, first, by)) {
      limit = *found;
    }
    std::optional<Term> whole;
    bool good = true;
    for (auto [j, p] : llvm::enumerate(list)) {
      const Sum::Family &family = sum.families[p.index];
      Poly expected =
          arena.max(arena.constant(0),
                    arena.ceilDiv(arena.sub(limit, arena.constant(int64_t(j))),
                                  arena.constant(by)));
      Substituter sub(arena);
      sub.setScaled(family.counter, by,
                    arena.sub(k, arena.constant(int64_t(j))),
                    arena.floorDiv(k, arena.constant(by)));
      Term value = sub.apply(family.value);
      good &= expected == family.count && (!whole || *whole == value);
      whole = value;
    }
    if (!good)
      continue;
    for (const Placed &p : list)
      used[p.index] = true;
    merged.push_back({*arena.atomOf(k), limit, *whole});
  }
  for (auto [family, gone] : llvm::zip(sum.families, used))
    if (!gone)
      merged.push_back(family);
  sum.families.assign(merged.begin(), merged.end());
}

Term Normalizer::withFamily(Label label, const Sum::Family &family, Term init) {
  Term acc = arena.variable();
  return makeFold(arena, family.counter, family.count, acc, init,
                  arena.op(label, {acc, family.value}));
}

Term Normalizer::join(Label label, Sum sum) {
  Term neutral =
      arena.argument(arena.label(("neutral." + arena.text(label)).str()));
  llvm::SmallVector<Term> parts = sum.single;
  for (const Sum::Family &family : sum.families)
    parts.push_back(withFamily(label, family, neutral));
  if (parts.empty())
    return neutral;
  llvm::sort(parts, [&](Term a, Term b) {
    return std::pair(arena.node(a).shape, a) <
           std::pair(arena.node(b).shape, b);
  });
  Term result = parts[0];
  for (Term part : llvm::ArrayRef(parts).drop_front())
    result = arena.op(label, {result, part});
  return result;
}

/// The operation that the term joins operands by, if any.
std::optional<Label> Normalizer::joinedBy(Term t) {
  const TermNode *n = &arena.node(t);
  if (n->kind == Kind::fold)
    n = &arena.node(openFold(arena, t).body);
  if (n->kind != Kind::op)
    return std::nullopt;
  Label label = isFma(*n) ? arena.label("addf") : n->label;
  if (!isAssociative(label))
    return std::nullopt;
  return label;
}

/// All operands first, then what they are: a part of a sum is not looked at as
/// a sum of its own.
Term Normalizer::joined(Label label, Term t) {
  Sum raw, sum;
  flatten(label, t, raw);
  if (raw.single.size() == 1 && raw.single[0] == t)
    return plain(t);
  for (Term value : raw.single)
    flatten(label, apply(value), sum);
  for (Sum::Family family : raw.families) {
    family.value = apply(family.value);
    sum.families.push_back(family);
  }
  gather(label, sum);
  mergeStrided(sum);
  return join(label, std::move(sum));
}

Term Normalizer::plain(Term t) {
  const TermNode n = arena.node(t);
  if (n.kind == Kind::fold) {
    Arena::Open open = openFold(arena, t);
    return makeFold(arena, open.counter, n.poly, open.accumulator,
                    apply(n.kids[0]), apply(open.body));
  }
  if (n.kind != Kind::op && n.kind != Kind::select)
    return t;
  llvm::SmallVector<Term, 3> kids;
  for (Term kid : n.kids)
    kids.push_back(apply(kid));
  if (n.kind == Kind::select)
    return arena.select(n.pred, kids[0], kids[1]);
  if (isFma(n))
    return arena.op(
        arena.label("addf"),
        {arena.op(arena.label("mulf"), {kids[0], kids[1]}), kids[2]});
  return arena.op(n.label, kids);
}

Term Normalizer::apply(Term t) {
  if (level == Level::exact || !arena.failure().empty())
    return t;
  if (auto it = memo.find(t); it != memo.end())
    return it->second;
  std::optional<Label> label = joinedBy(t);
  Term result = label ? joined(*label, t) : plain(t);
  memo[t] = result;
  return result;
}
