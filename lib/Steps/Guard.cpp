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
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

namespace {
/// Evaluates sizes behind the guard, for given threads and iterations.
class SizesBehindGuard {
public:
  explicit SizesBehindGuard(scf::ForallOp threads) {
    for (affine::AffineMinOp min : uniformSizes(threads))
      values[min.getResult()] = *fullSize(min);
    SmallVector<int64_t> extents(threads.getStaticUpperBound());
    for (auto [id, extent] : llvm::zip(threads.getInductionVars(), extents))
      ids.push_back({id, extent});
  }

  /// True if `size` is `bound` for all values of what it depends on.
  bool always(Value size, int64_t bound) {
    collectLoops(size);
    return enumerateIds(0, size, bound);
  }

private:
  static constexpr int64_t kMaxEvaluations = 1 << 16;

  /// Serial loops whose index `value` depends on, outermost first.
  void collectLoops(Value value) {
    if (values.contains(value))
      return;
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
      if (!loop || llvm::is_contained(loops, loop))
        return;
      for (Value bound :
           {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        collectLoops(bound);
      loops.push_back(loop);
      return;
    }
    for (Value operand : value.getDefiningOp()->getOperands())
      collectLoops(operand);
  }

  bool enumerateIds(size_t number, Value size, int64_t bound) {
    if (number == ids.size())
      return enumerateLoops(0, size, bound);
    auto [id, extent] = ids[number];
    if (ShapedType::isDynamic(extent))
      return false;
    for (int64_t value = 0; value < extent; ++value) {
      values[id] = value;
      if (!enumerateIds(number + 1, size, bound))
        return false;
    }
    return true;
  }

  bool enumerateLoops(size_t number, Value size, int64_t bound) {
    if (number == loops.size())
      return ++evaluations <= kMaxEvaluations && evaluate(size) == bound;
    scf::ForOp loop = loops[number];
    std::optional<int64_t> lower = evaluate(loop.getLowerBound()),
                           upper = evaluate(loop.getUpperBound()),
                           step = evaluate(loop.getStep());
    if (!lower || !upper || !step || *step < 1)
      return false;
    bool all = true;
    for (int64_t iv = *lower; iv < *upper && all; iv += *step) {
      values[loop.getInductionVar()] = iv;
      all = enumerateLoops(number + 1, size, bound);
    }
    values.erase(loop.getInductionVar());
    return all;
  }

  std::optional<int64_t> evaluate(Value value) {
    if (auto known = values.find(value); known != values.end())
      return known->second;
    if (auto constant = getConstantIntValue(value))
      return constant;
    Operation *op = value.getDefiningOp();
    AffineMap map;
    if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op))
      map = apply.getMap();
    else if (auto min = dyn_cast_or_null<affine::AffineMinOp>(op))
      map = min.getMap();
    else if (auto max = dyn_cast_or_null<affine::AffineMaxOp>(op))
      map = max.getMap();
    if (!map)
      return std::nullopt;
    SmallVector<Attribute> operands, folded;
    Builder b(op->getContext());
    for (Value operand : op->getOperands()) {
      std::optional<int64_t> one = evaluate(operand);
      if (!one)
        return std::nullopt;
      operands.push_back(b.getIndexAttr(*one));
    }
    if (failed(map.constantFold(operands, folded)) || folded.empty())
      return std::nullopt;
    SmallVector<int64_t> results = llvm::map_to_vector(
        folded, [](Attribute a) { return cast<IntegerAttr>(a).getInt(); });
    return isa<affine::AffineMaxOp>(op) ? *llvm::max_element(results)
                                        : *llvm::min_element(results);
  }

  DenseMap<Value, int64_t> values;
  SmallVector<std::pair<Value, int64_t>> ids;
  SmallVector<scf::ForOp> loops;
  int64_t evaluations = 0;
};
} // namespace

bool klineage::isFullBehindGuard(scf::ForallOp threads, Value buffer) {
  if (cast<MemRefType>(buffer.getType()).hasStaticShape())
    return true;
  auto view = buffer.getDefiningOp<memref::SubViewOp>();
  if (!threads || !view)
    return false;
  return llvm::all_of(view.getMixedSizes(), [&](OpFoldResult size) {
    auto value = dyn_cast<Value>(size);
    std::optional<int64_t> bound = staticUpperBound(size);
    return !value || (bound && SizesBehindGuard(threads).always(value, *bound));
  });
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
