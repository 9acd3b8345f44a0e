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

using MathBuilder = Operation *(*)(OpBuilder &, Operation *);

template <typename To> static Operation *make(OpBuilder &b, Operation *op) {
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
static Operation *liftIntegerCall(OpBuilder &b, LLVM::CallOp call,
                                  StringRef name) {
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
  return row == rows.end() ? nullptr : row->second(b, call);
}

static Operation *liftCall(OpBuilder &b, LLVM::CallOp call) {
  StringRef name = call.getCallee().value_or("");
  if (!name.consume_front("__nv_"))
    return nullptr;
  bool fast = name.consume_front("fast_");
  Type type = call->getResult(0).getType();
  if (llvm::all_of(call->getOperandTypes(),
                   [&](Type operand) { return operand == type; }) &&
      type.isInteger())
    return liftIntegerCall(b, call, name);
  if (type.isF32() ? !name.consume_back("f") : !type.isF64())
    return nullptr;
  for (Type operand : call->getOperandTypes())
    if (operand != type)
      return nullptr;
  auto row = functions().find(name);
  if (row == functions().end() || (fast && !hasFastForm(name)))
    return nullptr;
  Operation *made = row->second(b, call);
  auto flags = fastMathOf(call);
  // Flags of a precise call must not select the approximate function.
  flags = fast ? flags | arith::FastMathFlags::afn
               : flags & ~arith::FastMathFlags::afn;
  made->setAttr("fastmath",
                arith::FastMathFlagsAttr::get(b.getContext(), flags));
  return made;
}

Value klineage::liftMath(OpBuilder &b, Operation *op) {
  Operation *made = nullptr;
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
  return made ? made->getResult(0) : Value();
}
