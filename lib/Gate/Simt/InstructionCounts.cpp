//===- InstructionCounts.cpp - Counting executed instructions by class
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hostify.h"
#include "Ops.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

static InstClass classOfType(Type *type) {
  Type *scalar = type->getScalarType();
  if (scalar->isHalfTy() || scalar->isBFloatTy())
    return InstClass::fp16;
  if (scalar->isFloatTy())
    return InstClass::fp32;
  if (scalar->isDoubleTy())
    return InstClass::fp64;
  return scalar->isIntegerTy() ? InstClass::integer : InstClass::other;
}

static InstClass classOfIntrinsic(const CallBase &call, Intrinsic::ID id) {
  if (isa<AnyMemIntrinsic>(call))
    return InstClass::memory;
  if (auto info = lookupIntrinsic(id)) {
    switch (info->treatment) {
    case Treatment::barrier:
    case Treatment::barrierArrive:
      return InstClass::control;
    case Treatment::warpOp:
      switch (info->code & 0xff) {
      case opMma:
        return InstClass::mma;
      case opLdMatrix:
      case opStMatrix:
        return InstClass::memory;
      default:
        return InstClass::other;
      }
    case Treatment::laneOp:
      return (info->code & 0xff) == opCpAsync ? InstClass::memory
                                              : InstClass::other;
    case Treatment::pure:
      return InstClass::special;
    default:
      return InstClass::other;
    }
  }
  switch (id) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
    return InstClass::memory;
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::sqrt:
  case Intrinsic::tanh:
    return InstClass::special;
  default:
    return classOfType(call.getType());
  }
}

/// Empty for what costs nothing on a GPU: casts of pointers, phis, address
/// computations that are folded, debug records.
static std::optional<InstClass> classOf(const Instruction &inst) {
  if (isa<PHINode, AllocaInst, AddrSpaceCastInst, BitCastInst, PtrToIntInst,
          IntToPtrInst, ExtractValueInst, InsertValueInst, FreezeInst>(inst))
    return std::nullopt;
  if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(inst))
    return InstClass::memory;
  if (inst.isTerminator())
    return InstClass::control;
  if (auto *call = dyn_cast<CallBase>(&inst)) {
    const Function *callee = call->getCalledFunction();
    if (!callee->isIntrinsic())
      return callee->isDeclaration() ? InstClass::special : InstClass::control;
    if (isHarmlessGenericIntrinsic(callee->getIntrinsicID()))
      return std::nullopt;
    return classOfIntrinsic(*call, callee->getIntrinsicID());
  }
  if (isa<FCmpInst>(inst))
    return classOfType(inst.getOperand(0)->getType());
  if (isa<GetElementPtrInst>(inst))
    return InstClass::integer;
  return classOfType(inst.getType());
}

static uint32_t lanesOf(const Instruction &inst, InstClass kind) {
  if (kind != InstClass::fp16 && kind != InstClass::fp32 &&
      kind != InstClass::fp64 && kind != InstClass::integer)
    return 1;
  auto *vector = dyn_cast<FixedVectorType>(inst.getType());
  return vector ? vector->getNumElements() : 1;
}

void klineage::simt::classifyBlocks(Module &module, HostModule &result,
                                    DenseMap<BasicBlock *, unsigned> &index) {
  for (Function &function : module)
    for (BasicBlock &block : function) {
      std::array<uint32_t, numInstClasses> classes{};
      for (Instruction &inst : block)
        if (std::optional<InstClass> kind = classOf(inst))
          classes[unsigned(*kind)] += lanesOf(inst, *kind);
      index[&block] = result.blockClasses.size();
      result.blockClasses.push_back(classes);
    }
  result.blockCounters.assign(result.blockClasses.size(), 0);
}

void klineage::simt::insertBlockCounters(
    Module &module, HostModule &result,
    const DenseMap<BasicBlock *, unsigned> &index) {
  Type *ptr = PointerType::get(module.getContext(), 0);
  for (Function &function : module)
    for (BasicBlock &block : function) {
      auto it = index.find(&block);
      if (it == index.end())
        continue;
      IRBuilder<> builder(&block, block.getFirstInsertionPt());
      Value *counter =
          builder.CreateIntToPtr(builder.getInt64(reinterpret_cast<uintptr_t>(
                                     &result.blockCounters[it->second])),
                                 ptr);
      Value *value = builder.CreateLoad(builder.getInt64Ty(), counter);
      builder.CreateStore(builder.CreateAdd(value, builder.getInt64(1)),
                          counter);
    }
}
