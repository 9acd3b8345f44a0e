//===- Loops.cpp - Loops of any number of rounds, as folds
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "KLineage/Analysis/Symbolic/Fold.h"
#include "KLineage/Analysis/Symbolic/Substitute.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace klineage;
using namespace klineage::sym;

static bool isMemory(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

/// What an integer grows by from round to round; null if it does not follow a
/// rule. Zero: it stays.
static std::optional<Value> stepOf(scf::ForOp op, BlockArgument arg) {
  Value next = op.getTiedLoopYieldedValue(arg)->get();
  if (next == arg)
    return Value();
  auto add = next.getDefiningOp<arith::AddIOp>();
  if (!add)
    return std::nullopt;
  for (auto [a, b] : {std::pair(add.getLhs(), add.getRhs()),
                      std::pair(add.getRhs(), add.getLhs())})
    if (a == arg && op.isDefinedOutsideOfLoop(b))
      return b;
  return std::nullopt;
}

/// Floats that a loop carries are cells of a memory of their own; integers
/// progress evenly.
bool Executor::bindCarried(scf::ForOp op) {
  Poly counter = frames.back().counter;
  for (BlockArgument arg : op.getRegionIterArgs()) {
    const Lanes init = *get(op.getTiedLoopInit(arg)->get());
    Lanes out;
    if (isMemory(arg.getType())) {
      unsigned root = carried[arg];
      out.width = init.width;
      out.ids.assign(threads * init.width, 0);
      for (unsigned lane = 0; lane < threads; ++lane)
        for (unsigned part = 0; active(lane) && part < out.width; ++part)
          out.ids[lane * out.width + part] = uint32_t(
              content(keyOf(root, lane, arena.constant(part)), frames.size()));
      values[arg] = out;
      continue;
    }
    std::optional<Value> step = stepOf(op, arg);
    const Lanes *by = step && *step ? get(*step) : nullptr;
    if (!step || (*step && !by) || !arg.getType().isIntOrIndex() ||
        arg.getType().isInteger(1))
      return refuse(op, "an integer that a loop carries but does not count up");
    if (!*step) {
      values[arg] = init;
      continue;
    }
    const Lanes each = *by;
    forLanes({&init, &each}, out, [&](unsigned lane, uint32_t *to) {
      *to = uint32_t(arena.add(Poly(init.at(lane)),
                               arena.mul(counter, Poly(each.at(lane)))));
      return true;
    });
    values[arg] = out;
  }
  return true;
}

bool Executor::storeCarried(scf::ForOp op) {
  for (BlockArgument arg : op.getRegionIterArgs()) {
    if (!isMemory(arg.getType()))
      continue;
    const Lanes *next = get(op.getTiedLoopYieldedValue(arg)->get());
    if (!next)
      return refuse(op, "a value that is not understood");
    for (unsigned lane = 0; lane < threads; ++lane)
      for (unsigned part = 0; active(lane) && part < next->width; ++part)
        frames.back().cells[keyOf(carried[arg], lane, arena.constant(part))] = {
            Term(next->at(lane, part)), arena.boolean(true)};
  }
  return true;
}

bool Executor::bindResults(scf::ForOp op, const std::vector<Poly> &counts) {
  for (auto [arg, result] :
       llvm::zip(op.getRegionIterArgs(), op.getResults())) {
    const Lanes init = *get(op.getTiedLoopInit(arg)->get());
    Lanes out;
    out.width = init.width;
    out.ids.assign(threads * init.width, 0);
    std::optional<Value> step;
    if (!isMemory(arg.getType()))
      step = stepOf(op, arg);
    for (unsigned lane = 0; lane < threads; ++lane) {
      if (!active(lane))
        continue;
      if (step) {
        Poly by = *step ? Poly(get(*step)->at(lane)) : arena.constant(0);
        out.ids[lane] = uint32_t(
            arena.add(Poly(init.at(lane)), arena.mul(counts[lane], by)));
        continue;
      }
      for (unsigned part = 0; part < out.width; ++part)
        out.ids[lane * out.width + part] = uint32_t(content(
            keyOf(carried[arg], lane, arena.constant(part)), frames.size()));
    }
    compress(out);
    values[result] = out;
  }
  return true;
}

bool Executor::isStream(const Frame &frame, CellKey key) {
  return Mentions(arena)
      .add(Poly(std::get<2>(key)))
      .has(*arena.atomOf(frame.counter));
}

/// A cell that each round writes anew holds, before a round, what the round
/// before wrote; the first one finds the same rule.
bool Executor::resolveBefore(scf::ForOp op, Frame &frame) {
  Atom counter = *arena.atomOf(frame.counter);
  llvm::DenseMap<Term, CellKey> owner;
  for (auto &[key, variable] : frame.before)
    owner[variable] = key;
  auto others = [&](Term value, std::optional<CellKey> self) {
    for (auto &[term, seen] : Mentions(arena).add(value).all())
      if (auto it = owner.find(term);
          it != owner.end() && (!self || it->second != *self))
        return true;
    return false;
  };
  Substituter known(arena);
  for (auto [key, variable] : frame.before) {
    auto *it = frame.cells.find(key);
    if (it == frame.cells.end() || isStream(frame, key)) {
      known.set(variable, content(key, frames.size()));
      continue;
    }
    const Cell &cell = it->second;
    if (cell.guard != arena.boolean(true) || others(cell.value, std::nullopt))
      continue;
    Substituter before(arena), first(arena);
    before.set(counter, arena.sub(frame.counter, arena.constant(1)));
    first.set(counter, arena.constant(-1));
    if (first.apply(cell.value) == content(key, frames.size()))
      known.set(variable, before.apply(cell.value));
  }
  for (auto &[key, cell] : frame.cells) {
    cell.value = known.apply(cell.value);
    cell.guard = known.apply(cell.guard);
    if (others(cell.value, key))
      return refuse(op, "values that a loop carries and that depend on each "
                        "other");
    Mentions guards(arena);
    guards.add(cell.guard);
    for (auto &[term, seen] : guards.all())
      if (owner.contains(term))
        return refuse(op, "a store under a condition that the loop carries");
  }
  return true;
}

/// Each round stores to elements of its own.
bool Executor::streamCell(scf::ForOp op, const Frame &frame, CellKey key,
                          const Cell &cell) {
  auto [root, thread, offset] = key;
  if (frames.size() != 1)
    return refuse(op, "stores that progress in a loop inside of a loop");
  auto [stride, rest] = arena.split(Poly(offset), frame.counter);
  Atom counter = *arena.atomOf(frame.counter);
  if (Mentions(arena).add(stride).add(rest).has(counter) ||
      !arena.isNonNegative(arena.sub(stride, arena.constant(1))))
    return refuse(op, "stores of a loop whose places do not progress evenly");
  for (auto &[other, unused] : frame.cells) {
    if (std::get<0>(other) != root || std::get<1>(other) != thread)
      continue;
    auto [otherStride, otherRest] =
        arena.split(Poly(std::get<2>(other)), frame.counter);
    Poly gap = arena.sub(rest, otherRest);
    Poly room = arena.sub(stride, arena.constant(1));
    if (otherStride != stride || !arena.isNonNegative(arena.sub(room, gap)) ||
        !arena.isNonNegative(arena.add(room, gap)))
      return refuse(op, "stores of a loop that may meet in different rounds");
  }
  Pred guard =
      arena.all({Pred(path.at(thread)), frame.inRange[thread], cell.guard});
  summary.stores.push_back(
      {roots[root].array, Poly(offset), cell.value, guard, {counter}, thread});
  return true;
}

bool Executor::closeFrame(scf::ForOp op, Frame &frame,
                          const std::vector<Poly> &counts) {
  if (!resolveBefore(op, frame))
    return false;
  Atom counter = *arena.atomOf(frame.counter);
  unsigned first = 0;
  while (first + 1 < threads && !active(first))
    ++first;
  for (auto &[key, cell] : frame.cells) {
    if (!arena.failure().empty())
      return refuse(op, arena.failure());
    auto [root, thread, offset] = key;
    unsigned lane = thread == noThread ? first : thread;
    if (isStream(frame, key)) {
      if (!streamCell(op, frame, key, cell))
        return false;
      continue;
    }
    Term before = frame.before.lookup(key);
    if (before == Term(0))
      before = arena.variable();
    Term body = cell.value;
    if (cell.guard != arena.boolean(true))
      body = arena.select(cell.guard, body, before);
    Term value = makeFold(arena, counter, counts[lane], before,
                          content(key, frames.size()), body);
    setCell(key, value, Pred(path.at(lane)));
  }
  return true;
}

bool Executor::runRound(scf::ForOp op, int64_t step) {
  Frame &frame = frames.back();
  const Lanes lower = *get(op.getLowerBound()),
              upper = *get(op.getUpperBound());
  Lanes at, inRange;
  forLanes({&lower}, at, [&](unsigned lane, uint32_t *to) {
    *to = uint32_t(
        arena.add(Poly(lower.at(lane)), arena.scale(frame.counter, step)));
    return true;
  });
  forLanes({&at, &upper}, inRange, [&](unsigned lane, uint32_t *to) {
    *to = uint32_t(arena.less(Poly(at.at(lane)), Poly(upper.at(lane))));
    return true;
  });
  for (unsigned lane = 0; lane < threads; ++lane)
    frame.inRange.push_back(Pred(inRange.at(lane)));
  values[op.getInductionVar()] = at;
  addFacts(inRange);
  return bindCarried(op) && runBlock(*op.getBody()) && storeCarried(op);
}

bool Executor::runFolded(scf::ForOp op, int64_t step) {
  const Lanes lower = *get(op.getLowerBound()),
              upper = *get(op.getUpperBound());
  Lanes rounds;
  forLanes({&lower, &upper}, rounds, [&](unsigned lane, uint32_t *to) {
    Poly extent = arena.sub(Poly(upper.at(lane)), Poly(lower.at(lane)));
    *to = uint32_t(arena.max(arena.constant(0),
                             arena.ceilDiv(extent, arena.constant(step))));
    return true;
  });
  std::vector<Poly> counts;
  for (unsigned lane = 0; lane < threads; ++lane)
    counts.push_back(Poly(rounds.at(lane)));
  Frame frame;
  frame.counter = arena.symbol("n", {0, Interval::none});
  bool together = false;
  op.walk([&](Operation *inner) {
    together |= isa<gpu::ShuffleOp, gpu::BarrierOp>(inner);
    if (Value target = storedTo(inner)) {
      unsigned root = rootIds.lookup(baseOfView(target));
      frame.written.insert(root);
      together |= roots[root].space == Root::Space::shared;
    }
  });
  if (together && (!rounds.uniform() || !path.uniform()))
    return refuse(op, "a loop with barriers, shuffles or shared memory whose "
                      "threads make different numbers of rounds");
  for (BlockArgument arg : op.getRegionIterArgs()) {
    const Lanes *init = get(op.getTiedLoopInit(arg)->get());
    if (!init)
      return refuse(op, "a value that is not understood");
    if (!isMemory(arg.getType()))
      continue;
    auto [it, isNew] = carried.try_emplace(arg, unsigned(roots.size()));
    if (isNew)
      roots.push_back({Root::Space::local, 0, true, int64_t(init->width)});
    frame.written.insert(it->second);
    for (unsigned lane = 0; lane < threads; ++lane)
      for (unsigned part = 0; active(lane) && part < init->width; ++part)
        frames.back().cells[keyOf(it->second, lane, arena.constant(part))] = {
            Term(init->at(lane, part)), arena.boolean(true)};
  }
  const Lanes savedPath = path;
  const std::vector<Facts> savedFacts = facts;
  Lanes inside;
  for (unsigned lane = 0; lane < (path.uniform() ? 1 : threads); ++lane)
    inside.ids.push_back(uint32_t(arena.boolean(active(lane))));
  path = inside;
  frames.push_back(std::move(frame));
  bool good = runRound(op, step);
  Frame done = std::move(frames.back());
  frames.pop_back();
  path = savedPath;
  facts = savedFacts;
  return good && closeFrame(op, done, counts) && bindResults(op, counts);
}
