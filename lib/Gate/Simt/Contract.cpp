//===- Contract.cpp - Fused multiply-add where the NVPTX backend makes one
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

// x86 fuses a product only if the sum is its one use, NVPTX always does. Both
// executors must round alike, so the rules of NVPTX are applied here and the
// host's code generator finds nothing left to fuse.

/// A product in the same block, which is as far as instruction selection sees.
static BinaryOperator *productIn(Value *value, const BasicBlock *block) {
  auto *mul = dyn_cast<BinaryOperator>(value);
  return mul && mul->getOpcode() == Instruction::FMul &&
                 mul->getParent() == block
             ? mul
             : nullptr;
}

static Value *fma(IRBuilder<> &b, Value *x, Value *y, Value *z) {
  Type *type = x->getType();
  Type *scalar = type->getScalarType();
  if (!scalar->isHalfTy() && !scalar->isBFloatTy())
    return b.CreateIntrinsic(Intrinsic::fma, {type}, {x, y, z});
  // The host would go through f32 and round twice; f64 holds the product and,
  // but for extreme exponents, the sum.
  Type *wide = type->getWithNewType(b.getDoubleTy());
  Value *sum = b.CreateIntrinsic(
      Intrinsic::fma, {wide},
      {b.CreateFPExt(x, wide), b.CreateFPExt(y, wide), b.CreateFPExt(z, wide)});
  return b.CreateFPTrunc(sum, type);
}

/// With two products to choose from, the one with fewer uses is fused.
static bool preferSecond(BinaryOperator *first, BinaryOperator *second) {
  return second && (!first || first->getNumUses() > second->getNumUses());
}

static Value *contract(BinaryOperator &sum) {
  bool subtract = sum.getOpcode() == Instruction::FSub;
  Value *left = sum.getOperand(0), *right = sum.getOperand(1);
  BinaryOperator *first = productIn(left, sum.getParent());
  BinaryOperator *second = productIn(right, sum.getParent());
  if (!first && !second)
    return nullptr;
  IRBuilder<> b(&sum);
  if (preferSecond(first, second)) {
    Value *x = second->getOperand(0);
    return fma(b, subtract ? b.CreateFNeg(x) : x, second->getOperand(1), left);
  }
  return fma(b, first->getOperand(0), first->getOperand(1),
             subtract ? b.CreateFNeg(right) : right);
}

void klineage::simt::contractProducts(Module &module) {
  SmallVector<Instruction *> dead;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *sum = dyn_cast<BinaryOperator>(&inst);
      if (!sum || (sum->getOpcode() != Instruction::FAdd &&
                   sum->getOpcode() != Instruction::FSub))
        continue;
      // Uses are counted before any sum is replaced, as the backend does.
      if (Value *fused = contract(*sum)) {
        sum->replaceAllUsesWith(fused);
        dead.push_back(sum);
      }
    }
  for (Instruction *sum : reverse(dead))
    sum->eraseFromParent();
}
