//===- ExpandPure.cpp - NVVM arithmetic as generic LLVM IR
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hostify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

// Most operations exist with and without flush-to-zero; docs/numerics.md says
// why the executor keeps subnormals in both.

/// PTX .sat clamps to [+0, 1] and turns NaN into +0.
static Value *saturate(Value *x, Value *one, IRBuilder<> &b) {
  Value *zero = ConstantFP::get(x->getType(), 0.0);
  return b.CreateBinaryIntrinsic(
      Intrinsic::minimumnum,
      b.CreateBinaryIntrinsic(Intrinsic::maximumnum, x, zero), one);
}

static Value *expandUnary(IntrinsicInst &inst, IRBuilder<> &b) {
  Value *x = inst.getArgOperand(0);
  Value *one = x->getType()->isFPOrFPVectorTy()
                   ? ConstantFP::get(x->getType(), 1.0)
                   : nullptr;
  switch (inst.getIntrinsicID()) {
  case Intrinsic::nvvm_ex2_approx:
  case Intrinsic::nvvm_ex2_approx_ftz:
    return b.CreateUnaryIntrinsic(Intrinsic::exp2, x);
  case Intrinsic::nvvm_lg2_approx_f:
  case Intrinsic::nvvm_lg2_approx_ftz_f:
    return b.CreateUnaryIntrinsic(Intrinsic::log2, x);
  case Intrinsic::nvvm_rcp_rn_f:
  case Intrinsic::nvvm_rcp_rn_ftz_f:
  case Intrinsic::nvvm_rcp_rn_d:
  case Intrinsic::nvvm_rcp_approx_ftz_f:
  case Intrinsic::nvvm_rcp_approx_ftz_d:
    return b.CreateFDiv(one, x);
  case Intrinsic::nvvm_rsqrt_approx_f:
  case Intrinsic::nvvm_rsqrt_approx_ftz_f:
  case Intrinsic::nvvm_rsqrt_approx_d:
    return b.CreateFDiv(one, b.CreateUnaryIntrinsic(Intrinsic::sqrt, x));
  case Intrinsic::nvvm_sqrt_approx_f:
  case Intrinsic::nvvm_sqrt_approx_ftz_f:
  case Intrinsic::nvvm_sqrt_rn_f:
  case Intrinsic::nvvm_sqrt_rn_ftz_f:
  case Intrinsic::nvvm_sqrt_rn_d:
  case Intrinsic::nvvm_sqrt_f:
    return b.CreateUnaryIntrinsic(Intrinsic::sqrt, x);
  case Intrinsic::nvvm_sin_approx_f:
  case Intrinsic::nvvm_sin_approx_ftz_f:
    return b.CreateUnaryIntrinsic(Intrinsic::sin, x);
  case Intrinsic::nvvm_cos_approx_f:
  case Intrinsic::nvvm_cos_approx_ftz_f:
    return b.CreateUnaryIntrinsic(Intrinsic::cos, x);
  case Intrinsic::nvvm_fabs:
  case Intrinsic::nvvm_fabs_ftz:
    return b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
  case Intrinsic::nvvm_ceil_f:
  case Intrinsic::nvvm_ceil_ftz_f:
    return b.CreateUnaryIntrinsic(Intrinsic::ceil, x);
  case Intrinsic::nvvm_floor_f:
  case Intrinsic::nvvm_floor_ftz_f:
    return b.CreateUnaryIntrinsic(Intrinsic::floor, x);
  case Intrinsic::nvvm_trunc_f:
  case Intrinsic::nvvm_trunc_ftz_f:
    return b.CreateUnaryIntrinsic(Intrinsic::trunc, x);
  case Intrinsic::nvvm_saturate_f:
    return saturate(x, one, b);
  case Intrinsic::nvvm_f2bf16_rn:
  case Intrinsic::nvvm_f2f16_rn:
    return b.CreateFPTrunc(x, inst.getType());
  default:
    return nullptr;
  }
}

