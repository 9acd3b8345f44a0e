//===- ControlFaults.cpp - Faults in loops, grids, guards and barriers
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace klineage::testing;

Value klineage::testing::shifted(OpBuilder &b, Value value, int64_t by) {
  Location loc = value.getLoc();
  auto attr = b.getIntegerAttr(value.getType(), by);
  Value constant = arith::ConstantOp::create(b, loc, attr);
  return arith::AddIOp::create(b, loc, value, constant);
}

std::optional<int64_t> klineage::testing::constantOf(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

template <typename... Ops> static bool isOneOf(Operation *op) {
  return isa<Ops...>(op);
}

static void erase(OpBuilder &, Operation *op) { op->erase(); }

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void oneMore(OpBuilder &b, Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  loop.setUpperBound(shifted(b, loop.getUpperBound(), 1));
}

static void oneLess(OpBuilder &b, Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  loop.setUpperBound(arith::SubIOp::create(
      b, op->getLoc(), loop.getUpperBound(), loop.getStep()));
}

static void startLate(OpBuilder &b, Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  loop.setLowerBound(arith::AddIOp::create(
      b, op->getLoc(), loop.getLowerBound(), loop.getStep()));
}

static void doubleStep(OpBuilder &b, Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  loop.setStep(
      arith::AddIOp::create(b, op->getLoc(), loop.getStep(), loop.getStep()));
}

//===----------------------------------------------------------------------===//
// Grids and blocks
//===----------------------------------------------------------------------===//

static bool hasMapping(Operation *op, bool blocks) {
  auto forall = dyn_cast<scf::ForallOp>(op);
  if (!forall || !forall.getMapping() || forall.getMapping()->empty())
    return false;
  return isa<gpu::GPUBlockMappingAttr>((*forall.getMapping())[0]) == blocks;
}

/// Half of the threads along the last dimension: a block may well have some
/// that it does not need.
static void halveThreads(OpBuilder &, Operation *op) {
  auto forall = cast<scf::ForallOp>(op);
  auto bounds = llvm::to_vector(forall.getStaticUpperBound());
  bounds.back() = (bounds.back() + 1) / 2;
  forall.setStaticUpperBound(bounds);
}

/// The last dimension loses its last tile.
static void shrinkForall(OpBuilder &b, Operation *op) {
  auto forall = cast<scf::ForallOp>(op);
  auto bounds = llvm::to_vector(forall.getStaticUpperBound());
  ArrayRef<int64_t> steps = forall.getStaticStep();
  if (!ShapedType::isDynamic(bounds.back())) {
    bounds.back() -= ShapedType::isDynamic(steps.back()) ? 1 : steps.back();
    forall.setStaticUpperBound(bounds);
    return;
  }
  MutableOperandRange dynamic = forall.getDynamicUpperBoundMutable();
  OpOperand &last = dynamic[dynamic.size() - 1];
  last.set(shifted(b, last.get(), -1));
}

static void shrinkGrid(OpBuilder &b, Operation *op) {
  auto launch = cast<gpu::LaunchFuncOp>(op);
  MutableOperandRange size = launch.getGridSizeXMutable();
  size.assign(shifted(b, launch.getGridSizeX(), -1));
}

//===----------------------------------------------------------------------===//
// Guards and clamps
//===----------------------------------------------------------------------===//

static bool isGuard(Operation *op) {
  auto guard = dyn_cast<scf::IfOp>(op);
  return guard && guard.getNumResults() == 0 &&
         !constantOf(guard.getCondition());
}

static Value constantBit(OpBuilder &b, Location loc, bool bit) {
  return arith::ConstantOp::create(b, loc, b.getBoolAttr(bit));
}

static void alwaysTaken(OpBuilder &b, Operation *op) {
  cast<scf::IfOp>(op).getConditionMutable().assign(
      constantBit(b, op->getLoc(), true));
}

static void neverTaken(OpBuilder &b, Operation *op) {
  cast<scf::IfOp>(op).getConditionMutable().assign(
      constantBit(b, op->getLoc(), false));
}

/// A condition of a guard that keeps the old code: whatever closes it is right.
static bool choosesOldCode(Value condition) {
  return llvm::any_of(condition.getUsers(), [](Operation *user) {
    if (auto guard = dyn_cast<scf::IfOp>(user))
      return !guard.getElseRegion().empty();
    return isa<arith::AndIOp>(user) && choosesOldCode(user->getResult(0));
  });
}

static std::optional<arith::CmpIPredicate> neighbourOf(Operation *op) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare || choosesOldCode(compare))
    return std::nullopt;
  using P = arith::CmpIPredicate;
  switch (compare.getPredicate()) {
  case P::slt:
    return P::sle;
  case P::ult:
    return P::ule;
  case P::sle:
    return P::slt;
  case P::ule:
    return P::ult;
  case P::sgt:
    return P::sge;
  case P::ugt:
    return P::uge;
  case P::sge:
    return P::sgt;
  case P::uge:
    return P::ugt;
  case P::eq:
    return P::ule;
  case P::ne:
    return P::ugt;
  }
  return std::nullopt;
}

