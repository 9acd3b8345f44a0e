//===- KernelValues.cpp - Index arithmetic and conditions of a kernel
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace klineage;

constexpr int64_t kLargestSize = (int64_t(1) << 31) - 1;

static std::optional<int64_t> constantInt(Value value) {
  APInt number;
  if (value.getType().isIntOrIndex() &&
      matchPattern(value, m_ConstantInt(&number)) &&
      number.getSignificantBits() <= 62)
    return number.getSExtValue();
  return std::nullopt;
}

Expr KernelReader::valueOf(Value value) {
  auto it = values.find(value);
  if (it != values.end())
    return it->second;
  Expr result = readValue(value);
  values[value] = result;
  return result;
}

Expr KernelReader::readValue(Value value) {
  if (auto number = constantInt(value))
    return arena.constant(*number);
  Operation *op = value.getDefiningOp();
  if (!op)
    return arena.opaque("argument");
  return llvm::TypeSwitch<Operation *, Expr>(op)
      .Case<gpu::ThreadIdOp>([&](auto id) {
        return arena.var(model.thread[unsigned(id.getDimension())]);
      })
      .Case<gpu::BlockIdOp>([&](auto id) {
        return arena.var(model.block[unsigned(id.getDimension())]);
      })
      .Case<gpu::BlockDimOp>([&](auto id) {
        int64_t size = model.blockSize[unsigned(id.getDimension())];
        return size ? arena.constant(size) : arena.opaque("block size");
      })
      .Case<gpu::GridDimOp>(
          [&](auto id) { return model.gridSize[unsigned(id.getDimension())]; })
      .Case<memref::DimOp>([&](memref::DimOp dim) {
        auto index = dim.getConstantIndex();
        return index ? sizeOf(dim.getSource(), *index) : arena.opaque("extent");
      })
      .Case<affine::AffineApplyOp>([&](auto apply) {
        AffineMap map = apply.getAffineMap();
        return affine(map.getResult(0), apply.getMapOperands(),
                      map.getNumDims());
      })
      .Case<affine::AffineMinOp, affine::AffineMaxOp>([&](auto extreme) {
        AffineMap map = extreme.getAffineMap();
        Expr result =
            affine(map.getResult(0), extreme->getOperands(), map.getNumDims());
        for (AffineExpr e : map.getResults().drop_front()) {
          Expr next = affine(e, extreme->getOperands(), map.getNumDims());
          result = isa<affine::AffineMinOp>(extreme.getOperation())
                       ? arena.minimum(result, next)
                       : arena.maximum(result, next);
        }
        return result;
      })
      .Default([&](Operation *other) { return readArith(other); });
}

/// `result` if the input is never negative: unsigned operations, truncating
/// division and shifts agree with the mathematical ones only there.
Expr KernelReader::nonNegativeOr(Expr input, Expr result, StringRef what) {
  return arena.rangeOf(input).lo >= 0 ? result : arena.opaque(what);
}

/// Operations with a positive constant on the right. All but floordiv agree
/// with the mathematical ones only where the input is not negative.
static Expr byConstant(ExprArena &arena, Operation *op, Expr a, Expr b,
                       int64_t c) {
  if (isa<arith::FloorDivSIOp>(op))
    return arena.floorDiv(a, c);
  if (isa<arith::RemUIOp>(op) && arena.rangeOf(a).lo < 0)
    return arena.opaque("arith.remui", {0, c - 1});
  if (arena.rangeOf(a).lo < 0)
    return arena.opaque(op->getName().getStringRef());
  if (isa<arith::DivUIOp, arith::DivSIOp>(op))
    return arena.floorDiv(a, c);
  if (isa<arith::RemUIOp, arith::RemSIOp>(op))
    return arena.mod(a, c);
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return arena.floorDiv(arena.addConstant(a, c - 1), c);
  if (isa<arith::MinUIOp>(op))
    return arena.minimum(a, b);
  if (isa<arith::MaxUIOp>(op))
    return arena.maximum(a, b);
  return arena.opaque(op->getName().getStringRef());
}

