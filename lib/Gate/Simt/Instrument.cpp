//===- Instrument.cpp - A call of the runtime before each memory access
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hostify.h"
#include "Ops.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include <algorithm>

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

namespace {

/// What one access needs to know about the object that its pointer is in.
struct Origin {
  AllocaInst *alloca = nullptr;
  Argument *byVal = nullptr;
  int16_t argument = -1, sharedVar = -1;
};

class Instrumenter {
public:
  Instrumenter(Module &module, HostModule &result)
      : layout(module.getDataLayout()), result(result),
        ptr(PointerType::get(module.getContext(), 0)),
        i64(Type::getInt64Ty(module.getContext())) {
    check =
        module.getOrInsertFunction("klineage_simt_check", ptr, ptr, ptr, ptr);
    checkN = module.getOrInsertFunction("klineage_simt_check_n", ptr, ptr, ptr,
                                        i64, ptr);
    checkPrivate = module.getOrInsertFunction("klineage_simt_check_private",
                                              ptr, ptr, ptr, i64, i64, ptr);
    for (GlobalVariable *global : sharedGlobals(module))
      sharedIndex[global] = sharedIndex.size();
    for (KernelInfo &kernel : result.kernels)
      kernels.insert(module.getFunction(kernel.name));
  }

  void run(Function &function) {
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      visit(inst);
  }

private:
  void visit(Instruction &inst) {
    if (auto *load = dyn_cast<LoadInst>(&inst))
      access(inst, load->getPointerOperandIndex(), load->getType(),
             load->getAlign(),
             accessRead | (load->isAtomic() ? accessAtomic : 0));
    else if (auto *store = dyn_cast<StoreInst>(&inst))
      access(inst, store->getPointerOperandIndex(),
             store->getValueOperand()->getType(), store->getAlign(),
             accessWrite | (store->isAtomic() ? accessAtomic : 0));
    else if (auto *rmw = dyn_cast<AtomicRMWInst>(&inst))
      access(inst, rmw->getPointerOperandIndex(), rmw->getType(),
             rmw->getAlign(), accessRead | accessWrite | accessAtomic);
    else if (auto *cas = dyn_cast<AtomicCmpXchgInst>(&inst))
      access(inst, cas->getPointerOperandIndex(),
             cas->getCompareOperand()->getType(), cas->getAlign(),
             accessRead | accessWrite | accessAtomic);
    else if (auto *mem = dyn_cast<AnyMemIntrinsic>(&inst))
      bulk(*mem);
  }

  Origin originOf(Value *pointer) {
    Origin origin;
    Value *object = getUnderlyingObject(pointer, /*MaxLookup=*/0);
    if (auto *alloca = dyn_cast<AllocaInst>(object)) {
      origin.alloca = alloca;
    } else if (auto *global = dyn_cast<GlobalVariable>(object)) {
      auto it = sharedIndex.find(global);
      if (it != sharedIndex.end())
        origin.sharedVar = it->second;
    } else if (auto *arg = dyn_cast<Argument>(object)) {
      if (arg->hasByValAttr())
        origin.byVal = arg;
      else if (kernels.contains(arg->getParent()))
        origin.argument = arg->getArgNo() - 1;
    }
    return origin;
  }

  Site &makeSite(Instruction &inst, const Origin &origin, Type *type,
                 uint64_t align, uint8_t flags) {
    Site &site = result.newSite(inst);
    site.size = type ? layout.getTypeStoreSize(type) : 0;
    Type *element = type ? type->getScalarType() : nullptr;
    site.elementSize =
        element ? std::max<uint64_t>(1, layout.getTypeStoreSize(element)) : 1;
    site.align = align;
    site.flags = flags;
    site.argument = origin.argument;
    site.sharedVar = origin.sharedVar;
    return site;
  }

  /// A cell of the shadow must not be shared by two independent accesses.
  void refineGranule(uint64_t size, uint64_t align) {
    uint64_t bits = (size ? size : 1) | align;
    result.granuleShift =
        std::min<unsigned>(result.granuleShift, llvm::countr_zero(bits));
  }

  Value *sitePointer(IRBuilder<> &builder, Site &site) {
    return builder.CreateIntToPtr(
        builder.getInt64(reinterpret_cast<uintptr_t>(&site)), ptr);
  }

  Value *generic(IRBuilder<> &builder, Value *pointer) {
    return builder.CreatePointerBitCastOrAddrSpaceCast(pointer, ptr);
  }

  void access(Instruction &inst, unsigned operand, Type *type, Align align,
              uint8_t flags) {
    Value *pointer = inst.getOperand(operand);
    // The thread's context is the executor's own.
    if (getUnderlyingObject(pointer) == inst.getFunction()->getArg(0))
      return;
    Origin origin = originOf(pointer);
    uint64_t size = layout.getTypeStoreSize(type);
    if (origin.alloca || origin.byVal)
      return privateAccess(inst, operand, origin, type, align, flags);
    Site &site = makeSite(inst, origin, type, align.value(), flags);
    refineGranule(size, align.value());
    IRBuilder<> builder(&inst);
    Value *safe = builder.CreateCall(check, {inst.getFunction()->getArg(0),
                                             generic(builder, pointer),
                                             sitePointer(builder, site)});
    inst.setOperand(operand,
                    builder.CreateAddrSpaceCast(safe, pointer->getType()));
  }

