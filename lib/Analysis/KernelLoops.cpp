//===- KernelLoops.cpp - Loops of a kernel: in closed form, unrolled, or bounded
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace klineage;

/// Iterations that are executed one by one, and accesses they may come to.
constexpr int64_t kUnrolled = 64;
constexpr size_t kUnrolledAccesses = 1024;

static bool isNumber(Type type) { return type.isIntOrIndex(); }

void KernelReader::forget(Region &region) {
  for (BlockArgument argument : region.getArguments())
    values.erase(argument);
  region.walk([&](Operation *op) {
    for (Value result : op->getResults())
      values.erase(result);
    for (Region &inner : op->getRegions())
      for (BlockArgument argument : inner.getArguments())
        values.erase(argument);
  });
}

/// What one iteration adds to a number that it carries, if that is constant.
static std::optional<int64_t> increment(Value carried, Value next) {
  if (carried == next)
    return 0;
  auto add = next.getDefiningOp<arith::AddIOp>();
  if (!add)
    return std::nullopt;
  Value other = add.getLhs() == carried   ? add.getRhs()
                : add.getRhs() == carried ? add.getLhs()
                                          : Value();
  APInt number;
  if (other && matchPattern(other, m_ConstantInt(&number)) &&
      number.getSignificantBits() <= 62)
    return number.getSExtValue();
  return std::nullopt;
}

/// Shifts by what the loop changes, and carried numbers that do not grow
/// evenly, have no closed form.
static bool hasNoClosedForm(scf::ForOp loop) {
  for (auto [argument, next] :
       llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues()))
    if (isNumber(argument.getType()) && !increment(argument, next))
      return true;
  return loop.getRegion()
      .walk([&](Operation *op) {
        bool shift = isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op);
        return shift && !matchPattern(op->getOperand(1), m_Constant())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void KernelReader::unroll(scf::ForOp loop, int64_t lower, int64_t step,
                          int64_t trips) {
  SmallVector<Expr> carried;
  for (Value init : loop.getInitArgs())
    carried.push_back(isNumber(init.getType()) ? valueOf(init) : 0);
  for (int64_t n = 0; n < trips; ++n) {
    forget(loop.getRegion());
    values[loop.getInductionVar()] = arena.constant(lower + n * step);
    for (auto [argument, value] : llvm::zip(loop.getRegionIterArgs(), carried))
      if (isNumber(argument.getType()))
        values[argument] = value;
    walk(loop.getRegion());
    for (auto [value, next] : llvm::zip(carried, loop.getYieldedValues()))
      if (isNumber(next.getType()))
        value = valueOf(next);
    if (model.accesses.size() > kUnrolledAccesses)
      return giveUp(loop, "a loop of too many accesses to follow one by one");
  }
  for (auto [result, value] : llvm::zip(loop.getResults(), carried))
    if (isNumber(result.getType()))
      values[result] = value;
}

/// Walks the body as iteration `j`. Counts its barriers in closed form if
/// `trips` says how often it runs.
void KernelReader::walkLoop(Guard guard, llvm::function_ref<void()> walkBody,
                            std::optional<Expr> trips) {
  Expr j = arena.var(guard.counter);
  model.guards.push_back(std::move(guard));
  guards.push_back(model.guards.size() - 1);
  // A trial of the body tells how many barriers one iteration has; the
  // accesses in it are then counted from nb * j on.
  Expr before = barriers;
  bool exactBefore = exactBarriers;
  size_t firstAccess = model.accesses.size();
  barriers = arena.constant(0);
  ++loopDepth;
  walkBody();
  --loopDepth;
  auto perIteration = arena.constantOf(barriers);
  if (!perIteration || (*perIteration && !trips)) {
    // The count varies with the iteration: as if there were no barrier.
    for (size_t i = firstAccess; i < model.accesses.size(); ++i) {
      model.accesses[i].barriers = before;
      model.accesses[i].exactBarriers = false;
    }
    barriers = before;
    exactBarriers = false;
  } else {
    Expr start = arena.add(before, arena.scale(j, *perIteration));
    for (size_t i = firstAccess; i < model.accesses.size(); ++i)
      model.accesses[i].barriers = arena.add(model.accesses[i].barriers, start);
    barriers =
        trips ? arena.add(before, arena.scale(*trips, *perIteration)) : before;
  }
  // A barrier that was left out late in the body orders its start as well.
  if (exactBefore && !exactBarriers)
    for (size_t i = firstAccess; i < model.accesses.size(); ++i)
      model.accesses[i].exactBarriers = false;
  guards.pop_back();
}

void KernelReader::visitFor(scf::ForOp loop) {
  Expr lower = valueOf(loop.getLowerBound());
  Expr upper = valueOf(loop.getUpperBound());
  auto step = arena.constantOf(valueOf(loop.getStep()));
  if (step && *step <= 0)
    return giveUp(loop, "a loop whose step is not positive");
  if (!step)
    return visitForOfUnknownStep(loop, lower, upper);
  Expr room = arena.sub(upper, lower);
  Expr trips =
      arena.maximum(arena.constant(0),
                    arena.floorDiv(arena.addConstant(room, *step - 1), *step));
  auto count = arena.constantOf(trips), first = arena.constantOf(lower);
  if (count && first && *count <= kUnrolled && hasNoClosedForm(loop))
    return unroll(loop, *first, *step, *count);
  Guard guard;
  guard.op = loop;
  guard.counter =
      arena.makeVar("j" + std::to_string(model.guards.size()), VarKind::counter,
                    {0, std::max<int64_t>(arena.rangeOf(trips).hi - 1, 0)});
  Expr j = arena.var(guard.counter);
  Expr iv = arena.add(lower, arena.scale(j, *step));
  values[loop.getInductionVar()] = iv;
  guard.holds = Formula::ge(arena.addConstant(arena.sub(upper, iv), -1));
  guard.fails = Formula::ge(arena.sub(iv, upper));
  for (auto [argument, init, next, result] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs(),
                 loop.getYieldedValues(), loop.getResults())) {
    auto more =
        isNumber(argument.getType()) ? increment(argument, next) : std::nullopt;
    if (!more)
      continue;
    Expr start = valueOf(init);
    values[argument] = arena.add(start, arena.scale(j, *more));
    values[result] = arena.add(start, arena.scale(trips, *more));
  }
  walkLoop(std::move(guard), [&] { walk(loop.getRegion()); }, trips);
}

