//===- OutputMap.cpp - From what blocks store to one function of the element
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/OutputMap.h"
#include "KLineage/Analysis/Symbolic/Fold.h"
#include "KLineage/Analysis/Symbolic/Print.h"
#include "KLineage/Analysis/Symbolic/Substitute.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace klineage;
using namespace klineage::sym;

ArrayShape klineage::makeShape(Arena &arena, llvm::ArrayRef<Poly> sizes) {
  ArrayShape shape;
  shape.sizes.assign(sizes.begin(), sizes.end());
  Poly linear = arena.constant(0);
  for (auto [i, size] : llvm::enumerate(sizes)) {
    auto constant = arena.constantOf(size);
    Poly at =
        constant == 1
            ? arena.constant(0)
            : arena.symbol("i" + std::to_string(i),
                           {0, constant ? *constant - 1 : Interval::none});
    if (!constant)
      arena.assume(arena.sub(arena.sub(size, at), arena.constant(1)));
    shape.coordinates.push_back(at);
    linear = arena.add(arena.mul(linear, size), at);
  }
  shape.linear = linear;
  return shape;
}

namespace {
/// Neighbouring dimensions that are taken as one.
struct Group {
  Poly stride{}, size{}, at{};
  // What the stores have in common: `scale` times the pivot.
  std::optional<Atom> pivot;
  int64_t scale = 1;
  Poly place{}; ///< symbol for the coordinate
};

struct Instance {
  const ElementStore *store;
  llvm::SmallVector<Poly, 4> at;
  llvm::SmallVector<int64_t, 4> rest;
};

struct Mapper {
  Arena &arena;
  const BlockSummary &summary;
  const KernelLaunch &launch;
  std::string &why;
  llvm::SmallVector<Group, 4> groups;
  std::vector<Instance> instances;

  void group(const ArrayShape &shape, unsigned mask);
  bool locate();
  bool findPivots();
  bool setPivot(Group &g, Poly base);
  bool covers();
  bool blocksUsed();
  using Rests = llvm::SmallVector<int64_t, 4>;
  using Values = std::map<Rests, std::pair<Term, unsigned>>;
  std::optional<Term> general(const Values &values, Rests at, size_t from);
  std::optional<Term> sameFunction();
  bool fail(const llvm::Twine &text) {
    why = text.str();
    return false;
  }
};
} // namespace

/// Bit i of the mask: dimension i goes on in the same group as i + 1.
void Mapper::group(const ArrayShape &shape, unsigned mask) {
  groups.clear();
  Poly stride = arena.constant(1);
  Group current;
  bool open = false;
  for (size_t i = shape.sizes.size(); i-- > 0;) {
    if (!open)
      current = {stride, arena.constant(1), arena.constant(0), {}, 1, {}};
    current.at =
        arena.add(current.at, arena.mul(shape.coordinates[i], current.size));
    current.size = arena.mul(current.size, shape.sizes[i]);
    stride = arena.mul(stride, shape.sizes[i]);
    open = i > 0 && (mask & (1u << (i - 1)));
    if (!open)
      groups.push_back(current);
  }
  if (groups.empty())
    groups.push_back(
        {arena.constant(1), arena.constant(1), arena.constant(0), {}, 1, {}});
  std::reverse(groups.begin(), groups.end());
}

/// Splits each offset into one coordinate a group, all within bounds.
bool Mapper::locate() {
  for (Instance &instance : instances) {
    Facts facts;
    arena.learn(instance.store->guard, facts);
    instance.at.clear();
    Poly rest = instance.store->offset;
    for (auto [i, g] : llvm::enumerate(groups)) {
      Poly at = rest;
      if (i + 1 < groups.size())
        std::tie(at, rest) = arena.split(rest, g.stride);
      if (i > 0 &&
          (!arena.isNonNegative(at, facts) ||
           !arena.isNonNegative(
               arena.sub(arena.sub(g.size, at), arena.constant(1)), facts)))
        return fail("the place " + Printer(arena).str(at) +
                    " may lie beyond the extent " + Printer(arena).str(g.size));
      instance.at.push_back(at);
    }
  }
  return true;
}

