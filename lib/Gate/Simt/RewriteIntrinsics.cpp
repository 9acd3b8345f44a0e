//===- RewriteIntrinsics.cpp - Intrinsics become fields, runtime calls, generic
// IR
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceLib.h"
#include "Hostify.h"
#include "Ops.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

namespace {

class Rewriter {
public:
  Rewriter(Module &module, HostModule &result)
      : module(module), result(result),
        ptr(PointerType::get(module.getContext(), 0)),
        i32(Type::getInt32Ty(module.getContext())),
        i64(Type::getInt64Ty(module.getContext())) {}

  void visit(Instruction &inst) {
    relaxAlignment(inst);
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (!call)
      return;
    if (Value *value = numericTwin(*call))
      return replace(*call, value);
    if (auto info = lookupIntrinsic(call->getIntrinsicID()))
      rewrite(*call, *info);
  }

private:
  /// The checks have the declared alignment; on the host a false promise would
  /// fault in the middle of a kernel.
  void relaxAlignment(Instruction &inst) {
    if (auto *load = dyn_cast<LoadInst>(&inst); load && !load->isAtomic())
      load->setAlignment(Align(1));
    if (auto *store = dyn_cast<StoreInst>(&inst); store && !store->isAtomic())
      store->setAlignment(Align(1));
  }

  /// PTX min/max order the zeros (-0 < +0) and drop one NaN; the host must too.
  Value *numericTwin(IntrinsicInst &call) {
    Intrinsic::ID id = call.getIntrinsicID();
    if (id != Intrinsic::maxnum && id != Intrinsic::minnum)
      return nullptr;
    IRBuilder<> builder(&call);
    return builder.CreateBinaryIntrinsic(
        id == Intrinsic::maxnum ? Intrinsic::maximumnum : Intrinsic::minimumnum,
        call.getArgOperand(0), call.getArgOperand(1));
  }

  void replace(IntrinsicInst &call, Value *value) {
    if (value)
      call.replaceAllUsesWith(value);
    call.eraseFromParent();
  }

  Value *contextOf(Instruction &inst) { return inst.getFunction()->getArg(0); }

  Value *siteOf(IRBuilder<> &builder, Instruction &inst, bool aligned = false) {
    Site &site = result.newSite(inst);
    site.alignedBarrier = aligned;
    return builder.CreateIntToPtr(
        builder.getInt64(reinterpret_cast<uintptr_t>(&site)), ptr);
  }

  void rewrite(IntrinsicInst &call, const IntrinsicInfo &info) {
    IRBuilder<> builder(&call);
    switch (info.treatment) {
    case Treatment::specialRegister: {
      Value *field = builder.CreateConstInBoundsGEP1_64(
          builder.getInt8Ty(), contextOf(call), info.code);
      auto *load = builder.CreateLoad(i32, field);
      load->setMetadata(LLVMContext::MD_invariant_load,
                        MDNode::get(module.getContext(), {}));
      return replace(call, load);
    }
    case Treatment::constant:
      return replace(call, ConstantInt::get(call.getType(), info.code));
    case Treatment::nothing:
      return replace(call, nullptr);
    case Treatment::barrier:
    case Treatment::barrierArrive:
      return barrier(call, info);
    case Treatment::laneOp:
    case Treatment::warpOp:
      return marshal(call, info);
    case Treatment::pure:
      return replace(call, expandPure(call));
    }
  }

  /// Operands in the intrinsic's order: id, [count], [predicate].
  void barrier(IntrinsicInst &call, const IntrinsicInfo &info) {
    IRBuilder<> builder(&call);
    Value *site = siteOf(builder, call, info.aligned);
    unsigned next = 0;
    Value *id = call.getArgOperand(next++);
    Value *count =
        info.counted ? call.getArgOperand(next++) : builder.getInt32(0);
    if (info.treatment == Treatment::barrierArrive) {
      FunctionCallee arrive =
          module.getOrInsertFunction("klineage_simt_barrier_arrive",
                                     builder.getVoidTy(), ptr, i32, i32, ptr);
      builder.CreateCall(arrive, {contextOf(call), id, count, site});
      return replace(call, nullptr);
    }
    Value *predicate =
        info.reduce ? builder.CreateZExtOrTrunc(call.getArgOperand(next), i32)
                    : builder.getInt32(0);
    FunctionCallee wait = module.getOrInsertFunction(
        "klineage_simt_barrier", i32, ptr, i32, i32, i32, i32, ptr);
    Value *value = builder.CreateCall(wait, {contextOf(call), id, count,
                                             builder.getInt32(info.reduce),
                                             predicate, site});
    if (call.getType()->isVoidTy())
      return replace(call, nullptr);
    replace(call, call.getType()->isIntegerTy(1)
                      ? builder.CreateIsNotNull(value)
                      : builder.CreateZExtOrTrunc(value, call.getType()));
  }

