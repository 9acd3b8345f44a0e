//===- Integers.cpp - Index arithmetic and conditions of the executor
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace klineage;
using namespace klineage::sym;

static bool isTruth(Type type) { return type.isInteger(1); }

/// Rounded toward zero for signed operations: the same as down where nothing is
/// negative, which must be known.
std::optional<uint32_t> Executor::divided(Operation &op, Poly a, Poly b,
                                          bool isSigned, bool up) {
  if (arena.constantOf(b).value_or(1) <= 0)
    return std::nullopt;
  if (isSigned && !arena.isNonNegative(a))
    return std::nullopt;
  return uint32_t(up ? arena.ceilDiv(a, b) : arena.floorDiv(a, b));
}

Pred Executor::compared(arith::CmpIOp op, Poly a, Poly b) {
  using P = arith::CmpIPredicate;
  switch (op.getPredicate()) {
  case P::eq:
    return arena.zero(arena.sub(a, b));
  case P::ne:
    return arena.negate(arena.zero(arena.sub(a, b)));
  case P::slt:
  case P::ult:
    return arena.less(a, b);
  case P::sle:
  case P::ule:
    return arena.nonNegative(arena.sub(b, a));
  case P::sgt:
  case P::ugt:
    return arena.less(b, a);
  case P::sge:
  case P::uge:
    return arena.nonNegative(arena.sub(a, b));
  }
  llvm_unreachable("all predicates are handled");
}

std::optional<Poly> Executor::affine(AffineExpr e, ArrayRef<Poly> dims,
                                     ArrayRef<Poly> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(e))
    return arena.constant(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(e))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(e))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(e);
  auto a = affine(binary.getLHS(), dims, symbols);
  auto b = affine(binary.getRHS(), dims, symbols);
  if (!a || !b)
    return std::nullopt;
  switch (e.getKind()) {
  case AffineExprKind::Add:
    return arena.add(*a, *b);
  case AffineExprKind::Mul:
    return arena.mul(*a, *b);
  default:
    break;
  }
  if (arena.constantOf(*b).value_or(1) <= 0)
    return std::nullopt;
  if (e.getKind() == AffineExprKind::Mod)
    return arena.mod(*a, *b);
  return e.getKind() == AffineExprKind::FloorDiv ? arena.floorDiv(*a, *b)
                                                 : arena.ceilDiv(*a, *b);
}

static bool isUnsignedOrder(Operation &op) {
  auto cmp = dyn_cast<arith::CmpIOp>(op);
  return cmp && cmp.getPredicate() >= arith::CmpIPredicate::ult;
}

