//===- Hostify.cpp - From a device module to a module that runs on the CPU
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hostify.h"
#include "DeviceLib.h"
#include "Ops.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

static std::string debugLocation(const Instruction &inst) {
  const DebugLoc &loc = inst.getDebugLoc();
  if (!loc || loc.getLine() == 0)
    return "";
  StringRef file = cast<DIScope>(loc.getScope())->getFilename();
  return (file + ":" + Twine(loc.getLine()) + ":" + Twine(loc.getCol())).str();
}

static std::string instructionText(const Instruction &inst,
                                   ModuleSlotTracker &tracker) {
  std::string text;
  raw_string_ostream os(text);
  inst.print(os, tracker);
  StringRef line =
      StringRef(text).trim().take_until([](char c) { return c == '\n'; });
  // The metadata attachments at the end say nothing without the module.
  line = line.substr(0, line.find(", !"));
  return (line + " in @" + inst.getFunction()->getName()).str();
}

std::string klineage::simt::describeLocation(const Instruction &inst) {
  std::string location = debugLocation(inst);
  if (!location.empty())
    return location;
  ModuleSlotTracker tracker(inst.getModule());
  tracker.incorporateFunction(*inst.getFunction());
  return instructionText(inst, tracker);
}

void HostModule::noteTexts(Module &module) {
  ModuleSlotTracker tracker(&module);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    tracker.incorporateFunction(function);
    for (Instruction &inst : instructions(function))
      if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst,
              IntrinsicInst>(inst) &&
          debugLocation(inst).empty())
        texts[&inst] = instructionText(inst, tracker);
  }
}

Site &HostModule::newSite(const Instruction &inst) {
  Site &site = sites.emplace_back();
  site.id = sites.size() - 1;
  auto it = texts.find(&inst);
  site.location = it == texts.end() ? describeLocation(inst) : it->second;
  return site;
}

std::vector<GlobalVariable *> klineage::simt::sharedGlobals(Module &module) {
  std::vector<GlobalVariable *> result;
  for (GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == sharedAddressSpace)
      result.push_back(&global);
  return result;
}

/// Half the usual stack of an OS thread, where kernels without barriers run.
static constexpr int64_t maxPrivateBytes = 4 << 20;

static Error unsupported(const Twine &what, const Twine &where) {
  return make_error<UnsupportedError>(what.str(), where.str());
}

static bool isMemoryIntrinsic(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::memcpy:
  case Intrinsic::memcpy_inline:
  case Intrinsic::memmove:
  case Intrinsic::memset:
  case Intrinsic::memset_inline:
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
    return true;
  default:
    return false;
  }
}

static Error checkIntrinsic(const CallBase &call, const Function &callee) {
  Intrinsic::ID id = callee.getIntrinsicID();
  if (Intrinsic::isTargetIntrinsic(id)) {
    if (lookupIntrinsic(id))
      return Error::success();
    return unsupported("intrinsic " + callee.getName(), describeLocation(call));
  }
  if (isHarmlessGenericIntrinsic(id) || isMemoryIntrinsic(id))
    return Error::success();
  // Other generic intrinsics compute values; the host's backend knows them.
  if (callee.doesNotAccessMemory() || callee.onlyAccessesInaccessibleMemory())
    return Error::success();
  return unsupported("intrinsic " + callee.getName(), describeLocation(call));
}

static Error checkCall(const CallBase &call) {
  if (isa<InlineAsm>(call.getCalledOperand())) {
    std::string why = whyAsmUnsupported(call);
    return why.empty()
               ? Error::success()
               : unsupported("inline PTX " + why, describeLocation(call));
  }
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return unsupported("indirect call", describeLocation(call));
  if (isa<InvokeInst, CallBrInst>(call))
    return unsupported("exceptional control flow", describeLocation(call));
  if (callee->isIntrinsic())
    return checkIntrinsic(call, *callee);
  if (callee->isDeclaration() && !lookupDeviceFunction(callee->getName()))
    return unsupported("function " + callee->getName(), describeLocation(call));
  return Error::success();
}

