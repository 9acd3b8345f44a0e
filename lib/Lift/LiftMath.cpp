//===- LiftMath.cpp - Functions of libdevice and LLVM's math intrinsics
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiftMath.h"
#include "Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace klineage;

arith::FastMathFlags klineage::fastMathOf(Operation *op) {
  auto interface = dyn_cast<LLVM::FastmathFlagsInterface>(op);
  if (!interface)
    return arith::FastMathFlags::none;
  LLVM::FastmathFlags old = interface.getFastmathAttr().getValue();
  auto flags = arith::FastMathFlags::none;
  auto map = [&](LLVM::FastmathFlags from, arith::FastMathFlags to) {
    if (LLVM::bitEnumContainsAll(old, from))
      flags = flags | to;
  };
  map(LLVM::FastmathFlags::nnan, arith::FastMathFlags::nnan);
  map(LLVM::FastmathFlags::ninf, arith::FastMathFlags::ninf);
  map(LLVM::FastmathFlags::nsz, arith::FastMathFlags::nsz);
  map(LLVM::FastmathFlags::arcp, arith::FastMathFlags::arcp);
  map(LLVM::FastmathFlags::contract, arith::FastMathFlags::contract);
  map(LLVM::FastmathFlags::afn, arith::FastMathFlags::afn);
  map(LLVM::FastmathFlags::reassoc, arith::FastMathFlags::reassoc);
  return flags;
}

using MathBuilder = Value (*)(OpBuilder &, Operation *);

template <typename To> static Value make(OpBuilder &b, Operation *op) {
  return To::create(b, op->getLoc(), op->getResultTypes(), op->getOperands(),
                    ArrayRef<NamedAttribute>{});
}

/// Stems; libdevice adds `f` for f32, as C does.
static const llvm::StringMap<MathBuilder> &functions() {
  static const llvm::StringMap<MathBuilder> rows = {
      {"acos", make<math::AcosOp>},     {"asin", make<math::AsinOp>},
      {"atan", make<math::AtanOp>},     {"atan2", make<math::Atan2Op>},
      {"cbrt", make<math::CbrtOp>},     {"ceil", make<math::CeilOp>},
      {"cos", make<math::CosOp>},       {"cosh", make<math::CoshOp>},
      {"erf", make<math::ErfOp>},       {"exp", make<math::ExpOp>},
      {"exp2", make<math::Exp2Op>},     {"expm1", make<math::ExpM1Op>},
      {"fabs", make<math::AbsFOp>},     {"floor", make<math::FloorOp>},
      {"fma", make<math::FmaOp>},       {"fmax", make<arith::MaxNumFOp>},
      {"fmin", make<arith::MinNumFOp>}, {"log", make<math::LogOp>},
      {"log10", make<math::Log10Op>},   {"log1p", make<math::Log1pOp>},
      {"log2", make<math::Log2Op>},     {"pow", make<math::PowFOp>},
      {"rsqrt", make<math::RsqrtOp>},   {"sin", make<math::SinOp>},
      {"sinh", make<math::SinhOp>},     {"sqrt", make<math::SqrtOp>},
      {"tan", make<math::TanOp>},       {"tanh", make<math::TanhOp>},
  };
  return rows;
}

/// The approximate functions that a `math` operation with `afn` lowers to.
static bool hasFastForm(StringRef stem) {
  return llvm::is_contained(
      {"exp", "cos", "sin", "log", "log2", "log10", "pow", "tan"}, stem);
}

/// Functions on integers; those that count bits give an i32.
static Value liftIntegerCall(OpBuilder &b, LLVM::CallOp call, StringRef name) {
  static const llvm::StringMap<MathBuilder> rows = {
      {"max", make<arith::MaxSIOp>},
      {"min", make<arith::MinSIOp>},
      {"umax", make<arith::MaxUIOp>},
      {"umin", make<arith::MinUIOp>},
      {"llmax", make<arith::MaxSIOp>},
      {"llmin", make<arith::MinSIOp>},
      {"ullmax", make<arith::MaxUIOp>},
      {"ullmin", make<arith::MinUIOp>},
      {"abs", make<math::AbsIOp>},
      {"popc", make<math::CtPopOp>},
      {"clz", make<math::CountLeadingZerosOp>},
  };
  auto row = rows.find(name);
  return row == rows.end() ? Value() : row->second(b, call);
}

/// The upper half of a product.
template <typename To> static Value makeHigh(OpBuilder &b, Operation *op) {
  return To::create(b, op->getLoc(), op->getOperand(0), op->getOperand(1))
      .getHigh();
}

