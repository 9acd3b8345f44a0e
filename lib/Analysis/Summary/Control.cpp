//===- Control.cpp - Branches, short loops and shuffles of the executor
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"

using namespace mlir;
using namespace klineage;
using namespace klineage::sym;

/// Loops with more rounds are folded.
static constexpr int64_t mostTrips = 64;

bool Executor::runBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (!runOp(op))
      return false;
  return true;
}

bool Executor::runOp(Operation &op) {
  if (!arena.failure().empty())
    return refuse(&op, arena.failure());
  if (isa<gpu::BarrierOp>(op))
    return true;
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return runIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return runFor(loop);
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
    return runShuffle(shuffle);
  bool known = false;
  for (auto run : {&Executor::runInteger, &Executor::runFloat,
                   &Executor::runVector, &Executor::runMemory}) {
    bool good = (this->*run)(op, known);
    if (known)
      return good;
  }
  return refuse(&op, "'" + op.getName().getStringRef() +
                         "' is an operation that the executor does not know");
}

/// The path where the condition holds, too.
Lanes Executor::within(const Lanes &condition, bool negated) {
  Lanes out;
  bool uniform = condition.uniform() && path.uniform() && facts.size() == 1;
  for (unsigned lane = 0; lane < (uniform ? 1 : threads); ++lane) {
    Pred p = Pred(condition.at(lane));
    if (active(lane)) {
      if (auto known = decide(p, lane))
        p = arena.boolean(*known);
      if (negated)
        p = arena.negate(p);
      p = arena.all({Pred(path.at(lane)), p});
    } else {
      p = arena.boolean(false);
    }
    out.ids.push_back(uint32_t(p));
  }
  compress(out);
  return out;
}

bool Executor::runBranch(Region &region, const Lanes &condition, bool negated) {
  if (region.empty())
    return true;
  Lanes saved = path;
  Lanes taken = within(condition, negated);
  if (taken.uniform() && Pred(taken.at(0)) == arena.boolean(false))
    return true;
  std::vector<Facts> before = facts;
  path = taken;
  addFacts(path);
  bool good = runBlock(region.front());
  path = saved;
  facts = before;
  return good;
}

bool Executor::mergeResults(Operation *op, const Lanes &condition,
                            ValueRange yes, ValueRange no) {
  for (auto [result, a, b] : llvm::zip(op->getResults(), yes, no)) {
    const Lanes *x = get(a), *y = get(b);
    if (!x && !y)
      return refuse(op, "a result that is not understood");
    // A branch that no thread takes has no values.
    if (!x || !y) {
      Lanes only = x ? *x : *y;
      values[result] = only;
      continue;
    }
    Type type = getElementTypeOrSelf(result.getType());
    Lanes left = *x, right = *y, out;
    out.width = left.width;
    forLanes({&condition, &left, &right}, out,
             [&](unsigned lane, uint32_t *to) {
               Pred p = Pred(condition.at(lane));
               if (auto known = arena.decide(p))
                 p = arena.boolean(*known);
               for (unsigned i = 0; i < out.width; ++i)
                 to[i] = chosen(type, p, left.at(lane, i), right.at(lane, i));
               return true;
             });
    values[result] = out;
  }
  return true;
}

bool Executor::runIf(scf::IfOp op) {
  const Lanes *found = get(op.getCondition());
  if (!found)
    return refuse(op, "a condition that is not understood");
  const Lanes condition = *found;
  // Nothing is left of values that a branch had before.
  for (Region *region : {&op.getThenRegion(), &op.getElseRegion()})
    region->walk([&](Operation *inner) {
      for (Value result : inner->getResults())
        values.erase(result);
    });
  if (!runBranch(op.getThenRegion(), condition, false) ||
      !runBranch(op.getElseRegion(), condition, true))
    return false;
  if (op.getNumResults() == 0)
    return true;
  return mergeResults(op, condition, op.thenYield().getOperands(),
                      op.elseYield().getOperands());
}

/// No thread makes more rounds, if there is such a number.
std::optional<int64_t> Executor::tripsAtMost(scf::ForOp op, int64_t step) {
  const Lanes *lower = get(op.getLowerBound()),
              *upper = get(op.getUpperBound());
  int64_t most = 0;
  bool uniform = lower->uniform() && upper->uniform();
  for (unsigned lane = 0; lane < (uniform ? 1 : threads); ++lane) {
    if (!uniform && !active(lane))
      continue;
    Interval range =
        arena.rangeOf(arena.sub(Poly(upper->at(lane)), Poly(lower->at(lane))));
    if (range.hi == Interval::none)
      return std::nullopt;
    most = std::max(most, llvm::divideCeilSigned(range.hi, step));
  }
  return most;
}

