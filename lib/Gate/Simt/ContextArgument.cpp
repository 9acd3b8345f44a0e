//===- ContextArgument.cpp - The hidden first parameter of device functions
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceLib.h"
#include "Hostify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

static bool isKernel(const Function &function) {
  return function.getCallingConv() == CallingConv::PTX_Kernel ||
         function.hasFnAttribute("nvvm.kernel");
}

/// Marks kernels that older producers declare by !nvvm.annotations only.
static void readAnnotations(Module &module) {
  NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations");
  if (!annotations)
    return;
  for (MDNode *node : annotations->operands()) {
    auto *function =
        node->getNumOperands() >= 2
            ? mdconst::dyn_extract_or_null<Function>(node->getOperand(0))
            : nullptr;
    auto *name = function ? dyn_cast<MDString>(node->getOperand(1)) : nullptr;
    if (name && name->getString() == "kernel")
      function->setCallingConv(CallingConv::PTX_Kernel);
  }
  annotations->eraseFromParent();
}

static KernelInfo describeKernel(Function &function, const DataLayout &layout) {
  KernelInfo info;
  info.name = function.getName().str();
  for (Argument &arg : function.args()) {
    KernelParamInfo param;
    param.isPointer = arg.getType()->isPointerTy() && !arg.hasByValAttr();
    Type *type = arg.hasByValAttr() ? arg.getParamByValType() : arg.getType();
    param.bytes = layout.getTypeStoreSize(type);
    if (param.isPointer)
      param.align = arg.getParamAlign().valueOrOne().value();
    info.params.push_back(param);
  }
  return info;
}

/// Only what decides how an argument is passed survives. `align`,
/// `dereferenceable`, `readonly` and the like would let the optimizer move
/// accesses in front of the checks that watch over them.
static void keepPassingAttributes(Function &function) {
  LLVMContext &context = function.getContext();
  AttributeList attributes;
  for (Argument &arg : function.args()) {
    if (Type *type = arg.getParamByValType())
      attributes = attributes.addParamAttribute(
          context, {arg.getArgNo()},
          Attribute::getWithByValType(context, type));
    if (arg.hasNoAliasAttr())
      attributes = attributes.addParamAttribute(context, arg.getArgNo(),
                                                Attribute::NoAlias);
  }
  function.setAttributes(attributes);
  function.setDoesNotThrow();
}

static Function *withContext(Function &old) {
  LLVMContext &context = old.getContext();
  SmallVector<Type *> types{PointerType::get(context, 0)};
  append_range(types, old.getFunctionType()->params());
  auto *function =
      Function::Create(FunctionType::get(old.getReturnType(), types, false),
                       GlobalValue::InternalLinkage, "", old.getParent());
  function->takeName(&old);
  function->splice(function->begin(), &old);
  function->setDoesNotThrow();
  function->getArg(0)->setName("klineage.ctx");
  for (Argument &arg : old.args()) {
    Argument *copy = function->getArg(arg.getArgNo() + 1);
    copy->takeName(&arg);
    arg.replaceAllUsesWith(copy);
    if (Type *type = arg.getParamByValType())
      copy->addAttr(Attribute::getWithByValType(context, type));
    if (arg.hasNoAliasAttr())
      copy->addAttr(Attribute::NoAlias);
  }
  return function;
}

static void patchCalls(Function &old, Function &replacement) {
  for (User *user : make_early_inc_range(old.users())) {
    auto *call = cast<CallInst>(user);
    IRBuilder<> builder(call);
    SmallVector<Value *> args{call->getFunction()->getArg(0)};
    append_range(args, call->args());
    CallInst *patched = builder.CreateCall(&replacement, args);
    for (unsigned i = 0; i < call->arg_size(); ++i)
      if (Type *type = call->getParamByValType(i))
        patched->addParamAttr(
            i + 1, Attribute::getWithByValType(call->getContext(), type));
    patched->setDebugLoc(call->getDebugLoc());
    patched->takeName(call);
    call->replaceAllUsesWith(patched);
    call->eraseFromParent();
  }
  old.eraseFromParent();
}

/// The host has one kind of private memory, in address space 0.
static void normalizeAlloca(AllocaInst &alloca) {
  if (alloca.getAddressSpace() == 0)
    return;
  IRBuilder<> builder(&alloca);
  auto *host =
      new AllocaInst(alloca.getAllocatedType(), 0, alloca.getArraySize(),
                     alloca.getAlign(), "", alloca.getIterator());
  alloca.replaceAllUsesWith(
      builder.CreateAddrSpaceCast(host, alloca.getType()));
  alloca.eraseFromParent();
}

static void normalizeBody(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    if (auto *alloca = dyn_cast<AllocaInst>(&inst)) {
      normalizeAlloca(*alloca);
    } else if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst)) {
      // Assumptions are promises of the program; checked mode tests promises.
      // Lifetimes name allocas, which may just have been replaced.
      if (intrinsic->getIntrinsicID() == Intrinsic::assume ||
          intrinsic->isLifetimeStartOrEnd())
        intrinsic->eraseFromParent();
    } else if (auto *call = dyn_cast<CallBase>(&inst)) {
      AttributeList kept;
      for (unsigned i = 0; i < call->arg_size(); ++i)
        if (Type *type = call->getParamByValType(i))
          kept = kept.addParamAttribute(
              call->getContext(), {i},
              Attribute::getWithByValType(call->getContext(), type));
      call->setAttributes(kept);
      call->setCallingConv(CallingConv::C);
    }
  }
}

void klineage::simt::addContextArgument(Module &module, HostModule &result) {
  readAnnotations(module);
  const DataLayout &layout = module.getDataLayout();
  SmallVector<Function *> defined;
  for (Function &function : module) {
    if (function.isIntrinsic())
      continue;
    if (function.isDeclaration()) {
      function.setAttributes({});
      function.setCallingConv(CallingConv::C);
      continue;
    }
    if (isKernel(function))
      result.kernels.push_back(describeKernel(function, layout));
    defined.push_back(&function);
  }
  for (Function *function : defined) {
    normalizeBody(*function);
    keepPassingAttributes(*function);
  }
  // All bodies move before any call is patched: a call takes the context of
  // the function that it is in.
  SmallVector<Function *> replacements;
  for (Function *function : defined)
    replacements.push_back(withContext(*function));
  for (auto [function, replacement] : zip(defined, replacements))
    patchCalls(*function, *replacement);
}
