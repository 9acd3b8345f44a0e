//===- ValueFaults.cpp - Faults in operands, constants, casts and lanes
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace klineage::testing;

static bool isOrdered(Operation *op) {
  return isa<arith::SubFOp, arith::DivFOp, arith::SubIOp, arith::DivSIOp,
             arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::ShLIOp>(
             op) &&
         op->getOperand(0) != op->getOperand(1);
}

static void swapOperands(OpBuilder &, Operation *op) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  op->setOperand(0, b);
  op->setOperand(1, a);
}

/// Another operation of the same operands.
static StringRef otherOperation(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Case("arith.addf", "arith.subf")
      .Case("arith.subf", "arith.addf")
      .Case("arith.mulf", "arith.addf")
      .Case("arith.divf", "arith.mulf")
      .Case("arith.maximumf", "arith.minimumf")
      .Case("arith.minimumf", "arith.maximumf")
      .Case("arith.maxnumf", "arith.minnumf")
      .Case("math.exp", "math.exp2")
      .Case("math.rsqrt", "math.sqrt")
      .Case("math.tanh", "math.sin")
      .Case("vector.fma", "")
      .Default("");
}

static void changeOperation(OpBuilder &b, Operation *op) {
  OperationState state(op->getLoc(), otherOperation(op));
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  Operation *other = b.create(state);
  op->replaceAllUsesWith(other->getResults());
  op->erase();
}

static std::optional<APFloat> floatOf(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant)
    return std::nullopt;
  Attribute value = constant.getValue();
  if (auto dense = dyn_cast<DenseElementsAttr>(value);
      dense && dense.isSplat() && isa<FloatType>(dense.getElementType()))
    return dense.getSplatValue<APFloat>();
  if (auto single = dyn_cast<FloatAttr>(value))
    return single.getValue();
  return std::nullopt;
}

static bool isNeutral(Operation *op) {
  auto value = floatOf(op);
  return value &&
         (value->isZero() || value->isInfinity() || value->isExactlyValue(1.0));
}

static bool isOtherConstant(Operation *op) {
  return floatOf(op) && !isNeutral(op);
}

static void setConstant(OpBuilder &b, Operation *op, double number) {
  auto constant = cast<arith::ConstantOp>(op);
  Type type = getElementTypeOrSelf(constant.getType());
  TypedAttr attr = b.getFloatAttr(type, number);
  if (auto shaped = dyn_cast<ShapedType>(constant.getType()))
    attr = DenseElementsAttr::get(shaped, Attribute(attr));
  constant.setValueAttr(attr);
}

static void changeNeutral(OpBuilder &b, Operation *op) {
  setConstant(b, op, floatOf(op)->isZero() ? 1 : 0);
}

static void changeConstant(OpBuilder &b, Operation *op) {
  APFloat value = *floatOf(op);
  bool lossy;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  setConstant(b, op, value.convertToDouble() * 1.0625);
}

//===----------------------------------------------------------------------===//
// Values on their way to memory
//===----------------------------------------------------------------------===//

static OpOperand *resultOperand(Operation *op) {
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return &store.getValueMutable();
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return &store.getValueToStoreMutable();
  if (isa<linalg::YieldOp>(op) && isa<linalg::GenericOp>(op->getParentOp()) &&
      op->getNumOperands() == 1)
    return &op->getOpOperand(0);
  return nullptr;
}

static bool givesResult(Operation *op) {
  OpOperand *operand = resultOperand(op);
  return operand &&
         getElementTypeOrSelf(operand->get().getType()).isIntOrFloat();
}

static void storeZero(OpBuilder &b, Operation *op) {
  OpOperand *operand = resultOperand(op);
  operand->set(arith::ConstantOp::create(
      b, op->getLoc(),
      cast<TypedAttr>(b.getZeroAttr(operand->get().getType()))));
}