  /// Private memory is the thread's own: only its bounds can be wrong, and
  /// most accesses show at once that they are not.
  void privateAccess(Instruction &inst, unsigned operand, const Origin &origin,
                     Type *type, Align align, uint8_t flags) {
    Value *pointer = inst.getOperand(operand);
    Value *base = origin.alloca ? cast<Value>(origin.alloca) : origin.byVal;
    uint64_t extent =
        origin.alloca
            ? origin.alloca->getAllocationSize(layout)->getFixedValue()
            : layout.getTypeAllocSize(origin.byVal->getParamByValType())
                  .getFixedValue();
    uint64_t size = layout.getTypeStoreSize(type);
    APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    Value *stripped = pointer->stripAndAccumulateConstantOffsets(
        layout, offset, /*AllowNonInbounds=*/true);
    if (stripped == base && !offset.isNegative() &&
        offset.getZExtValue() + size <= extent)
      return;
    Site &site = makeSite(inst, origin, type, align.value(), flags);
    IRBuilder<> builder(&inst);
    Value *safe = builder.CreateCall(
        checkPrivate, {inst.getFunction()->getArg(0), generic(builder, pointer),
                       builder.CreatePtrToInt(base, i64),
                       builder.getInt64(extent), sitePointer(builder, site)});
    inst.setOperand(operand,
                    builder.CreateAddrSpaceCast(safe, pointer->getType()));
  }

  /// One side of memcpy, memmove, memset. Returns "this side may be touched".
  Value *bulkSide(IRBuilder<> &builder, AnyMemIntrinsic &inst, Value *pointer,
                  uint64_t align, uint8_t flags) {
    Origin origin = originOf(pointer);
    Site &site = makeSite(inst, origin, nullptr, align, flags);
    Value *bytes = builder.CreateZExtOrTrunc(inst.getLength(), i64);
    Value *base = origin.alloca ? cast<Value>(origin.alloca) : origin.byVal;
    if (base) // Stack bounds of the thread are the bounds here.
      return nullptr;
    auto *length = dyn_cast<ConstantInt>(inst.getLength());
    refineGranule(length ? length->getZExtValue() : 1, align);
    Value *safe = builder.CreateCall(checkN, {inst.getFunction()->getArg(0),
                                              generic(builder, pointer), bytes,
                                              sitePointer(builder, site)});
    return builder.CreateIsNotNull(safe);
  }

  void bulk(AnyMemIntrinsic &inst) {
    IRBuilder<> builder(&inst);
    Value *ok = bulkSide(builder, inst, inst.getRawDest(),
                         inst.getDestAlign().valueOrOne().value(), accessWrite);
    if (auto *transfer = dyn_cast<AnyMemTransferInst>(&inst)) {
      Value *source =
          bulkSide(builder, inst, transfer->getRawSource(),
                   transfer->getSourceAlign().valueOrOne().value(), accessRead);
      ok = ok && source ? builder.CreateAnd(ok, source) : ok ? ok : source;
    }
    if (!ok)
      return;
    // A refused operation becomes one of zero bytes; the ordinary form takes
    // a length that is not constant.
    Value *length = builder.CreateSelect(
        ok, inst.getLength(), ConstantInt::get(inst.getLength()->getType(), 0));
    if (auto *set = dyn_cast<AnyMemSetInst>(&inst))
      builder.CreateMemSet(set->getRawDest(), set->getValue(), length,
                           MaybeAlign(1));
    else
      builder.CreateMemMove(inst.getRawDest(), MaybeAlign(1),
                            cast<AnyMemTransferInst>(inst).getRawSource(),
                            MaybeAlign(1), length);
    inst.eraseFromParent();
  }

  const DataLayout &layout;
  HostModule &result;
  Type *ptr, *i64;
  FunctionCallee check, checkN, checkPrivate;
  DenseMap<GlobalVariable *, int16_t> sharedIndex;
  SmallPtrSet<Function *, 8> kernels;
};

} // namespace

/// Turns masked accesses into branches and scalar accesses, which are checked
/// like all others. PTX gets the same form.
static void scalarizeMasked(Module &module) {
  PassBuilder builder;
  FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  FunctionPassManager passes;
  passes.addPass(ScalarizeMaskedMemIntrinPass());
  for (Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, analyses);
}

/// Operations of the runtime that touch memory themselves.
static void noteRuntimeAccesses(Module &module, HostModule &result) {
  for (Function &function : module) {
    auto info = lookupIntrinsic(function.getIntrinsicID());
    if (!info || function.use_empty())
      continue;
    if (info->treatment == Treatment::laneOp &&
        (info->code & 0xff) == opCpAsync)
      // The size operand of a zero-filling copy may be any number.
      result.granuleShift = std::min<unsigned>(
          result.granuleShift,
          info->code >> 8 & 64 ? 0 : llvm::countr_zero(info->code >> 8 & 63));
  }
}

void klineage::simt::instrumentAccesses(Module &module, HostModule &result) {
  scalarizeMasked(module);
  Instrumenter instrumenter(module, result);
  for (Function &function : module)
    if (!function.isDeclaration())
      instrumenter.run(function);
  noteRuntimeAccesses(module, result);
}