static bool isAddressTaken(const Function &function) {
  return any_of(function.uses(), [](const Use &use) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    return !call || !call->isCallee(&use);
  });
}

static Error checkInstruction(const Instruction &inst) {
  if (auto *call = dyn_cast<CallBase>(&inst))
    return checkCall(*call);
  if (auto *alloca = dyn_cast<AllocaInst>(&inst);
      alloca && !alloca->isStaticAlloca())
    return unsupported("stack allocation of dynamic size",
                       describeLocation(inst));
  if (isa<VAArgInst, IndirectBrInst>(inst))
    return unsupported(Twine("instruction ") + inst.getOpcodeName(),
                       describeLocation(inst));
  return Error::success();
}

/// The host has these functions itself; a linked device library is not run.
static void dropDeviceLibrary(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() &&
        (lookupDeviceFunction(function.getName()) ||
         isSplitDeviceFunction(function.getName())))
      function.deleteBody();
  for (bool changed = true; changed;) {
    changed = false;
    for (Function &function : make_early_inc_range(module))
      if (function.hasLocalLinkage() && function.use_empty()) {
        function.eraseFromParent();
        changed = true;
      }
  }
}

Error klineage::simt::checkSupported(Module &module) {
  dropDeviceLibrary(module);
  splitDeviceCalls(module);
  if (!module.getModuleInlineAsm().empty())
    return unsupported("module-level inline asm", module.getName());
  if (!module.alias_empty() || !module.ifunc_empty())
    return unsupported("alias of a symbol", module.getName());
  for (GlobalVariable &global : module.globals()) {
    if (global.isThreadLocal())
      return unsupported("thread-local variable", global.getName());
    if (global.isDeclaration() &&
        global.getAddressSpace() != sharedAddressSpace)
      return unsupported("variable defined elsewhere", global.getName());
  }
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (function.isVarArg())
      return unsupported("variadic function", function.getName());
    if (isAddressTaken(function))
      return unsupported("address of a function", function.getName());
    for (Instruction &inst : instructions(function))
      if (Error error = checkInstruction(inst))
        return error;
  }
  return Error::success();
}

/// Marks the kernels from which a suspending operation can be reached.
static void findSuspending(Module &module, HostModule &result) {
  SmallPtrSet<Function *, 8> suspending;
  auto suspends = [&](CallBase &call) {
    Function *callee = call.getCalledFunction();
    if (suspending.contains(callee))
      return true;
    auto info = lookupIntrinsic(callee->getIntrinsicID());
    return info && (info->treatment == Treatment::barrier ||
                    info->treatment == Treatment::warpOp);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Function &function : module)
      for (Instruction &inst : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&inst); call && suspends(*call))
          changed |= suspending.insert(&function).second;
  }
  for (KernelInfo &kernel : result.kernels)
    kernel.suspends = suspending.contains(module.getFunction(kernel.name));
}

/// Wraps each kernel so that the runtime can call all of them alike:
/// void entry(ThreadCtx *, void **args).
static void addEntries(Module &module, HostModule &result) {
  LLVMContext &context = module.getContext();
  Type *ptr = PointerType::get(context, 0);
  for (KernelInfo &kernel : result.kernels) {
    Function *function = module.getFunction(kernel.name);
    kernel.entryName = "klineage_simt_entry." + kernel.name;
    auto *entry = Function::Create(
        FunctionType::get(Type::getVoidTy(context), {ptr, ptr}, false),
        GlobalValue::ExternalLinkage, kernel.entryName, module);
    entry->setDoesNotThrow();
    IRBuilder<> builder(BasicBlock::Create(context, "", entry));
    SmallVector<Value *> args{entry->getArg(0)};
    for (unsigned i = 1; i < function->arg_size(); ++i) {
      Value *slot = builder.CreateConstGEP1_64(ptr, entry->getArg(1), i - 1);
      Value *value = builder.CreateLoad(ptr, slot);
      Argument *arg = function->getArg(i);
      if (!arg->hasByValAttr())
        value = builder.CreateAlignedLoad(arg->getType(), value, Align(1));
      args.push_back(value);
    }
    for (unsigned i = 1; i < function->arg_size(); ++i)
      function->removeParamAttr(i, Attribute::ByVal);
    builder.CreateCall(function, args);
    builder.CreateRetVoid();
    function->setLinkage(GlobalValue::InternalLinkage);
  }
}