/// Bits of a number, as remainder and multiple; the mask is one run of ones.
static Expr masked(ExprArena &arena, Expr a, int64_t mask) {
  int64_t unit = mask & -mask;
  Expr bits = arena.mod(arena.floorDiv(a, unit), mask / unit + 1);
  return arena.scale(bits, unit);
}

/// One of two values: known if the condition is, else bounded by both.
Expr KernelReader::readSelect(arith::SelectOp select) {
  Type type = select.getType();
  if (!type.isIndex() && type.getIntOrFloatBitWidth() < 32)
    return arena.opaque("arith.select");
  Expr a = valueOf(select.getTrueValue()), b = valueOf(select.getFalseValue());
  if (auto side = decided(conditionOf(select.getCondition())))
    return *side ? a : b;
  return oneOf(a, b, "arith.select");
}

Expr KernelReader::oneOf(Expr a, Expr b, StringRef what) {
  if (a == b)
    return a;
  klineage::Range x = arena.rangeOf(a), y = arena.rangeOf(b);
  return arena.opaque(what, {std::min(x.lo, y.lo), std::max(x.hi, y.hi)});
}

Expr KernelReader::readArith(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!op->getNumResults() || !op->getResult(0).getType().isIntOrIndex() ||
      op->getNumOperands() == 0)
    return arena.opaque(name);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return readSelect(select);
  if (op->getNumOperands() > 2)
    return arena.opaque(name);
  // Narrow integers wrap; only those of 32 bits and more are taken as numbers.
  if (!op->getResult(0).getType().isIndex() &&
      op->getResult(0).getType().getIntOrFloatBitWidth() < 32)
    return arena.opaque(name);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp>(op)) {
    Type from = op->getOperand(0).getType();
    bool isUnsigned = isa<arith::ExtUIOp, arith::IndexCastUIOp>(op);
    if (!from.isIndex() && from.getIntOrFloatBitWidth() < 32) {
      int64_t values = int64_t(1) << from.getIntOrFloatBitWidth();
      return isUnsigned ? arena.opaque(name, {0, values - 1})
                        : arena.opaque(name, {-values / 2, values / 2 - 1});
    }
    Expr value = valueOf(op->getOperand(0));
    return isUnsigned ? nonNegativeOr(value, value, name) : value;
  }
  if (op->getNumOperands() != 2 || !op->getOperand(0).getType().isIntOrIndex())
    return arena.opaque(name);
  Expr a = valueOf(op->getOperand(0)), b = valueOf(op->getOperand(1));
  auto c = arena.constantOf(b);
  bool shift = c && *c >= 0 && *c < 62;
  if (isa<arith::AddIOp>(op))
    return arena.add(a, b);
  if (isa<arith::SubIOp>(op))
    return arena.sub(a, b);
  if (isa<arith::MulIOp>(op))
    return arena.mul(a, b);
  if (isa<arith::MinSIOp>(op))
    return arena.minimum(a, b);
  if (isa<arith::MaxSIOp>(op))
    return arena.maximum(a, b);
  if (isa<arith::XOrIOp>(op))
    return arena.bitXor(a, b);
  if (isa<arith::ShLIOp>(op) && shift)
    return arena.scale(a, int64_t(1) << *c);
  if (isa<arith::ShRSIOp>(op) && shift)
    return arena.floorDiv(a, int64_t(1) << *c);
  if (isa<arith::ShRUIOp>(op) && shift)
    return nonNegativeOr(a, arena.floorDiv(a, int64_t(1) << *c), name);
  if (isa<arith::AndIOp>(op) && c && *c > 0 && llvm::isShiftedMask_64(*c))
    return masked(arena, a, *c);
  if (!c || *c <= 0) {
    if (isa<arith::MinUIOp, arith::MaxUIOp>(op) && arena.rangeOf(a).lo >= 0 &&
        arena.rangeOf(b).lo >= 0)
      return isa<arith::MinUIOp>(op) ? arena.minimum(a, b)
                                     : arena.maximum(a, b);
    return arena.opaque(name);
  }
  return byConstant(arena, op, a, b, *c);
}