std::optional<uint32_t> Executor::integerOf(Operation &op,
                                            ArrayRef<uint32_t> in) {
  using Kind = AtomNode::Kind;
  using Result = std::optional<uint32_t>;
  auto p = [&](unsigned i) { return Poly(in[i]); };
  auto id = [](Poly value) { return Result(uint32_t(value)); };
  bool unsignedOp =
      isUnsignedOrder(op) || isa<arith::DivUIOp, arith::RemUIOp, arith::MaxUIOp,
                                 arith::MinUIOp, arith::CeilDivUIOp>(op);
  // What is negative would be a large number.
  if (unsignedOp)
    for (unsigned i : {0, 1})
      if (arena.rangeOf(p(i)).hi < 0)
        return std::nullopt;
  return TypeSwitch<Operation *, Result>(&op)
      .Case([&](arith::AddIOp) { return id(arena.add(p(0), p(1))); })
      .Case([&](arith::SubIOp) { return id(arena.sub(p(0), p(1))); })
      .Case([&](arith::MulIOp) { return id(arena.mul(p(0), p(1))); })
      .Case(
          [&](arith::DivUIOp) { return divided(op, p(0), p(1), false, false); })
      .Case(
          [&](arith::DivSIOp) { return divided(op, p(0), p(1), true, false); })
      .Case([&](arith::CeilDivUIOp) {
        return divided(op, p(0), p(1), false, true);
      })
      .Case([&](arith::CeilDivSIOp) {
        return divided(op, p(0), p(1), false, true);
      })
      .Case([&](arith::FloorDivSIOp) {
        return divided(op, p(0), p(1), false, false);
      })
      .Case<arith::RemUIOp, arith::RemSIOp>([&](Operation *rem) -> Result {
        auto q = divided(op, p(0), p(1), isa<arith::RemSIOp>(rem), false);
        if (!q)
          return std::nullopt;
        return id(arena.sub(p(0), arena.mul(p(1), Poly(*q))));
      })
      .Case<arith::MinSIOp, arith::MinUIOp>(
          [&](Operation *) { return id(arena.min(p(0), p(1))); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>(
          [&](Operation *) { return id(arena.max(p(0), p(1))); })
      .Case([&](arith::ShLIOp) -> Result {
        auto by = arena.constantOf(p(1));
        if (!by || *by < 0 || *by > 62)
          return std::nullopt;
        return id(arena.scale(p(0), int64_t(1) << *by));
      })
      .Case<arith::ShRUIOp, arith::ShRSIOp>([&](Operation *) -> Result {
        auto by = arena.constantOf(p(1));
        if (!by || *by < 0 || *by > 62 || !arena.isNonNegative(p(0)))
          return std::nullopt;
        return id(arena.floorDiv(p(0), arena.constant(int64_t(1) << *by)));
      })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
          [&](Operation *bit) -> Result {
            bool isAnd = isa<arith::AndIOp>(bit), isOr = isa<arith::OrIOp>(bit);
            if (isTruth(op.getResult(0).getType())) {
              Pred a = Pred(in[0]), b = Pred(in[1]);
              if (isAnd || isOr)
                return uint32_t(isAnd ? arena.all({a, b}) : arena.any({a, b}));
              return uint32_t(arena.any({arena.all({a, arena.negate(b)}),
                                         arena.all({arena.negate(a), b})}));
            }
            return id(arena.bits(isAnd  ? Kind::bitAnd
                                 : isOr ? Kind::bitOr
                                        : Kind::bitXor,
                                 p(0), p(1)));
          })
      .Case([&](arith::CmpIOp cmp) -> Result {
        if (isTruth(cmp.getLhs().getType()))
          return std::nullopt;
        return uint32_t(compared(cmp, p(0), p(1)));
      })
      .Case<arith::ExtUIOp, arith::ExtSIOp>([&](Operation *ext) -> Result {
        if (!isTruth(ext->getOperand(0).getType()))
          return in[0];
        return id(arena.choose(
            Pred(in[0]), arena.constant(isa<arith::ExtUIOp>(ext) ? 1 : -1),
            arena.constant(0)));
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::TruncIOp>(
          [&](Operation *cast) -> Result {
            if (isTruth(cast->getOperand(0).getType()) ||
                isTruth(cast->getResult(0).getType()))
              return std::nullopt;
            return in[0];
          })
      .Default([](Operation *) { return std::nullopt; });
}

/// Of an affine operation: all results, or their minimum or maximum.
static AffineMap mapOf(Operation &op) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return apply.getMap();
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return min.getMap();
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return max.getMap();
  return {};
}

static std::optional<int64_t> sizeOfGrid(Operation &op,
                                         std::array<int64_t, 3> block) {
  if (auto dim = dyn_cast<gpu::BlockDimOp>(op))
    return block[unsigned(dim.getDimension())];
  return std::nullopt;
}

/// Constants, and who the thread is.
bool Executor::runId(Operation &op, bool &known) {
  known = true;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return runConstant(constant);
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
    Lanes lanes;
    const auto &size = launch.blockSize;
    for (int64_t lane = 0; lane < int64_t(threads); ++lane) {
      int64_t at[] = {lane % size[0], lane / size[0] % size[1],
                      lane / size[0] / size[1]};
      lanes.ids.push_back(
          uint32_t(arena.constant(at[unsigned(id.getDimension())])));
    }
    compress(lanes);
    values[id] = lanes;
    return true;
  }
  if (auto id = dyn_cast<gpu::BlockIdOp>(op)) {
    values[id] = Lanes(uint32_t(summary.blockId[unsigned(id.getDimension())]));
    return true;
  }
  if (auto grid = dyn_cast<gpu::GridDimOp>(op)) {
    values[grid] =
        Lanes(uint32_t(launch.gridSize[unsigned(grid.getDimension())]));
    return true;
  }
  if (auto size = sizeOfGrid(op, launch.blockSize)) {
    values[op.getResult(0)] = Lanes(uint32_t(arena.constant(*size)));
    return true;
  }
  known = false;
  return true;
}

bool Executor::runInteger(Operation &op, bool &known) {
  bool good = runId(op, known);
  if (known)
    return good;
  known = true;
  if (AffineMap affineMap = mapOf(op)) {
    return map(&op, op.getOperands(), op.getResult(0), 1,
               [&](ArrayRef<uint32_t> in, uint32_t *out) {
                 SmallVector<Poly> polys;
                 for (uint32_t id : in)
                   polys.push_back(Poly(id));
                 ArrayRef<Poly> all = polys;
                 unsigned dims = affineMap.getNumDims();
                 std::optional<Poly> sum;
                 for (AffineExpr e : affineMap.getResults()) {
                   auto value =
                       affine(e, all.take_front(dims), all.drop_front(dims));
                   if (!value)
                     return false;
                   if (!sum)
                     sum = value;
                   else
                     sum = isa<affine::AffineMinOp>(op)
                               ? arena.min(*sum, *value)
                               : arena.max(*sum, *value);
                 }
                 *out = uint32_t(*sum);
                 return true;
               });
  }
  bool isInteger = op.getNumResults() == 1 &&
                   op.getResult(0).getType().isIntOrIndex() &&
                   op.getNumOperands() >= 1 &&
                   llvm::all_of(op.getOperandTypes(),
                                [](Type t) { return t.isIntOrIndex(); });
  if (!isInteger || !isa<arith::ArithDialect>(op.getDialect()) ||
      isa<arith::SelectOp>(op)) {
    known = false;
    return true;
  }
  return map(&op, op.getOperands(), op.getResult(0), 1,
             [&](ArrayRef<uint32_t> in, uint32_t *out) {
               auto value = integerOf(op, in);
               *out = value.value_or(0);
               return value.has_value();
             });
}