  AllocaInst *slots(Function &function, unsigned count) {
    IRBuilder<> builder(&function.getEntryBlock(),
                        function.getEntryBlock().begin());
    return builder.CreateAlloca(ArrayType::get(i64, std::max(1u, count)));
  }

  /// Operands and results travel in 8-byte slots through memory, so no
  /// calling convention of half, vector or struct types matters.
  void marshal(IntrinsicInst &call, const IntrinsicInfo &info) {
    IRBuilder<> builder(&call);
    unsigned operands = call.arg_size();
    auto *structure = dyn_cast<StructType>(call.getType());
    unsigned results = structure ? structure->getNumElements() : 1;
    AllocaInst *in = slots(*call.getFunction(), operands + 1);
    AllocaInst *out = slots(*call.getFunction(), results);
    for (unsigned i = 0; i < operands; ++i)
      storeSlot(builder, in, i, call.getArgOperand(i));
    bool warp = info.treatment == Treatment::warpOp;
    if (warp) {
      Value *mask = info.maskOperand < 0 ? builder.getInt32(fullMask)
                                         : call.getArgOperand(info.maskOperand);
      storeSlot(builder, in, operands, mask);
    }
    uint32_t code = info.code;
    if (warp && (code & 0xff) < opVoteAll)
      code |= (structure ? 1u : 0u) << 8; // has a predicate result
    if (warp && ((code & 0xff) == opMatchAny || (code & 0xff) == opMatchAll))
      code |= uint32_t(call.getArgOperand(1)->getType()->getIntegerBitWidth())
              << 8;
    code |= operands << 24; // where the mask is
    FunctionCallee callee = module.getOrInsertFunction(
        warp ? "klineage_simt_warp_op" : "klineage_simt_lane_op",
        builder.getVoidTy(), ptr, i32, ptr, ptr, ptr);
    builder.CreateCall(callee, {contextOf(call), builder.getInt32(code),
                                memorySite(builder, call, info), in, out});
    if (call.getType()->isVoidTy())
      return replace(call, nullptr);
    if (!structure)
      return replace(call, loadSlot(builder, out, 0, call.getType()));
    Value *value = PoisonValue::get(structure);
    for (unsigned i = 0; i < results; ++i)
      value = builder.CreateInsertValue(
          value, loadSlot(builder, out, i, structure->getElementType(i)), i);
    replace(call, value);
  }

  /// Sites of operations that access memory carry what the checker needs.
  Value *memorySite(IRBuilder<> &builder, IntrinsicInst &call,
                    const IntrinsicInfo &info) {
    Value *pointer = siteOf(builder, call);
    Site &site = result.sites.back();
    switch (info.code & 0xff) {
    case opCpAsync:
      site.size = site.align = info.code >> 8 & 63;
      site.flags = accessWrite | accessAsync;
      break;
    case opLdMatrix:
      site.size = site.align = 16;
      site.elementSize = 2;
      site.flags = accessRead;
      break;
    case opStMatrix:
      site.size = site.align = 16;
      site.elementSize = 2;
      site.flags = accessWrite;
      break;
    default:
      break;
    }
    return pointer;
  }

  Value *slotAddress(IRBuilder<> &builder, AllocaInst *base, unsigned index) {
    return builder.CreateConstInBoundsGEP1_64(i64, base, index);
  }

  void storeSlot(IRBuilder<> &builder, AllocaInst *base, unsigned index,
                 Value *value) {
    Type *type = value->getType();
    if (type->isPointerTy())
      value = builder.CreatePtrToInt(value, i64);
    else if (!type->isIntegerTy())
      value = builder.CreateBitCast(
          value, builder.getIntNTy(type->getPrimitiveSizeInBits()));
    builder.CreateStore(builder.CreateZExtOrTrunc(value, i64),
                        slotAddress(builder, base, index));
  }

  Value *loadSlot(IRBuilder<> &builder, AllocaInst *base, unsigned index,
                  Type *type) {
    Value *value = builder.CreateLoad(i64, slotAddress(builder, base, index));
    if (type->isPointerTy())
      return builder.CreateIntToPtr(value, type);
    Type *bits = builder.getIntNTy(type->getPrimitiveSizeInBits());
    return builder.CreateBitCast(builder.CreateTrunc(value, bits), type);
  }

  Module &module;
  HostModule &result;
  Type *ptr, *i32, *i64;
};

} // namespace

void klineage::simt::rewriteIntrinsics(Module &module, HostModule &result) {
  Rewriter rewriter(module, result);
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      rewriter.visit(inst);
}
