//===- LiftArith.cpp - LLVM arithmetic becomes arith, math and vector
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lift/Passes.h"
#include "LiftMath.h"
#include "Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace klineage {
#define GEN_PASS_DEF_LIFTARITHPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

/// Types that mean the same in both worlds.
static bool isPlain(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && isPlain(vector.getElementType());
  return type.isSignlessInteger() || isa<FloatType>(type);
}

static bool isPlain(Operation *op) {
  return llvm::all_of(op->getOperandTypes(),
                      [](Type type) { return isPlain(type); }) &&
         llvm::all_of(op->getResultTypes(),
                      [](Type type) { return isPlain(type); });
}

static arith::IntegerOverflowFlags overflowOf(Operation *op) {
  auto flags = arith::IntegerOverflowFlags::none;
  auto interface = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op);
  if (interface && interface.hasNoSignedWrap())
    flags = flags | arith::IntegerOverflowFlags::nsw;
  if (interface && interface.hasNoUnsignedWrap())
    flags = flags | arith::IntegerOverflowFlags::nuw;
  return flags;
}

namespace {
using Builder_ = Value (*)(OpBuilder &, Operation *);

template <typename To> Value plain(OpBuilder &b, Operation *op) {
  return To::create(b, op->getLoc(), op->getResultTypes(), op->getOperands(),
                    ArrayRef<NamedAttribute>{});
}
template <typename To> Value wrapping(OpBuilder &b, Operation *op) {
  return To::create(b, op->getLoc(), op->getOperand(0), op->getOperand(1),
                    overflowOf(op));
}
template <typename To> Value floating(OpBuilder &b, Operation *op) {
  auto made = To::create(b, op->getLoc(), op->getResultTypes(),
                         op->getOperands(), ArrayRef<NamedAttribute>{});
  made.setFastmath(fastMathOf(op));
  return made;
}

Value liftOr(OpBuilder &b, Operation *op) {
  auto old = cast<LLVM::OrOp>(op);
  if (!old.getIsDisjoint())
    return plain<arith::OrIOp>(b, op);
  // No common bit: the sum is the same, carries nothing, and says more.
  return arith::AddIOp::create(b, op->getLoc(), old.getLhs(), old.getRhs(),
                               arith::IntegerOverflowFlags::nsw |
                                   arith::IntegerOverflowFlags::nuw);
}

Value liftZext(OpBuilder &b, Operation *op) {
  // A value that is not negative extends the same either way, and the signed
  // form is what index arithmetic is made of.
  auto old = cast<LLVM::ZExtOp>(op);
  if (old.getNonNeg())
    return arith::ExtSIOp::create(b, op->getLoc(), old.getType(), old.getArg());
  return arith::ExtUIOp::create(b, op->getLoc(), old.getType(), old.getArg());
}

Value liftTrunc(OpBuilder &b, Operation *op) {
  return arith::TruncIOp::create(b, op->getLoc(), op->getResult(0).getType(),
                                 op->getOperand(0), overflowOf(op));
}

Value liftCmp(OpBuilder &b, Operation *op) {
  auto old = cast<LLVM::ICmpOp>(op);
  // Both enumerations count eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge.
  auto predicate =
      static_cast<arith::CmpIPredicate>(static_cast<int>(old.getPredicate()));
  return arith::CmpIOp::create(b, op->getLoc(), predicate, old.getLhs(),
                               old.getRhs());
}

Value liftFCmp(OpBuilder &b, Operation *op) {
  auto old = cast<LLVM::FCmpOp>(op);
  auto predicate = arith::symbolizeCmpFPredicate(
      LLVM::stringifyFCmpPredicate(old.getPredicate()) == "_false" ? "false"
      : LLVM::stringifyFCmpPredicate(old.getPredicate()) == "_true"
          ? "true"
          : LLVM::stringifyFCmpPredicate(old.getPredicate()));
  if (!predicate)
    return {};
  return arith::CmpFOp::create(b, op->getLoc(), *predicate, old.getLhs(),
                               old.getRhs(), fastMathOf(op));
}

Value liftSelect(OpBuilder &b, Operation *op) {
  return arith::SelectOp::create(b, op->getLoc(), op->getOperand(0),
                                 op->getOperand(1), op->getOperand(2));
}

Value liftBitcast(OpBuilder &b, Operation *op) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  auto fromVector = dyn_cast<VectorType>(from),
       toVector = dyn_cast<VectorType>(to);
  Location loc = op->getLoc();
  if (bool(fromVector) != bool(toVector)) {
    // A scalar is a vector of one.
    if (fromVector) {
      Value one = vector::BitCastOp::create(b, loc, VectorType::get(1, to),
                                            op->getOperand(0));
      return vector::ExtractOp::create(b, loc, one, ArrayRef<int64_t>{0});
    }
    Value one = vector::BroadcastOp::create(b, loc, VectorType::get(1, from),
                                            op->getOperand(0));
    return vector::BitCastOp::create(b, loc, toVector, one);
  }
  if (fromVector && fromVector.getShape() != toVector.getShape())
    return vector::BitCastOp::create(b, loc, toVector, op->getOperand(0));
  return arith::BitcastOp::create(b, loc, to, op->getOperand(0));
}

Value liftConstant(OpBuilder &b, Operation *op) {
  auto value = dyn_cast<TypedAttr>(cast<LLVM::ConstantOp>(op).getValue());
  if (!value || value.getType() != op->getResult(0).getType())
    return {};
  return arith::ConstantOp::create(b, op->getLoc(), value);
}

Value liftZero(OpBuilder &b, Operation *op) {
  return arith::ConstantOp::create(b, op->getLoc(),
                                   b.getZeroAttr(op->getResult(0).getType()));
}