static bool hasBarrier(scf::ForOp op) {
  return op.walk([](gpu::BarrierOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

bool Executor::runFor(scf::ForOp op) {
  const Lanes *step = get(op.getStep());
  if (!step || !get(op.getLowerBound()) || !get(op.getUpperBound()) ||
      !op.getInductionVar().getType().isIntOrIndex())
    return refuse(op, "bounds that are not understood");
  auto by =
      step->uniform() ? arena.constantOf(Poly(step->at(0))) : std::nullopt;
  if (!by || *by <= 0)
    return refuse(op, "a loop whose step is not a constant");
  std::optional<int64_t> trips = tripsAtMost(op, *by);
  if (trips && *trips <= 0)
    trips = 0;
  bool isShort = trips && *trips <= mostTrips;
  if (isShort && (*trips < 4 || !hasBarrier(op)))
    return runConcrete(op, *by, *trips);
  if (!isShort)
    return runFolded(op, *by);
  // A fold says the same with less; some loops are none.
  auto savedTouched = touched;
  auto savedEarly = early;
  auto savedFacts = facts;
  Lanes savedPath = path;
  size_t depth = frames.size(), stores = summary.stores.size();
  std::vector<Frame> savedFrames(frames.begin(), frames.end());
  if (runFolded(op, *by))
    return true;
  summary.refusal.reset();
  frames.assign(savedFrames.begin(), savedFrames.begin() + depth);
  summary.stores.resize(stores);
  touched = savedTouched;
  early = savedEarly;
  facts = savedFacts;
  path = savedPath;
  return runConcrete(op, *by, *trips);
}

/// Round by round, each where the bound allows it.
bool Executor::runConcrete(scf::ForOp op, int64_t step, int64_t trips) {
  const Lanes lower = *get(op.getLowerBound()),
              upper = *get(op.getUpperBound());
  SmallVector<Lanes> state;
  for (Value init : op.getInits()) {
    if (!get(init))
      return refuse(op, "a value that is not understood");
    state.push_back(*get(init));
  }
  for (int64_t trip = 0; trip < trips; ++trip) {
    Lanes at, goesOn;
    forLanes({&lower}, at, [&](unsigned lane, uint32_t *to) {
      *to = uint32_t(
          arena.add(Poly(lower.at(lane)), arena.constant(trip * step)));
      return true;
    });
    forLanes({&at, &upper}, goesOn, [&](unsigned lane, uint32_t *to) {
      *to = uint32_t(arena.less(Poly(at.at(lane)), Poly(upper.at(lane))));
      return true;
    });
    values[op.getInductionVar()] = at;
    for (auto [arg, lanes] : llvm::zip(op.getRegionIterArgs(), state))
      values[arg] = lanes;
    Lanes taken = within(goesOn, false);
    if (taken.uniform() && Pred(taken.at(0)) == arena.boolean(false))
      break;
    if (!runBranch(op.getRegion(), goesOn, false))
      return false;
    for (auto [i, yielded] :
         llvm::enumerate(op.getBody()->getTerminator()->getOperands())) {
      const Lanes *next = get(yielded);
      if (!next)
        return refuse(op, "a value that is not understood");
      Lanes left = *next, right = state[i], out;
      out.width = left.width;
      Type type = getElementTypeOrSelf(yielded.getType());
      forLanes({&taken, &left, &right}, out, [&](unsigned lane, uint32_t *to) {
        for (unsigned k = 0; k < out.width; ++k)
          to[k] = Pred(goesOn.at(lane)) == arena.boolean(true)
                      ? left.at(lane, k)
                      : chosen(type, Pred(goesOn.at(lane)), left.at(lane, k),
                               right.at(lane, k));
        return true;
      });
      state[i] = out;
    }
  }
  for (auto [result, lanes] : llvm::zip(op.getResults(), state))
    values[result] = lanes;
  return true;
}

bool Executor::runShuffle(gpu::ShuffleOp op) {
  const Lanes *value = get(op.getValue());
  const Lanes *by = get(op.getOffset()), *width = get(op.getWidth());
  if (!value || !by || !width || !by->uniform() || !width->uniform() ||
      value->width != 1)
    return refuse(op, "a shuffle whose lanes are not constant");
  auto offset = arena.constantOf(Poly(by->at(0)));
  auto group = arena.constantOf(Poly(width->at(0)));
  if (!offset || !group || *group < 1 || *group > 32 ||
      (*group & (*group - 1)) || *offset < 0 || *offset >= 32)
    return refuse(op, "a shuffle whose lanes are not constant");
  Lanes out, valid;
  const Lanes from = *value;
  for (int64_t lane = 0; lane < int64_t(threads); ++lane) {
    int64_t at = lane % *group, base = lane - at, source = at;
    switch (op.getMode()) {
    case gpu::ShuffleMode::XOR:
      source = at ^ *offset;
      break;
    case gpu::ShuffleMode::DOWN:
      source = at + *offset;
      break;
    case gpu::ShuffleMode::UP:
      source = at - *offset;
      break;
    case gpu::ShuffleMode::IDX:
      source = *offset;
      break;
    }
    bool inside = source >= 0 && source < *group;
    int64_t other = inside ? base + source : lane;
    if (other >= int64_t(threads) ||
        (active(lane) && path.at(other) != path.at(lane)))
      return refuse(op, "a shuffle that not all its threads reach");
    out.ids.push_back(from.at(other));
    valid.ids.push_back(uint32_t(arena.boolean(inside)));
  }
  compress(out);
  compress(valid);
  values[op.getShuffleResult()] = out;
  values[op.getValid()] = valid;
  return true;
}
