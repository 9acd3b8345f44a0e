//===- SharedLayout.cpp - Where shared variables lie in the arena of a block
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hostify.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/MathExtras.h"

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

namespace {
constexpr int64_t redZone = 16;

/// Which functions each kernel reaches, itself included.
SmallPtrSet<Function *, 8> reachable(Function *kernel) {
  SmallPtrSet<Function *, 8> seen{kernel};
  SmallVector<Function *> work{kernel};
  while (!work.empty())
    for (Instruction &inst : instructions(*work.pop_back_val()))
      if (auto *call = dyn_cast<CallBase>(&inst))
        if (Function *callee = call->getCalledFunction();
            callee && !callee->isDeclaration() && seen.insert(callee).second)
          work.push_back(callee);
  return seen;
}

class Layout {
public:
  Layout(Module &module, bool checked, HostModule &result)
      : module(module), checked(checked), result(result) {}

  void run() {
    std::vector<GlobalVariable *> globals = sharedGlobals(module);
    SmallVector<Constant *> constants(globals.begin(), globals.end());
    convertUsersOfConstantsToInstructions(constants);
    for (GlobalVariable *global : globals)
      describe(*global);
    findUsers(globals);
    placeStatic();
    placeDynamic();
    for (auto [index, global] : enumerate(globals))
      replace(*global, result.sharedVars[index].offset);
  }

private:
  void describe(GlobalVariable &global) {
    const DataLayout &layout = module.getDataLayout();
    SharedVar var;
    var.name = global.getName().str();
    var.bytes = layout.getTypeAllocSize(global.getValueType());
    // The ABI alignment, not the preferred one: PTX promises no more.
    var.align = global.getAlign()
                    .value_or(layout.getABITypeAlign(global.getValueType()))
                    .value();
    var.dynamic = var.bytes == 0;
    result.sharedVars.push_back(var);
    users.emplace_back();
  }

  void findUsers(ArrayRef<GlobalVariable *> globals) {
    for (auto [k, kernel] : enumerate(result.kernels)) {
      auto functions = reachable(module.getFunction(kernel.name));
      for (auto [index, global] : enumerate(globals))
        if (any_of(global->users(), [&](User *user) {
              auto *inst = dyn_cast<Instruction>(user);
              return inst && functions.contains(inst->getFunction());
            })) {
          kernel.sharedVars.push_back(index);
          users[index].push_back(k);
        }
    }
  }

  /// In checked mode a variable gets the alignment that it declares and not one
  /// bit more, so that luck does not hide a wrong alignment from us.
  int64_t place(SharedVar &var, int64_t end) {
    int64_t start = alignTo(end + (checked ? redZone : 0), var.align);
    if (checked && start % (2 * var.align) == 0)
      start += var.align;
    var.offset = start;
    return start + var.bytes;
  }

  /// Variables of several kernels have one place for all of them; those of one
  /// kernel follow behind and overlap those of the others.
  void placeStatic() {
    int64_t common = 0;
    for (auto [index, var] : enumerate(result.sharedVars))
      if (!var.dynamic && users[index].size() > 1)
        common = place(var, common);
    for (KernelInfo &kernel : result.kernels) {
      int64_t end = common;
      for (int index : kernel.sharedVars) {
        SharedVar &var = result.sharedVars[index];
        if (var.dynamic)
          continue;
        kernel.staticShared =
            alignTo(kernel.staticShared, var.align) + var.bytes;
        if (users[index].size() == 1)
          end = place(var, end);
      }
      kernel.arenaBytes = end;
    }
  }

  /// All dynamic variables share one address, behind all static ones.
  void placeDynamic() {
    int64_t end = 0, align = 16;
    for (KernelInfo &kernel : result.kernels)
      end = std::max(end, kernel.arenaBytes);
    bool any = false;
    for (SharedVar &var : result.sharedVars)
      if (var.dynamic) {
        align = std::max(align, var.align);
        any = true;
      }
    if (!any)
      return;
    SharedVar arena;
    arena.align = align;
    place(arena, end);
    for (SharedVar &var : result.sharedVars)
      if (var.dynamic)
        var.offset = arena.offset;
    for (KernelInfo &kernel : result.kernels)
      kernel.dynamicOffset = arena.offset;
  }

  /// One address per function, at its entry, which serves phis as well.
  Value *addressIn(Function &function, Type *type, int64_t offset) {
    Type *ptr = PointerType::get(module.getContext(), 0);
    IRBuilder<> builder(&function.getEntryBlock(),
                        function.getEntryBlock().getFirstInsertionPt());
    Value *field = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), function.getArg(0), offsetof(ThreadCtx, shared));
    auto *base = builder.CreateLoad(ptr, field);
    base->setMetadata(LLVMContext::MD_invariant_load,
                      MDNode::get(module.getContext(), {}));
    return builder.CreateAddrSpaceCast(
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset),
        type);
  }

  void replace(GlobalVariable &global, int64_t offset) {
    DenseMap<Function *, Value *> addresses;
    for (Use &use : make_early_inc_range(global.uses())) {
      auto *inst = dyn_cast<Instruction>(use.getUser());
      if (!inst)
        continue; // Dead constants.
      Value *&address = addresses[inst->getFunction()];
      if (!address)
        address = addressIn(*inst->getFunction(), global.getType(), offset);
      use.set(address);
    }
    global.removeDeadConstantUsers();
    if (!global.use_empty())
      global.replaceAllUsesWith(PoisonValue::get(global.getType()));
    global.eraseFromParent();
  }

  Module &module;
  bool checked;
  HostModule &result;
  std::vector<SmallVector<unsigned>> users;
};
} // namespace

void klineage::simt::placeSharedVariables(Module &module,
                                          const Options &options,
                                          HostModule &result) {
  // llvm.used refers to variables without using them.
  for (StringRef name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *used = module.getGlobalVariable(name))
      used->eraseFromParent();
  Layout(module, options.mode == Mode::checked, result).run();
}