static void nextPredicate(OpBuilder &, Operation *op) {
  cast<arith::CmpIOp>(op).setPredicate(*neighbourOf(op));
}

/// The tails of rows are read by clamped loads: a maximum without a mask sees
/// elements twice, which is no fault.
static bool isSelect(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select || !select.getCondition().getType().isInteger(1))
    return false;
  Operation *masked = select.getTrueValue().getDefiningOp();
  return !isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp,
                          arith::MaxNumFOp, arith::MinNumFOp>(masked);
}

static void unmask(OpBuilder &b, Operation *op) {
  cast<arith::SelectOp>(op).getConditionMutable().assign(
      constantBit(b, op->getLoc(), true));
}

/// The full tile instead of what is left of it.
static void dropClamp(OpBuilder &b, Operation *op) {
  auto clamp = cast<affine::AffineMinOp>(op);
  AffineMap map = clamp.getMap();
  unsigned chosen = map.getNumResults() - 1;
  for (auto [i, result] : llvm::enumerate(map.getResults()))
    if (isa<AffineConstantExpr>(result))
      chosen = i;
  Value full = affine::AffineApplyOp::create(
      b, op->getLoc(), map.getSubMap({chosen}), clamp.getOperands());
  clamp.getResult().replaceAllUsesWith(full);
  op->erase();
}

static bool isIntegerMin(Operation *op) {
  return isa<arith::MinSIOp, arith::MinUIOp>(op) &&
         (constantOf(op->getOperand(0)) || constantOf(op->getOperand(1)));
}

static void dropMin(OpBuilder &, Operation *op) {
  op->getResult(0).replaceAllUsesWith(
      op->getOperand(constantOf(op->getOperand(0)) ? 0 : 1));
  op->erase();
}

/// A tile of min(size, bound - iv) elements is empty in a trip beyond the
/// bound: such a trip is no fault.
static bool isUnclampedLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop &&
         llvm::none_of(loop.getUpperBound().getUsers(), [&](Operation *user) {
           return isa<affine::AffineMinOp>(user) &&
                  loop->isProperAncestor(user);
         });
}

ArrayRef<FaultKind> klineage::testing::controlFaults() {
  static const FaultKind kinds[] = {
      {"barrier_dropped", "a barrier is missing", isOneOf<gpu::BarrierOp>,
       erase},
      {"wait_dropped", "nobody waits for an asynchronous copy",
       isOneOf<nvgpu::DeviceAsyncWaitOp>, erase},
      {"wait_late", "an asynchronous copy is waited for after the barrier",
       [](Operation *op) {
         return isa<nvgpu::DeviceAsyncWaitOp>(op) &&
                isa_and_nonnull<gpu::BarrierOp>(op->getNextNode());
       },
       [](OpBuilder &, Operation *op) { op->moveAfter(op->getNextNode()); }},
      {"wait_loose", "a wait lets the last group stay under way",
       isOneOf<nvgpu::DeviceAsyncWaitOp>,
       [](OpBuilder &, Operation *op) {
         cast<nvgpu::DeviceAsyncWaitOp>(op).setNumGroups(1);
       }},
      {"trip_more", "a loop goes one step too far", isUnclampedLoop, oneMore},
      {"trip_less", "a loop lacks its last step", isOneOf<scf::ForOp>, oneLess},
      {"start_late", "a loop lacks its first step", isOneOf<scf::ForOp>,
       startLate},
      {"step_doubled", "a loop leaves out every other step",
       isOneOf<scf::ForOp>, doubleStep},
      {"blocks_missing", "the last block of a row is missing",
       [](Operation *op) { return hasMapping(op, true); }, shrinkForall},
      {"threads_missing", "half of the threads of a row are missing",
       [](Operation *op) {
         return hasMapping(op, false) &&
                cast<scf::ForallOp>(op).getStaticUpperBound().back() > 1;
       },
       halveThreads},
      {"grid_small", "a grid lacks its last block", isOneOf<gpu::LaunchFuncOp>,
       shrinkGrid},
      {"guard_missing", "a guard is missing", isGuard, alwaysTaken},
      {"guard_closed", "a guard never lets anything through",
       [](Operation *op) {
         return isGuard(op) && cast<scf::IfOp>(op).getElseRegion().empty();
       },
       neverTaken},
      {"bound_inclusive", "a comparison is off by one",
       [](Operation *op) { return neighbourOf(op).has_value(); },
       nextPredicate},
      {"mask_missing", "a mask is missing", isSelect, unmask},
      {"clamp_missing", "a partial tile is taken for a whole one",
       isOneOf<affine::AffineMinOp>, dropClamp},
      {"min_missing", "a minimum with a constant is that constant",
       isIntegerMin, dropMin}};
  return kinds;
}