Value liftPoison(OpBuilder &b, Operation *op) {
  return ub::PoisonOp::create(b, op->getLoc(), op->getResult(0).getType());
}

Value liftExtract(OpBuilder &b, Operation *op) {
  if (auto index = constantOf(op->getOperand(1)))
    return vector::ExtractOp::create(b, op->getLoc(), op->getOperand(0),
                                     *index);
  Value index = arith::IndexCastOp::create(b, op->getLoc(), b.getIndexType(),
                                           op->getOperand(1));
  return vector::ExtractOp::create(b, op->getLoc(), op->getOperand(0),
                                   ArrayRef<OpFoldResult>{index});
}

Value liftInsert(OpBuilder &b, Operation *op) {
  if (auto index = constantOf(op->getOperand(2)))
    return vector::InsertOp::create(b, op->getLoc(), op->getOperand(1),
                                    op->getOperand(0), *index);
  Value index = arith::IndexCastOp::create(b, op->getLoc(), b.getIndexType(),
                                           op->getOperand(2));
  return vector::InsertOp::create(b, op->getLoc(), op->getOperand(1),
                                  op->getOperand(0),
                                  ArrayRef<OpFoldResult>{index});
}

Value liftShuffle(OpBuilder &b, Operation *op) {
  auto old = cast<LLVM::ShuffleVectorOp>(op);
  SmallVector<int64_t> mask(old.getMask().begin(), old.getMask().end());
  return vector::ShuffleOp::create(b, op->getLoc(), old.getV1(), old.getV2(),
                                   mask);
}

const llvm::StringMap<Builder_> &table() {
  static const llvm::StringMap<Builder_> rows = {
      {"llvm.add", wrapping<arith::AddIOp>},
      {"llvm.sub", wrapping<arith::SubIOp>},
      {"llvm.mul", wrapping<arith::MulIOp>},
      {"llvm.shl", wrapping<arith::ShLIOp>},
      {"llvm.sdiv", plain<arith::DivSIOp>},
      {"llvm.udiv", plain<arith::DivUIOp>},
      {"llvm.srem", plain<arith::RemSIOp>},
      {"llvm.urem", plain<arith::RemUIOp>},
      {"llvm.lshr", plain<arith::ShRUIOp>},
      {"llvm.ashr", plain<arith::ShRSIOp>},
      {"llvm.and", plain<arith::AndIOp>},
      {"llvm.or", liftOr},
      {"llvm.xor", plain<arith::XOrIOp>},
      {"llvm.sext", plain<arith::ExtSIOp>},
      {"llvm.zext", liftZext},
      {"llvm.trunc", liftTrunc},
      {"llvm.sitofp", plain<arith::SIToFPOp>},
      {"llvm.uitofp", plain<arith::UIToFPOp>},
      {"llvm.fptosi", plain<arith::FPToSIOp>},
      {"llvm.fptoui", plain<arith::FPToUIOp>},
      {"llvm.fpext", plain<arith::ExtFOp>},
      {"llvm.fptrunc", plain<arith::TruncFOp>},
      {"llvm.fadd", floating<arith::AddFOp>},
      {"llvm.fsub", floating<arith::SubFOp>},
      {"llvm.fmul", floating<arith::MulFOp>},
      {"llvm.fdiv", floating<arith::DivFOp>},
      {"llvm.frem", floating<arith::RemFOp>},
      {"llvm.fneg", floating<arith::NegFOp>},
      {"llvm.icmp", liftCmp},
      {"llvm.fcmp", liftFCmp},
      {"llvm.select", liftSelect},
      {"llvm.bitcast", liftBitcast},
      {"llvm.mlir.constant", liftConstant},
      {"llvm.mlir.zero", liftZero},
      {"llvm.mlir.poison", liftPoison},
      {"llvm.extractelement", liftExtract},
      {"llvm.insertelement", liftInsert},
      {"llvm.shufflevector", liftShuffle},
      {"llvm.intr.smax", plain<arith::MaxSIOp>},
      {"llvm.intr.smin", plain<arith::MinSIOp>},
      {"llvm.intr.umax", plain<arith::MaxUIOp>},
      {"llvm.intr.umin", plain<arith::MinUIOp>},
      {"llvm.intr.maxnum", floating<arith::MaxNumFOp>},
      {"llvm.intr.minnum", floating<arith::MinNumFOp>},
      {"llvm.intr.maximum", floating<arith::MaximumFOp>},
      {"llvm.intr.minimum", floating<arith::MinimumFOp>},
  };
  return rows;
}

/// Promises to an optimizer: without them the program means the same.
bool isDroppable(Operation *op) {
  return isa<LLVM::AssumeOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp,
             LLVM::NoAliasScopeDeclOp, LLVM::DbgValueOp, LLVM::DbgDeclareOp,
             LLVM::DbgLabelOp>(op);
}

struct LiftArith : klineage::impl::LiftArithPassBase<LiftArith> {
  void runOnOperation() override {
    SmallVector<Operation *> operations;
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      kernel.walk([&](Operation *op) {
        if (op->getName().getDialectNamespace() == "llvm")
          operations.push_back(op);
      });
    });
    for (Operation *op : operations)
      lift(op);
  }

  void lift(Operation *op) {
    if (isDroppable(op)) {
      op->erase();
      return;
    }
    if (op->getNumResults() != 1 || !isPlain(op))
      return;
    if (isa<LLVM::UndefOp>(op))
      return reportKept(op, "undef has no counterpart; poison means more");
    OpBuilder b(op);
    auto row = table().find(op->getName().getStringRef());
    Value made = row != table().end() ? row->second(b, op) : liftMath(b, op);
    if (!made)
      return;
    op->getResult(0).replaceAllUsesWith(made);
    op->erase();
  }
};
} // namespace