Expr KernelReader::affine(AffineExpr expr, ValueRange operands,
                          unsigned numDims) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr))
    return arena.constant(c.getValue());
  if (auto d = dyn_cast<AffineDimExpr>(expr))
    return valueOf(operands[d.getPosition()]);
  if (auto s = dyn_cast<AffineSymbolExpr>(expr))
    return valueOf(operands[numDims + s.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Expr a = affine(binary.getLHS(), operands, numDims);
  Expr b = affine(binary.getRHS(), operands, numDims);
  auto c = arena.constantOf(b);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arena.add(a, b);
  case AffineExprKind::Mul:
    return arena.mul(a, b);
  case AffineExprKind::FloorDiv:
    return c && *c > 0 ? arena.floorDiv(a, *c) : arena.opaque("floordiv");
  case AffineExprKind::CeilDiv:
    return c && *c > 0 ? arena.floorDiv(arena.addConstant(a, *c - 1), *c)
                       : arena.opaque("ceildiv");
  case AffineExprKind::Mod:
    return c && *c > 0 ? arena.mod(a, *c) : arena.opaque("mod");
  default:
    return arena.opaque("affine");
  }
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

static Branch swapped(Branch b) { return {b.fails, b.holds, b.exact}; }

Branch KernelReader::conditionOf(Value value) {
  if (auto c = constantInt(value))
    return *c ? Branch{Formula::always(), Formula::never()}
              : Branch{Formula::never(), Formula::always()};
  if (auto andOp = value.getDefiningOp<arith::AndIOp>()) {
    Branch a = conditionOf(andOp.getLhs()), b = conditionOf(andOp.getRhs());
    return {conj(a.holds, b.holds), disj(a.fails, b.fails), a.exact && b.exact};
  }
  if (auto orOp = value.getDefiningOp<arith::OrIOp>()) {
    Branch a = conditionOf(orOp.getLhs()), b = conditionOf(orOp.getRhs());
    return {disj(a.holds, b.holds), conj(a.fails, b.fails), a.exact && b.exact};
  }
  Branch unknown{Formula::always(), Formula::always(), false};
  auto cmp = value.getDefiningOp<arith::CmpIOp>();
  if (!cmp || !cmp.getLhs().getType().isIntOrIndex() ||
      (!cmp.getLhs().getType().isIndex() &&
       cmp.getLhs().getType().getIntOrFloatBitWidth() < 32))
    return unknown;
  Expr a = valueOf(cmp.getLhs()), b = valueOf(cmp.getRhs());
  auto less = [&](Expr x, Expr y) { // x < y
    return Branch{Formula::ge(arena.addConstant(arena.sub(y, x), -1)),
                  Formula::ge(arena.sub(x, y))};
  };
  using P = arith::CmpIPredicate;
  P predicate = cmp.getPredicate();
  if (predicate >= P::ult) {
    // A negative number is a large one without its sign.
    bool swap = predicate == P::ugt || predicate == P::ule;
    Expr small = swap ? b : a, large = swap ? a : b;
    if (arena.rangeOf(large).lo < 0)
      return unknown;
    Branch below = less(small, large);
    if (arena.rangeOf(small).lo < 0) {
      below.holds = conj(below.holds, Formula::ge(small));
      below.fails =
          disj(below.fails,
               Formula::ge(arena.addConstant(arena.scale(small, -1), -1)));
    }
    return predicate == P::ult || predicate == P::ugt ? below : swapped(below);
  }
  switch (predicate) {
  case P::eq:
    return {Formula::eq(arena.sub(a, b)), Formula::ne(arena, arena.sub(a, b))};
  case P::ne:
    return {Formula::ne(arena, arena.sub(a, b)), Formula::eq(arena.sub(a, b))};
  case P::slt:
    return less(a, b);
  case P::sgt:
    return less(b, a);
  case P::sge:
    return swapped(less(a, b));
  case P::sle:
    return swapped(less(b, a));
  default:
    return unknown;
  }
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

Expr KernelReader::extentOf(ExtentTies::Extent extent) {
  if (auto it = ties.leader.find(extent); it != ties.leader.end()) {
    model.tiedExtents |= it->second != extent;
    extent = it->second;
  }
  if (auto it = ties.fixed.find(extent); it != ties.fixed.end())
    return arena.constant(it->second);
  auto [it, fresh] = extents.try_emplace(extent, 0);
  if (fresh)
    it->second =
        arena.var(arena.makeVar("dim(arg" + std::to_string(extent.first) + "," +
                                    std::to_string(extent.second) + ")",
                                VarKind::size, {0, kLargestSize}));
  return it->second;
}

/// A host value as an expression over the extents of the entry's buffers.
Expr KernelReader::hostValue(Value value) {
  auto it = values.find(value);
  if (it != values.end())
    return it->second;
  std::optional<Expr> result;
  if (auto dim = value.getDefiningOp<memref::DimOp>()) {
    auto index = dim.getConstantIndex();
    auto argument = dyn_cast<BlockArgument>(dim.getSource());
    if (index && argument &&
        isa<func::FuncOp>(argument.getOwner()->getParentOp())) {
      result = extentOf({argument.getArgNumber(), *index});
    }
  } else if (auto argument = dyn_cast<BlockArgument>(value)) {
    result =
        arena.var(arena.makeVar("arg" + std::to_string(argument.getArgNumber()),
                                VarKind::scalar, {-kInfinity, kInfinity}));
  } else if (Operation *op = value.getDefiningOp()) {
    // Operands first, so that the reader finds them.
    if (!constantInt(value) &&
        isa<arith::ArithDialect, affine::AffineDialect>(op->getDialect()))
      for (Value operand : op->getOperands())
        if (operand.getType().isIntOrIndex())
          hostValue(operand);
    result = readValue(value);
  }
  if (!result)
    result = arena.opaque("host value");
  values[value] = *result;
  return *result;
}

void KernelReader::bindLaunch(gpu::LaunchFuncOp launch) {
  static const char *names[] = {"x", "y", "z"};
  gpu::GPUFuncOp kernel = model.kernel;
  if (auto known = kernel.getKnownBlockSize())
    for (auto [i, size] : llvm::enumerate(*known))
      model.blockSize[i] = size;
  SmallVector<Value> grid;
  model.launched = bool(launch);
  if (launch) {
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    SmallVector<Value> sizes = {block.x, block.y, block.z};
    for (auto [i, value] : llvm::enumerate(sizes))
      if (auto size = constantInt(value); size && !model.blockSize[i])
        model.blockSize[i] = *size;
    gpu::KernelDim3 blocks = launch.getGridSizeOperandValues();
    grid = {blocks.x, blocks.y, blocks.z};
  }
  for (unsigned i = 0; i < 3; ++i) {
    int64_t size = model.blockSize[i] ? model.blockSize[i] : 1024;
    model.thread[i] = arena.makeVar(std::string("t.") + names[i],
                                    VarKind::thread, {0, size - 1});
    Range blocks = {0, kLargestSize - 1};
    if (launch) {
      model.gridSize[i] = hostValue(grid[i]);
      blocks.hi = std::max<int64_t>(
          0, std::min(blocks.hi, arena.rangeOf(model.gridSize[i]).hi - 1));
    } else {
      model.gridSize[i] = arena.var(arena.makeVar(
          std::string("grid.") + names[i], VarKind::scalar, {1, kLargestSize}));
    }
    model.block[i] =
        arena.makeVar(std::string("b.") + names[i], VarKind::block, blocks);
    model.launch =
        conj(model.launch,
             Formula::ge(arena.addConstant(
                 arena.sub(model.gridSize[i], arena.var(model.block[i])), -1)));
  }
  for (BlockArgument argument : kernel.getArguments()) {
    if (!argument.getType().isIntOrIndex() ||
        argument.getArgNumber() >= kernel.getNumArguments())
      continue;
    if (launch)
      values[argument] =
          hostValue(launch.getKernelOperand(argument.getArgNumber()));
    else
      values[argument] = arena.var(
          arena.makeVar("arg" + std::to_string(argument.getArgNumber()),
                        VarKind::scalar, {-kInfinity, kInfinity}));
  }
}