static Value *expandBinary(IntrinsicInst &inst, IRBuilder<> &b) {
  if (inst.arg_size() < 2)
    return nullptr;
  Value *x = inst.getArgOperand(0), *y = inst.getArgOperand(1);
  switch (inst.getIntrinsicID()) {
  case Intrinsic::nvvm_div_approx_f:
  case Intrinsic::nvvm_div_approx_ftz_f:
  case Intrinsic::nvvm_div_rn_f:
  case Intrinsic::nvvm_div_rn_ftz_f:
  case Intrinsic::nvvm_div_rn_d:
    return b.CreateFDiv(x, y);
  case Intrinsic::nvvm_fma_rn_f:
  case Intrinsic::nvvm_fma_rn_ftz_f:
  case Intrinsic::nvvm_fma_rn_d:
    return b.CreateIntrinsic(Intrinsic::fma, {x->getType()},
                             {x, y, inst.getArgOperand(2)});
  case Intrinsic::nvvm_fmax_f:
  case Intrinsic::nvvm_fmax_ftz_f:
  case Intrinsic::nvvm_fmax_d:
    return b.CreateBinaryIntrinsic(Intrinsic::maximumnum, x, y);
  case Intrinsic::nvvm_fmin_f:
  case Intrinsic::nvvm_fmin_ftz_f:
  case Intrinsic::nvvm_fmin_d:
    return b.CreateBinaryIntrinsic(Intrinsic::minimumnum, x, y);
  case Intrinsic::nvvm_fmax_nan_f:
  case Intrinsic::nvvm_fmax_ftz_nan_f:
    return b.CreateBinaryIntrinsic(Intrinsic::maximum, x, y);
  case Intrinsic::nvvm_fmin_nan_f:
  case Intrinsic::nvvm_fmin_ftz_nan_f:
    return b.CreateBinaryIntrinsic(Intrinsic::minimum, x, y);
  case Intrinsic::nvvm_ff2bf16x2_rn:
  case Intrinsic::nvvm_ff2f16x2_rn: {
    // The first operand goes to the upper half.
    auto *type = cast<FixedVectorType>(inst.getType());
    Value *pair = PoisonValue::get(type);
    Type *half = type->getElementType();
    pair = b.CreateInsertElement(pair, b.CreateFPTrunc(y, half), uint64_t(0));
    return b.CreateInsertElement(pair, b.CreateFPTrunc(x, half), uint64_t(1));
  }
  case Intrinsic::nvvm_mulhi_i:
  case Intrinsic::nvvm_mulhi_ui: {
    bool isSigned = inst.getIntrinsicID() == Intrinsic::nvvm_mulhi_i;
    auto widen = [&](Value *v) {
      return isSigned ? b.CreateSExt(v, b.getInt64Ty())
                      : b.CreateZExt(v, b.getInt64Ty());
    };
    return b.CreateTrunc(b.CreateLShr(b.CreateMul(widen(x), widen(y)), 32),
                         b.getInt32Ty());
  }
  default:
    return nullptr;
  }
}

/// An addition or multiplication with its own rounding is never contracted.
/// A fence keeps products and sums from meeting.
static Value *expandRounded(IntrinsicInst &inst, IRBuilder<> &b) {
  auto fence = [&](Value *x) {
    return b.CreateIntrinsic(Intrinsic::arithmetic_fence, {x->getType()}, {x});
  };
  switch (inst.getIntrinsicID()) {
  case Intrinsic::nvvm_add_rn_f:
  case Intrinsic::nvvm_add_rn_ftz_f:
  case Intrinsic::nvvm_add_rn_d:
    return b.CreateFAdd(fence(inst.getArgOperand(0)),
                        fence(inst.getArgOperand(1)));
  case Intrinsic::nvvm_mul_rn_f:
  case Intrinsic::nvvm_mul_rn_ftz_f:
  case Intrinsic::nvvm_mul_rn_d:
    return fence(b.CreateFMul(inst.getArgOperand(0), inst.getArgOperand(1)));
  default:
    return nullptr;
  }
}

