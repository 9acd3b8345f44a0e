//===- IndexFacts.cpp - What is known of an index where it is used
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexFacts.h"
#include "Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace klineage;

static Value stripCasts(Value value) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>()) {
    // Towards a narrower type a cast may cut off.
    Type from = cast.getIn().getType();
    Operation *def = cast.getIn().getDefiningOp();
    bool narrows =
        from.isIndex() && cast.getType().getIntOrFloatBitWidth() < 64;
    if (narrows && !isa_and_nonnull<gpu::ThreadIdOp, gpu::BlockIdOp,
                                    gpu::BlockDimOp, gpu::GridDimOp>(def))
      break;
    value = cast.getIn();
  }
  return value;
}

bool klineage::sameIndex(Value a, Value b, bool noWrap) {
  a = stripCasts(a);
  b = stripCasts(b);
  if (a == b)
    return true;
  if (auto left = constantOf(a))
    return left == constantOf(b);
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (!x || !y || x->getName() != y->getName())
    return false;
  if (isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>(x))
    return x->getAttrDictionary() == y->getAttrDictionary();
  if (!isa<arith::AddIOp, arith::MulIOp>(x))
    return false;
  auto exact = [&](Operation *op) {
    auto flags = cast<arith::ArithIntegerOverflowFlagsInterface>(op)
                     .getOverflowAttr()
                     .getValue();
    return noWrap || op->getResult(0).getType().isIndex() ||
           bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nsw);
  };
  return exact(x) && exact(y) &&
         sameIndex(x->getOperand(0), y->getOperand(0), noWrap) &&
         sameIndex(x->getOperand(1), y->getOperand(1), noWrap);
}

static scf::ForOp loopOf(Value value) {
  auto arg = dyn_cast<BlockArgument>(value);
  auto loop =
      arg ? dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp()) : scf::ForOp();
  return loop && loop.getInductionVar() == value && !loop.getUnsignedCmp()
             ? loop
             : scf::ForOp();
}

/// Bits of the magnitude; 64 if not known.
static int64_t bitsOf(Value value) {
  if (!value)
    return 0;
  if (auto constant = constantOf(value))
    return 64 - llvm::countl_zero(uint64_t(std::abs(*constant)));
  if (scf::ForOp loop = loopOf(value))
    return std::max(bitsOf(loop.getLowerBound()), bitsOf(loop.getUpperBound()));
  Operation *def = value.getDefiningOp();
  if (isa_and_nonnull<gpu::ThreadIdOp, gpu::BlockDimOp>(def))
    return 11;
  if (auto block = dyn_cast_or_null<gpu::BlockIdOp>(def))
    return block.getDimension() == gpu::Dimension::x ? 31 : 16;
  if (isa_and_nonnull<arith::AddIOp>(def) && value.getType().isIndex())
    return std::min<int64_t>(64, 1 + std::max(bitsOf(def->getOperand(0)),
                                              bitsOf(def->getOperand(1))));
  if (isa_and_nonnull<arith::MulIOp>(def) && value.getType().isIndex())
    return std::min<int64_t>(64, bitsOf(def->getOperand(0)) +
                                     bitsOf(def->getOperand(1)));
  auto cast = dyn_cast_or_null<arith::IndexCastOp>(def);
  Type from = cast ? cast.getIn().getType() : value.getType();
  return from.isIndex()
             ? 64
             : std::min<int64_t>(64, from.getIntOrFloatBitWidth() - 1);
}

static bool isNotNegative(Value value) {
  if (!value)
    return true;
  value = stripCasts(value);
  if (auto constant = constantOf(value))
    return *constant >= 0;
  if (scf::ForOp loop = loopOf(value))
    return isNotNegative(loop.getLowerBound());
  Operation *def = value.getDefiningOp();
  if (isa_and_nonnull<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp,
                      gpu::GridDimOp>(def))
    return true;
  return isa_and_nonnull<arith::AddIOp, arith::MulIOp>(def) &&
         value.getType().isIndex() && isNotNegative(def->getOperand(0)) &&
         isNotNegative(def->getOperand(1));
}

/// True if `condition`, or its opposite, says that value < bound.
static bool saysBelow(Value condition, bool holds, Value value, Value bound,
                      bool noWrap) {
  Operation *def = condition.getDefiningOp();
  // Of a conjunction both sides hold; of a disjunction that does not, neither.
  if (def && (holds ? isa<arith::AndIOp>(def) : isa<arith::OrIOp>(def)))
    return saysBelow(def->getOperand(0), holds, value, bound, noWrap) ||
           saysBelow(def->getOperand(1), holds, value, bound, noWrap);
  auto compare = dyn_cast_or_null<arith::CmpIOp>(def);
  if (!compare)
    return false;
  using P = arith::CmpIPredicate;
  P predicate = holds ? compare.getPredicate()
                      : arith::invertPredicate(compare.getPredicate());
  Value left = compare.getLhs(), right = compare.getRhs();
  if (predicate == P::sgt || predicate == P::ugt)
    std::swap(left, right);
  else if (predicate != P::slt && predicate != P::ult)
    return false;
  return sameIndex(left, value, noWrap) && sameIndex(right, bound, noWrap);
}

static bool isBelow(Value value, Value bound, Operation *at, bool noWrap) {
  auto number = value ? constantOf(value) : std::optional<int64_t>(0);
  auto limit = constantOf(bound);
  if (number && limit)
    return *number < *limit;
  scf::ForOp loop = value ? loopOf(stripCasts(value)) : scf::ForOp();
  if (loop && sameIndex(loop.getUpperBound(), bound, noWrap))
    return true;
  for (Operation *op = at; value && op; op = op->getParentOp())
    if (auto branch = dyn_cast_or_null<scf::IfOp>(op->getParentOp()))
      if (saysBelow(branch.getCondition(), op->getBlock() == branch.thenBlock(),
                    value, bound, noWrap))
        return true;
  return false;
}

std::optional<std::string> klineage::whyNoColumn(Value row, Value column,
                                                 Value columns, Operation *at) {
  auto kernel = at->getParentOfType<gpu::GPUFuncOp>();
  auto assumed = kernel->getAttrOfType<ArrayAttr>(kAssumedAttr);
  bool noWrap =
      assumed && llvm::is_contained(assumed, StringAttr::get(at->getContext(),
                                                             "index-no-wrap"));
  if (!row)
    return "no multiple of the columns is in its index";
  if (!isNotNegative(column))
    return "its column may be negative";
  if (!isBelow(column, columns, at, noWrap))
    return "its column may lie in another row";
  if (!noWrap && (bitsOf(row) + bitsOf(columns) > 62 || bitsOf(column) > 61))
    return "its index may wrap";
  return std::nullopt;
}