bool Mapper::setPivot(Group &g, Poly base) {
  g.pivot.reset();
  g.scale = 1;
  const PolyNode &n = arena.node(base);
  if (n.terms.empty())
    return true;
  if (n.terms.size() != 1 || n.terms[0].atoms.size() != 1 ||
      n.terms[0].coefficient < 1)
    return fail("the places " + Printer(arena).str(base) +
                " are no multiple of one block id or counter");
  g.pivot = n.terms[0].atoms[0];
  g.scale = n.terms[0].coefficient;
  return true;
}

bool Mapper::findPivots() {
  for (auto [i, g] : llvm::enumerate(groups)) {
    std::optional<Poly> common;
    for (Instance &instance : instances) {
      Poly at = instance.at[i], base = at;
      int64_t rest = 0;
      for (const Monomial &m : arena.node(at).terms)
        if (m.atoms.empty())
          rest = m.coefficient;
      base = arena.sub(at, arena.constant(rest));
      if (common && *common != base)
        return fail("stores at " + Printer(arena).str(base) + " and at " +
                    Printer(arena).str(*common) +
                    " have no block id or counter in common");
      common = base;
      instance.rest.push_back(rest);
    }
    if (!setPivot(g, *common))
      return false;
    for (const Group &other : groups)
      if (&other != &g && g.pivot && other.pivot == g.pivot)
        return fail("two coordinates follow one block id or counter");
  }
  return true;
}

/// Every element once: the rests are all of the places that one value of the
/// pivots has, or all there are.
bool Mapper::covers() {
  uint64_t expected = 1;
  for (auto [i, g] : llvm::enumerate(groups)) {
    std::optional<int64_t> extent =
        g.pivot ? g.scale : arena.constantOf(g.size);
    if (!extent)
      return fail("an extent that is not a constant, and no block id or "
                  "counter that goes through it");
    for (const Instance &instance : instances)
      if (instance.rest[i] < 0 || instance.rest[i] >= *extent)
        return fail("a place beyond those of one block or round");
    expected *= uint64_t(*extent);
    if (expected > (uint64_t(1) << 32))
      return fail("too many elements");
  }
  std::set<Rests> seen;
  for (const Instance &instance : instances)
    if (!seen.insert(instance.rest).second)
      return fail("two stores to one element");
  if (seen.size() != expected)
    return fail("only " + llvm::Twine(seen.size()) + " of " +
                llvm::Twine(expected) + " elements of a tile are stored");
  return true;
}

/// Each block id goes through a coordinate, as far as there are elements.
bool Mapper::blocksUsed() {
  llvm::DenseSet<Atom> pivots;
  for (const Group &g : groups)
    if (g.pivot)
      pivots.insert(*g.pivot);
  for (unsigned i = 0; i < 3; ++i) {
    if (arena.constantOf(summary.blockId[i]))
      continue;
    Atom id = *arena.atomOf(summary.blockId[i]);
    if (!pivots.erase(id))
      return fail("blocks that differ in one id only store to one element");
    for (const Group &g : groups)
      if (g.pivot == id &&
          !arena.isNonNegative(
              arena.sub(arena.scale(launch.gridSize[i], g.scale), g.size)))
        return fail("the grid may be too small for the extent " +
                    Printer(arena).str(g.size));
  }
  for (const Instance &instance : instances) {
    const auto &counters = instance.store->counters;
    for (Atom counter : counters)
      if (llvm::none_of(groups,
                        [&](const Group &g) { return g.pivot == counter; }))
        return fail("rounds of a loop that store to one element");
    for (Atom pivot : pivots)
      if (!llvm::is_contained(counters, pivot))
        return fail("a place that follows neither a block id nor a counter");
  }
  return true;
}

/// The value over the places of the groups from `from` on that have no pivot:
/// what two neighbours have, taken further.
std::optional<Term> Mapper::general(const Values &values, Rests at,
                                    size_t from) {
  for (size_t i = from; i < groups.size(); ++i) {
    if (groups[i].pivot || arena.constantOf(groups[i].size) == 1)
      continue;
    std::optional<Term> first = general(values, at, i + 1);
    at[i] = 1;
    std::optional<Term> second = general(values, at, i + 1);
    if (!first || !second)
      return std::nullopt;
    return generalize(arena, *first, *second, groups[i].place);
  }
  auto it = values.find(at);
  return it == values.end() ? std::optional<Term>() : it->second.first;
}