/// Four products of bytes, and their sum with the third operand, which wraps.
static Value *expandDot4(IntrinsicInst &inst, IRBuilder<> &b) {
  bool isSigned[2];
  switch (inst.getIntrinsicID()) {
  case Intrinsic::nvvm_idp4a_s_s:
    isSigned[0] = isSigned[1] = true;
    break;
  case Intrinsic::nvvm_idp4a_s_u:
    isSigned[0] = true, isSigned[1] = false;
    break;
  case Intrinsic::nvvm_idp4a_u_s:
    isSigned[0] = false, isSigned[1] = true;
    break;
  case Intrinsic::nvvm_idp4a_u_u:
    isSigned[0] = isSigned[1] = false;
    break;
  default:
    return nullptr;
  }
  auto byte = [&](unsigned operand, unsigned i) {
    Value *narrow = b.CreateTrunc(
        b.CreateLShr(inst.getArgOperand(operand), 8 * i), b.getInt8Ty());
    return isSigned[operand] ? b.CreateSExt(narrow, b.getInt32Ty())
                             : b.CreateZExt(narrow, b.getInt32Ty());
  };
  Value *sum = inst.getArgOperand(2);
  for (unsigned i = 0; i < 4; ++i)
    sum = b.CreateAdd(sum, b.CreateMul(byte(0, i), byte(1, i)));
  return sum;
}

static Value *expandTf32(IntrinsicInst &inst, IRBuilder<> &b) {
  Value *bits = b.CreateBitCast(inst.getArgOperand(0), b.getInt32Ty());
  Value *rounded = nullptr;
  switch (inst.getIntrinsicID()) {
  case Intrinsic::nvvm_f2tf32_rz:
    rounded = bits;
    break;
  case Intrinsic::nvvm_f2tf32_rna: // Half way: away from zero.
    rounded = b.CreateAdd(bits, b.getInt32(0x1000));
    break;
  case Intrinsic::nvvm_f2tf32_rn: { // Half way: to even.
    Value *odd = b.CreateAnd(b.CreateLShr(bits, 13), b.getInt32(1));
    rounded = b.CreateAdd(bits, b.CreateAdd(odd, b.getInt32(0xfff)));
    break;
  }
  default:
    return nullptr;
  }
  // The carry of rounding must not turn NaN into something else.
  Value *exponent = b.CreateAnd(bits, b.getInt32(0x7f800000));
  Value *special = b.CreateICmpEQ(exponent, b.getInt32(0x7f800000));
  Value *masked = b.CreateAnd(rounded, b.getInt32(0xffffe000));
  Value *nan = b.CreateICmpUGT(b.CreateAnd(bits, b.getInt32(0x7fffffff)),
                               b.getInt32(0x7f800000));
  return b.CreateSelect(nan, b.getInt32(0x7fffe000),
                        b.CreateSelect(special, bits, masked));
}

static Value *expandLaneMask(IntrinsicInst &inst, IRBuilder<> &b) {
  Value *field = b.CreateConstInBoundsGEP1_64(
      b.getInt8Ty(), inst.getFunction()->getArg(0), offsetof(ThreadCtx, lane));
  Value *lane = b.CreateLoad(b.getInt32Ty(), field);
  Value *self = b.CreateShl(b.getInt32(1), lane);
  Value *below = b.CreateSub(self, b.getInt32(1));
  switch (inst.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_eq:
    return self;
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_lt:
    return below;
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_le:
    return b.CreateOr(below, self);
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_gt:
    return b.CreateNot(b.CreateOr(below, self));
  default:
    return b.CreateNot(below);
  }
}

Value *klineage::simt::expandPure(IntrinsicInst &inst) {
  IRBuilder<> builder(&inst);
  if (inst.arg_size() == 0)
    return expandLaneMask(inst, builder);
  for (auto *expand :
       {expandUnary, expandBinary, expandRounded, expandTf32, expandDot4})
    if (Value *value = expand(inst, builder))
      return value;
  report_fatal_error("simt: intrinsic table and expansion disagree");
}