static bool hasHalfArgument(Operation *op) {
  auto isHalf = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isF16() || element.isBF16();
  };
  return op->getParentOfType<ModuleOp>()
      .walk([&](func::FuncOp entry) {
        return llvm::any_of(entry.getArgumentTypes(), isHalf)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Of 16-bit kernels the loss is one that the tolerance of their results
/// allows.
static bool givesF32(Operation *op) {
  return givesResult(op) && !hasHalfArgument(op) &&
         getElementTypeOrSelf(resultOperand(op)->get().getType()).isF32();
}

static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return VectorType::get(vector.getShape(), element);
  return element;
}

/// Through bf16 and back.
static void loseBits(OpBuilder &b, Operation *op) {
  OpOperand *operand = resultOperand(op);
  Type type = operand->get().getType();
  Value narrow = arith::TruncFOp::create(
      b, op->getLoc(), withElement(type, b.getBF16Type()), operand->get());
  operand->set(arith::ExtFOp::create(b, op->getLoc(), type, narrow));
}

static bool isSigned(Operation *op) {
  return isa<arith::SIToFPOp, arith::ExtSIOp>(op);
}

static void makeUnsigned(OpBuilder &b, Operation *op) {
  Type type = op->getResult(0).getType();
  Value in = op->getOperand(0), out;
  if (isa<arith::SIToFPOp>(op))
    out = arith::UIToFPOp::create(b, op->getLoc(), type, in);
  else
    out = arith::ExtUIOp::create(b, op->getLoc(), type, in);
  op->getResult(0).replaceAllUsesWith(out);
  op->erase();
}

//===----------------------------------------------------------------------===//
// Threads and lanes
//===----------------------------------------------------------------------===//

static void changeDistance(OpBuilder &b, Operation *op) {
  auto shuffle = cast<gpu::ShuffleOp>(op);
  Value twice = arith::AddIOp::create(b, op->getLoc(), shuffle.getOffset(),
                                      shuffle.getOffset());
  shuffle.getOffsetMutable().assign(twice);
}

static void changeReduction(OpBuilder &b, Operation *op) {
  auto reduce = cast<gpu::AllReduceOp>(op);
  bool adds = reduce.getOp() == gpu::AllReduceOperation::ADD;
  bool isFloat = isa<FloatType>(reduce.getType());
  reduce.setOpAttr(gpu::AllReduceOperationAttr::get(
      b.getContext(), adds ? isFloat ? gpu::AllReduceOperation::MAXIMUMF
                                     : gpu::AllReduceOperation::MAXSI
                           : gpu::AllReduceOperation::ADD));
}

static bool isNamedReduction(Operation *op) {
  auto reduce = dyn_cast<gpu::AllReduceOp>(op);
  return reduce && reduce.getOp();
}

template <typename Id> static void otherDimension(OpBuilder &, Operation *op) {
  auto id = cast<Id>(op);
  id.setDimension(id.getDimension() == gpu::Dimension::x ? gpu::Dimension::y
                                                         : gpu::Dimension::x);
}

ArrayRef<FaultKind> klineage::testing::valueFaults() {
  static const FaultKind kinds[] = {
      {"operands_swapped", "operands are swapped", isOrdered, swapOperands},
      {"operation_wrong", "another operation",
       [](Operation *op) { return !otherOperation(op).empty(); },
       changeOperation},
      {"neutral_wrong", "a neutral element is none", isNeutral, changeNeutral},
      {"constant_wrong", "a constant is off by a sixteenth", isOtherConstant,
       changeConstant},
      {"zeros", "zeros are stored", givesResult, storeZero},
      {"bits_lost", "a result goes through bf16", givesF32, loseBits},
      {"cast_wrong", "a signed cast is unsigned", isSigned, makeUnsigned},
      {"shuffle_wrong", "a shuffle reads at twice the distance",
       [](Operation *op) { return isa<gpu::ShuffleOp>(op); }, changeDistance},
      {"reduction_wrong", "a block reduces by another operation",
       isNamedReduction, changeReduction},
      {"thread_wrong", "a thread takes another dimension",
       [](Operation *op) { return isa<gpu::ThreadIdOp>(op); },
       otherDimension<gpu::ThreadIdOp>},
      {"block_wrong", "a block takes another dimension",
       [](Operation *op) { return isa<gpu::BlockIdOp>(op); },
       otherDimension<gpu::BlockIdOp>}};
  return kinds;
}