std::optional<Term> Mapper::sameFunction() {
  Values values;
  Printer printer(arena, 200);
  for (const Instance &instance : instances) {
    Substituter sub(arena);
    Facts facts; // of the elements that this store is about
    for (auto [i, g] : llvm::enumerate(groups)) {
      if (!g.pivot)
        continue;
      Poly scaled = arena.sub(g.at, arena.constant(instance.rest[i]));
      Poly pivot = arena.floorDiv(g.at, arena.constant(g.scale));
      sub.setScaled(*g.pivot, g.scale, scaled, pivot);
      if (g.scale == 1)
        continue;
      Poly gap = arena.sub(arena.scale(pivot, g.scale), scaled);
      facts.push_back(gap);
      facts.push_back(arena.scale(gap, -1));
    }
    Pred guard = sub.apply(instance.store->guard);
    if (arena.decide(guard, facts) != true) {
      fail("an element is stored only where " + printer.str(guard));
      return std::nullopt;
    }
    values[instance.rest] = {sub.apply(instance.store->value),
                             instance.store->thread};
  }
  for (Group &g : groups)
    g.place = arena.symbol("z", {0, Interval::none});
  std::optional<Term> whole = general(values, Rests(groups.size(), 0), 0);
  for (auto &[rest, value] : values) {
    Substituter at(arena);
    for (auto [i, g] : llvm::enumerate(groups))
      if (!g.pivot)
        at.set(*arena.atomOf(g.place), arena.constant(rest[i]));
    Term expected = whole ? at.apply(*whole) : values.begin()->second.first;
    if (expected == value.first)
      continue;
    fail("thread " + llvm::Twine(value.second) + " stores " +
         printer.str(value.first) + " where the others say " +
         printer.str(expected));
    return std::nullopt;
  }
  Substituter places(arena);
  for (const Group &g : groups)
    places.set(*arena.atomOf(g.place), g.at);
  return whole ? places.apply(*whole) : whole;
}

/// A thread sees old contents only of elements that it stores itself.
static bool readsOwn(const BlockSummary &summary, uint64_t array,
                     std::string &why) {
  std::set<std::pair<uint32_t, unsigned>> stored;
  for (const ElementStore &store : summary.stores)
    if (store.array == array)
      stored.insert({uint32_t(store.offset), store.thread});
  for (const EarlyRead &read : summary.earlyReads)
    if (read.array == array &&
        !stored.count({uint32_t(read.offset), read.thread})) {
      why = "a thread reads an element that another one may store";
      return false;
    }
  return true;
}

std::optional<Term> klineage::mapOutput(Arena &arena,
                                        const BlockSummary &summary,
                                        const KernelLaunch &launch,
                                        uint64_t array, const ArrayShape &shape,
                                        std::string &why) {
  if (!readsOwn(summary, array, why))
    return std::nullopt;
  unsigned rank = shape.sizes.size(), masks = rank ? 1u << (rank - 1) : 1;
  std::string reason;
  for (unsigned mask = 0; mask < masks; ++mask) {
    Mapper mapper{arena, summary, launch, reason, {}, {}};
    for (const ElementStore &store : summary.stores)
      if (store.array == array &&
          arena.decide(store.guard) != std::optional<bool>(false))
        mapper.instances.push_back({&store, {}, {}});
    if (mapper.instances.empty()) {
      why = "nothing is stored";
      return std::nullopt;
    }
    mapper.group(shape, mask);
    if (mapper.locate() && mapper.findPivots() && mapper.covers() &&
        mapper.blocksUsed()) {
      std::optional<Term> value = mapper.sameFunction();
      if (!value) {
        why = reason;
        continue;
      }
      Mentions mentions(arena);
      mentions.add(*value);
      for (Poly id : summary.blockId)
        if (auto atom = arena.atomOf(id); atom && mentions.has(*atom)) {
          why = "the value depends on the block id besides the element";
          return std::nullopt;
        }
      if (mentions.hasUndefined()) {
        why = "the value depends on memory that nothing was stored to";
        return std::nullopt;
      }
      for (auto &[term, seen] : mentions.all())
        if (arena.node(term).kind == TermNode::Kind::load &&
            arena.node(term).bits == array &&
            arena.node(term).poly != shape.linear) {
          why = "the value depends on another element of the same buffer";
          return std::nullopt;
        }
      return value;
    }
    if (why.empty())
      why = reason;
  }
  return std::nullopt;
}