/// The counter of iterations and the induction variable are not tied then.
void KernelReader::visitForOfUnknownStep(scf::ForOp loop, Expr lower,
                                         Expr upper) {
  std::string number = std::to_string(model.guards.size());
  Guard guard;
  guard.op = loop;
  guard.exact = false;
  guard.counter = arena.makeVar("j" + number, VarKind::counter, {0, kInfinity});
  Expr iv = arena.var(
      arena.makeVar("iv" + number, VarKind::counter, {-kInfinity, kInfinity}));
  values[loop.getInductionVar()] = iv;
  guard.holds = conj(Formula::ge(arena.sub(iv, lower)),
                     Formula::ge(arena.addConstant(arena.sub(upper, iv), -1)));
  guard.fails = Formula::always();
  walkLoop(std::move(guard), [&] { walk(loop.getRegion()); }, std::nullopt);
}

/// Whether the condition has the same value whatever the variables are.
std::optional<bool> KernelReader::decided(const Branch &branch) {
  auto never = [&](const Formula &formula) {
    return llvm::all_of(formula.disjuncts, [&](const Conjunction &all) {
      return simplify(arena, all).contradiction;
    });
  };
  if (never(branch.holds))
    return false;
  if (never(branch.fails))
    return true;
  return std::nullopt;
}