static bool isFence(const Instruction &inst) {
  auto strong = [](AtomicOrdering ordering) {
    return isStrongerThanMonotonic(ordering);
  };
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return strong(load->getOrdering());
  if (auto *store = dyn_cast<StoreInst>(&inst))
    return strong(store->getOrdering());
  if (auto *rmw = dyn_cast<AtomicRMWInst>(&inst))
    return strong(rmw->getOrdering());
  if (auto *cas = dyn_cast<AtomicCmpXchgInst>(&inst))
    return strong(cas->getSuccessOrdering());
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  return isa<FenceInst>(inst) ||
         (call && (call->getIntrinsicID() == Intrinsic::nvvm_membar_gl ||
                   call->getIntrinsicID() == Intrinsic::nvvm_membar_sys));
}

static void measure(Module &module, HostModule &result) {
  const DataLayout &layout = module.getDataLayout();
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      result.hasFences |= isFence(inst);
      if (auto *alloca = dyn_cast<AllocaInst>(&inst))
        result.privateBytes +=
            alloca->getAllocationSize(layout)->getFixedValue() + 16;
    }
}

static void exportGlobals(Module &module, HostModule &result) {
  for (GlobalVariable &global : make_early_inc_range(module.globals())) {
    if (global.getName().starts_with("llvm.")) {
      global.eraseFromParent();
      continue;
    }
    ModuleGlobal entry{
        global.getName().str(),
        "klineage_simt_global." + std::to_string(result.globals.size()),
        int64_t(
            module.getDataLayout().getTypeAllocSize(global.getValueType()))};
    global.setName(entry.symbol);
    global.setLinkage(GlobalValue::ExternalLinkage);
    result.globals.push_back(std::move(entry));
  }
}

static std::vector<AllocaInst *> privateMemory(Module &module) {
  std::vector<AllocaInst *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *alloca = dyn_cast<AllocaInst>(&inst))
        found.push_back(alloca);
  return found;
}

/// A value that was never written would be undefined: LLVM would choose it, and
/// might choose the right one.
static void poison(ArrayRef<AllocaInst *> variables, uint8_t pattern) {
  for (AllocaInst *variable : variables) {
    IRBuilder<> builder(variable->getNextNode());
    auto size = variable->getAllocationSize(variable->getDataLayout());
    builder.CreateMemSet(variable, builder.getInt8(pattern),
                         size->getFixedValue(), variable->getAlign());
  }
}

Error klineage::simt::hostify(Module &module, const Options &options,
                              HostModule &result) {
  bool checked = options.mode == Mode::checked;
  DenseMap<BasicBlock *, unsigned> blockIndex;
  addContextArgument(module, result);
  expandInlineAsm(module);
  result.noteTexts(module);
  measure(module, result);
  std::vector<AllocaInst *> variables = privateMemory(module);
  if (result.privateBytes > maxPrivateBytes)
    return unsupported("private memory of " + Twine(result.privateBytes) +
                           " bytes",
                       module.getName());
  if (checked)
    classifyBlocks(module, result, blockIndex);
  findSuspending(module, result);
  if (checked)
    instrumentAccesses(module, result);
  rewriteIntrinsics(module, result);
  poison(variables, options.privatePoison);
  result.texts.clear();
  placeSharedVariables(module, options, result);
  exportGlobals(module, result);
  addEntries(module, result);
  if (checked)
    insertBlockCounters(module, result, blockIndex);
  StripDebugInfo(module);
  std::string message;
  raw_string_ostream os(message);
  if (verifyModule(module, &os))
    return createStringError("simt: the rewritten module is not valid: " +
                             message);
  return Error::success();
}
