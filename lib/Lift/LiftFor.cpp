//===- LiftFor.cpp - Counting loops become scf.for
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lift/Passes.h"
#include "Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"

namespace klineage {
#define GEN_PASS_DEF_LIFTFORPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {
/// The counter of `while (iv < bound) { ...; iv += step; }`.
struct Counter {
  arith::CmpIOp compare;
  arith::AddIOp increment;
  Value step;
  bool isUnsigned = false;
};
} // namespace

/// True if `value` is at least one. Sizes of grids and blocks are.
static bool isPositive(Value value, bool isUnsigned) {
  if (auto constant = constantOf(value))
    return isUnsigned ? *constant != 0 : *constant > 0;
  Operation *def = value.getDefiningOp();
  if (!def)
    return false;
  if (isa<gpu::BlockDimOp, gpu::GridDimOp>(def))
    return true;
  // Extents fit 31 bits, so each extension and truncation keeps them.
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp>(def)) {
    Operation *inner = def->getOperand(0).getDefiningOp();
    return inner &&
           (!isa<arith::IndexCastOp>(def) ||
            isa<gpu::BlockDimOp, gpu::GridDimOp>(inner)) &&
           isPositive(def->getOperand(0), isUnsigned);
  }
  auto flagged = [&](auto op) {
    return bitEnumContainsAny(op.getOverflowFlags(),
                              isUnsigned ? arith::IntegerOverflowFlags::nuw
                                         : arith::IntegerOverflowFlags::nsw);
  };
  if (auto mul = dyn_cast<arith::MulIOp>(def))
    return flagged(mul) && isPositive(mul.getLhs(), isUnsigned) &&
           isPositive(mul.getRhs(), isUnsigned);
  if (auto shift = dyn_cast<arith::ShLIOp>(def))
    return flagged(shift) && isPositive(shift.getLhs(), isUnsigned);
  return false;
}

static std::optional<Counter> findCounter(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare->getBlock() != loop.getBeforeBody())
    return std::nullopt;
  auto predicate = compare.getPredicate();
  using P = arith::CmpIPredicate;
  Value iv = compare.getLhs();
  if (predicate == P::sgt || predicate == P::ugt)
    iv = compare.getRhs();
  else if (predicate != P::slt && predicate != P::ult)
    return std::nullopt;
  auto before = dyn_cast<BlockArgument>(iv);
  if (!before || before.getOwner() != loop.getBeforeBody())
    return std::nullopt;
  auto yield = cast<scf::YieldOp>(loop.getAfterBody()->getTerminator());
  auto increment =
      yield.getOperand(before.getArgNumber()).getDefiningOp<arith::AddIOp>();
  if (!increment)
    return std::nullopt;
  for (auto [index, forwarded] : llvm::enumerate(condition.getArgs())) {
    Value after = loop.getAfterArguments()[index];
    if (forwarded != iv)
      continue;
    if (increment.getLhs() == after || increment.getRhs() == after)
      return Counter{compare, increment,
                     increment.getLhs() == after ? increment.getRhs()
                                                 : increment.getLhs(),
                     predicate == P::ult || predicate == P::ugt};
  }
  return std::nullopt;
}

/// Upstream knows `slt` only. The loop is the same once the `scf.for` says that
/// it compares without sign.
static void makeSigned(arith::CmpIOp compare) {
  auto predicate = compare.getPredicate();
  if (predicate == arith::CmpIPredicate::ult)
    compare.setPredicate(arith::CmpIPredicate::slt);
  else if (predicate == arith::CmpIPredicate::ugt)
    compare.setPredicate(arith::CmpIPredicate::sgt);
}

namespace {
struct LiftFor : klineage::impl::LiftForPassBase<LiftFor> {
  using LiftForPassBase::LiftForPassBase;

  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::WhileOp loop : loops)
      lift(loop, rewriter);
  }

  void lift(scf::WhileOp loop, RewriterBase &rewriter) {
    auto counter = findCounter(loop);
    if (!counter)
      return reportKept(loop, "the loop counts nothing up to a bound");
    bool wraps = constantOf(counter->step) != 1 &&
                 !bitEnumContainsAny(counter->increment.getOverflowFlags(),
                                     counter->isUnsigned
                                         ? arith::IntegerOverflowFlags::nuw
                                         : arith::IntegerOverflowFlags::nsw);
    bool positive = isPositive(counter->step, counter->isUnsigned);
    if (!assumeNoWrap && (wraps || !positive))
      return reportKept(loop, positive ? "the counter may wrap"
                                       : "the step may not be positive");
    auto original = counter->compare.getPredicate();
    makeSigned(counter->compare);
    if (wraps || !positive)
      stampAssumption(loop, "loop-no-wrap");
    rewriter.setInsertionPoint(loop);
    FailureOr<scf::ForOp> made = scf::upliftWhileToForLoop(rewriter, loop);
    if (failed(made)) {
      counter->compare.setPredicate(original);
      return reportKept(loop, "the loop does more than count");
    }
    if (counter->isUnsigned)
      made->setUnsignedCmp(true);
  }
};
} // namespace