/// A loop over numbers that are all known, as of halving. False, and nothing
/// has changed, if it is none.
bool KernelReader::unrollWhile(scf::WhileOp loop) {
  SmallVector<Expr> carried;
  for (Value init : loop.getInits())
    carried.push_back(isNumber(init.getType()) ? valueOf(init) : 0);
  auto set = [&](ValueRange arguments) {
    for (auto [argument, value] : llvm::zip(arguments, carried))
      if (isNumber(argument.getType()))
        values[argument] = value;
  };
  auto take = [&](ValueRange operands) {
    carried.clear();
    for (Value operand : operands)
      carried.push_back(isNumber(operand.getType()) ? valueOf(operand) : 0);
  };
  size_t accesses = model.accesses.size(), branches = model.guards.size(),
         waits = model.barriers.size(), failures = model.notUnderstood.size();
  Expr before = barriers;
  bool exactBefore = exactBarriers;
  for (int64_t n = 0; n <= kUnrolled; ++n) {
    forget(loop.getBefore());
    set(loop.getBeforeArguments());
    auto go = decided(conditionOf(loop.getConditionOp().getCondition()));
    if (!go || model.accesses.size() > kUnrolledAccesses)
      break;
    walk(loop.getBefore());
    take(loop.getConditionOp().getArgs());
    if (!*go) {
      set(loop.getResults());
      return true;
    }
    forget(loop.getAfter());
    set(loop.getAfterArguments());
    walk(loop.getAfter());
    take(loop.getYieldOp().getResults());
  }
  model.accesses.resize(accesses);
  model.guards.resize(branches);
  model.barriers.resize(waits);
  model.notUnderstood.resize(failures);
  barriers = before;
  exactBarriers = exactBefore;
  forget(loop.getBefore());
  forget(loop.getAfter());
  return false;
}

/// What each iteration adds to carried number `number`, if that is the same in
/// all of them.
std::optional<Expr> KernelReader::addend(scf::WhileOp loop, unsigned number) {
  auto add =
      loop.getYieldOp().getResults()[number].getDefiningOp<arith::AddIOp>();
  if (!add)
    return std::nullopt;
  for (auto [carried, other] : {std::pair(add.getLhs(), add.getRhs()),
                                std::pair(add.getRhs(), add.getLhs())}) {
    auto argument = dyn_cast<BlockArgument>(carried);
    if (argument && argument.getOwner() == loop.getAfterBody() &&
        loop.getConditionOp().getArgs()[argument.getArgNumber()] ==
            loop.getBeforeArguments()[number] &&
        !loop->isAncestor(other.getParentBlock()->getParentOp()))
      return valueOf(other);
  }
  return std::nullopt;
}

void KernelReader::visitWhile(scf::WhileOp loop) {
  if (unrollWhile(loop))
    return;
  Guard guard;
  guard.op = loop;
  guard.exact = false;
  guard.counter = arena.makeVar("j" + std::to_string(model.guards.size()),
                                VarKind::counter, {0, kInfinity});
  guard.holds = guard.fails = Formula::always();
  for (auto [argument, init] :
       llvm::zip(loop.getBeforeArguments(), loop.getInits())) {
    if (!isNumber(argument.getType()))
      continue;
    auto more = addend(loop, argument.getArgNumber());
    if (auto step = more ? arena.constantOf(*more) : std::nullopt) {
      values[argument] = arena.add(
          valueOf(init), arena.scale(arena.var(guard.counter), *step));
      continue;
    }
    Expr number = arena.opaque("carried number");
    values[argument] = number;
    if (more && arena.rangeOf(*more).lo >= 0)
      guard.holds =
          conj(guard.holds, Formula::ge(arena.sub(number, valueOf(init))));
  }
  auto walkBody = [&] {
    walk(loop.getBefore());
    scf::ConditionOp exit = loop.getConditionOp();
    Branch condition = conditionOf(exit.getCondition());
    for (auto [argument, value] :
         llvm::zip(loop.getAfterArguments(), exit.getArgs()))
      if (isNumber(argument.getType()))
        values[argument] = valueOf(value);
    Guard inside;
    inside.op = loop;
    inside.exact = false;
    inside.holds = condition.holds;
    inside.fails = Formula::always();
    model.guards.push_back(std::move(inside));
    guards.push_back(model.guards.size() - 1);
    walk(loop.getAfter());
    guards.pop_back();
  };
  walkLoop(std::move(guard), walkBody, std::nullopt);
}
