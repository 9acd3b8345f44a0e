//===- Guard.cpp - Run-time guards that keep the old code
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace klineage;

/// `min(c, extent - iv)`: the size of a tile that may be partial.
static std::optional<int64_t> fullSize(affine::AffineMinOp min) {
  AffineMap map = min.getMap();
  if (map.getNumResults() != 2)
    return std::nullopt;
  for (AffineExpr expr : map.getResults())
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return constant.getValue();
  return std::nullopt;
}

/// The serial loop of the body whose index the size depends on, if any.
static scf::ForOp serialLoopOf(affine::AffineMinOp min, scf::ForallOp threads) {
  for (Value operand : min->getOperands()) {
    auto arg = dyn_cast<BlockArgument>(operand);
    auto loop = arg ? dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp())
                    : scf::ForOp();
    if (loop && threads->isAncestor(loop))
      return loop;
  }
  return {};
}

/// Sizes whose fullness is the same for all threads of a block.
static SmallVector<affine::AffineMinOp> uniformSizes(scf::ForallOp threads) {
  SetVector<affine::AffineMinOp> sizes;
  scf::ForallOp block = enclosingBlockLoop(threads);
  block.walk([&](affine::AffineMinOp min) {
    if (!fullSize(min))
      return;
    bool threadLocal = llvm::any_of(min->getOperands(), [&](Value operand) {
      auto arg = dyn_cast<BlockArgument>(operand);
      return arg && arg.getOwner() == threads.getBody();
    });
    scf::ForOp serial = serialLoopOf(min, threads);
    bool strip = serial && !serial->hasAttr("klineage.thread_loop") &&
                 getConstantIntValue(serial.getLowerBound()) == 0 &&
                 getConstantIntValue(serial.getStep()) == fullSize(min);
    bool outside = !threads->isAncestor(min);
    if (!threadLocal && (outside || strip))
      sizes.insert(min);
  });
  return sizes.takeVector();
}

bool klineage::hasGuardableTiles(scf::ForallOp threads) {
  return threads && enclosingBlockLoop(threads) &&
         !uniformSizes(threads).empty();
}

/// True if the tile is whole, in every iteration of the loop it depends on.
static Value isFull(RewriterBase &rewriter, affine::AffineMinOp min,
                    scf::ForallOp threads) {
  Location loc = min.getLoc();
  int64_t full = *fullSize(min);
  auto equals = [&](Value value, int64_t constant) -> Value {
    return arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::eq, value,
        arith::ConstantIndexOp::create(rewriter, loc, constant));
  };
  scf::ForOp serial = serialLoopOf(min, threads);
  if (!serial)
    return equals(min, full);
  AffineMap map = min.getMap();
  AffineExpr rest = isa<AffineConstantExpr>(map.getResult(0))
                        ? map.getResult(1)
                        : map.getResult(0);
  // The loop starts at 0 with the tile as its step.
  SmallVector<OpFoldResult> operands;
  for (Value operand : min->getOperands())
    operands.push_back(operand == serial.getInductionVar()
                           ? OpFoldResult(rewriter.getIndexAttr(0))
                           : OpFoldResult(operand));
  OpFoldResult remainder = affine::makeComposedFoldedAffineApply(
      rewriter, loc,
      AffineMap::get(map.getNumDims(), map.getNumSymbols(), rest % full),
      operands);
  return equals(getValueOrCreateConstantIndexOp(rewriter, loc, remainder), 0);
}

Operation *klineage::guardFullTiles(RewriterBase &rewriter,
                                    scf::ForallOp threads, Operation *target) {
  Location loc = threads.getLoc();
  SmallVector<affine::AffineMinOp> sizes = uniformSizes(threads);
  Block *body = threads.getBody();
  SmallVector<Operation *> old;
  for (Operation &op : body->without_terminator())
    old.push_back(&op);

  rewriter.setInsertionPointToStart(body);
  Value condition;
  for (affine::AffineMinOp min : sizes) {
    Value full = isFull(rewriter, min, threads);
    condition =
        condition
            ? arith::AndIOp::create(rewriter, loc, condition, full).getResult()
            : full;
  }
  auto guard =
      scf::IfOp::create(rewriter, loc, condition, /*withElseRegion=*/true);
  guard->setAttr(kGuardAttr, rewriter.getStringAttr("full_tiles"));
  for (Operation *op : old)
    rewriter.moveOpBefore(op, guard.elseBlock()->getTerminator());

  rewriter.setInsertionPoint(guard.thenBlock()->getTerminator());
  IRMapping mapping;
  for (affine::AffineMinOp min : sizes)
    if (!threads->isAncestor(min))
      mapping.map(min.getResult(),
                  arith::ConstantIndexOp::create(rewriter, loc, *fullSize(min))
                      .getResult());
  for (Operation *op : old)
    rewriter.clone(*op, mapping);
  for (affine::AffineMinOp min : sizes) {
    if (!threads->isAncestor(min))
      continue;
    Operation *copy = mapping.lookup(min.getOperation());
    rewriter.setInsertionPoint(copy);
    rewriter.replaceOp(
        copy, arith::ConstantIndexOp::create(rewriter, loc, *fullSize(min)));
  }
  return mapping.lookup(target);
}

LogicalResult klineage::removeGuard(RewriterBase &rewriter, Operation *op) {
  auto guard = op->getParentOfType<scf::IfOp>();
  while (guard && !guard->hasAttr(kGuardAttr))
    guard = guard->getParentOfType<scf::IfOp>();
  if (!guard || !guard.elseBlock())
    return op->emitError("undo expects a guard with its old code around it");
  for (Operation &old :
       llvm::make_early_inc_range(guard.elseBlock()->without_terminator()))
    rewriter.moveOpBefore(&old, guard);
  rewriter.eraseOp(guard);
  return success();
}