/// Counts bits of a wide integer; the number fits.
template <typename To> static Value makeCount(OpBuilder &b, Operation *op) {
  Value count = To::create(b, op->getLoc(), op->getOperand(0));
  return arith::TruncIOp::create(b, op->getLoc(), op->getResult(0).getType(),
                                 count);
}

/// Functions whose result has a type of its own, or that no stem names; each is
/// exactly one operation or two. Those that saturate or name another rounding
/// mode than the nearest have none.
static Value liftExactCall(OpBuilder &b, LLVM::CallOp call, StringRef name) {
  static const llvm::StringMap<MathBuilder> rows = {
      {"float_as_int", make<arith::BitcastOp>},
      {"float_as_uint", make<arith::BitcastOp>},
      {"int_as_float", make<arith::BitcastOp>},
      {"uint_as_float", make<arith::BitcastOp>},
      {"double_as_longlong", make<arith::BitcastOp>},
      {"longlong_as_double", make<arith::BitcastOp>},
      {"int2float_rn", make<arith::SIToFPOp>},
      {"uint2float_rn", make<arith::UIToFPOp>},
      {"ll2float_rn", make<arith::SIToFPOp>},
      {"ull2float_rn", make<arith::UIToFPOp>},
      {"int2double_rn", make<arith::SIToFPOp>},
      {"uint2double_rn", make<arith::UIToFPOp>},
      {"ll2double_rn", make<arith::SIToFPOp>},
      {"ull2double_rn", make<arith::UIToFPOp>},
      {"double2float_rn", make<arith::TruncFOp>},
      {"mulhi", makeHigh<arith::MulSIExtendedOp>},
      {"umulhi", makeHigh<arith::MulUIExtendedOp>},
      {"mul64hi", makeHigh<arith::MulSIExtendedOp>},
      {"umul64hi", makeHigh<arith::MulUIExtendedOp>},
      {"popcll", makeCount<math::CtPopOp>},
      {"clzll", makeCount<math::CountLeadingZerosOp>},
      {"llabs", make<math::AbsIOp>},
  };
  auto row = rows.find(name);
  return row == rows.end() ? Value() : row->second(b, call);
}

static Value liftCall(OpBuilder &b, LLVM::CallOp call) {
  StringRef name = call.getCallee().value_or("");
  if (!name.consume_front("__nv_"))
    return {};
  if (Value made = liftExactCall(b, call, name))
    return made;
  bool fast = name.consume_front("fast_");
  Type type = call->getResult(0).getType();
  if (llvm::all_of(call->getOperandTypes(),
                   [&](Type operand) { return operand == type; }) &&
      type.isInteger())
    return liftIntegerCall(b, call, name);
  if (type.isF32() ? !name.consume_back("f") : !type.isF64())
    return {};
  for (Type operand : call->getOperandTypes())
    if (operand != type)
      return {};
  auto row = functions().find(name);
  if (row == functions().end() || (fast && !hasFastForm(name)))
    return {};
  Value made = row->second(b, call);
  auto flags = fastMathOf(call);
  // Flags of a precise call must not select the approximate function.
  flags = fast ? flags | arith::FastMathFlags::afn
               : flags & ~arith::FastMathFlags::afn;
  made.getDefiningOp()->setAttr(
      "fastmath", arith::FastMathFlagsAttr::get(b.getContext(), flags));
  return made;
}

Value klineage::liftMath(OpBuilder &b, Operation *op) {
  Value made;
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    made = liftCall(b, call);
  } else if (isa<LLVM::FMAOp>(op)) {
    made = make<math::FmaOp>(b, op);
  } else if (isa<LLVM::FAbsOp>(op)) {
    made = make<math::AbsFOp>(b, op);
  } else if (isa<LLVM::CtPopOp>(op)) {
    made = make<math::CtPopOp>(b, op);
  } else if (isa<LLVM::FFloorOp>(op)) {
    made = make<math::FloorOp>(b, op);
  } else if (isa<LLVM::FCeilOp>(op)) {
    made = make<math::CeilOp>(b, op);
  } else if (isa<LLVM::CopySignOp>(op)) {
    made = make<math::CopySignOp>(b, op);
  } else if (auto abs = dyn_cast<LLVM::AbsOp>(op)) {
    // With is_int_min_poison the result says less; the plain form is a
    // refinement.
    made = math::AbsIOp::create(b, op->getLoc(), abs.getIn());
  }
  return made;
}
