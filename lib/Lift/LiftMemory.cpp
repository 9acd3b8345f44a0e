//===- LiftMemory.cpp - Pointers become memrefs
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "KLineage/Lift/Passes.h"
#include "Objects.h"
#include "Offsets.h"
#include "Pointers.h"
#include "Utils.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace klineage {
#define GEN_PASS_DEF_LIFTMEMORYPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {
struct LiftMemory : klineage::impl::LiftMemoryPassBase<LiftMemory> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      lift(kernel);
    removeUnusedGlobals();
  }

  static void lift(gpu::GPUFuncOp kernel) {
    expandCopies(kernel);
    PointerAnalysis analysis(kernel);
    ObjectBuilder objects(kernel);
    SmallVector<PointerBase *> lifted;
    for (auto &base : analysis.bases) {
      objects.useDeclaredElement(*base);
      if (!base->element && !base->addresses.empty())
        base->fail(base->addresses.front()->getOwner(),
                   "nothing says what its elements are: give it a type in the "
                   "launch description");
      checkAccesses(*base);
      if (!base->blame && objects.check(*base) && base->element)
        checkOffsets(*base);
      if (base->blame)
        reportKept(base->blame, base->why);
      else if (base->element || isa<BlockArgument>(base->roots.front()))
        lifted.push_back(base.get());
    }
    OffsetBuilder offsets(analysis);
    SmallVector<UnrealizedConversionCastOp> parameters;
    for (PointerBase *base : lifted) {
      Value object = objects.build(*base);
      if (auto cast = object.getDefiningOp<UnrealizedConversionCastOp>())
        parameters.push_back(cast);
      for (Operation *access : base->accesses)
        liftAccess(access, object, offsets.elements(addressOf(access)),
                   base->element);
      for (OpOperand *use : base->addresses) {
        OpBuilder b(use->getOwner());
        use->set(elementAddress(
            b, use->getOwner()->getLoc(), object, offsets.elements(use->get()),
            base->element, cast<LLVM::LLVMPointerType>(use->get().getType())));
      }
      for (Operation *compare : base->compares)
        liftCompare(cast<LLVM::ICmpOp>(compare), offsets);
    }
    for (PointerBase *base : lifted)
      erasePointers(*base);
    retypeParameters(kernel, parameters);
  }

  /// The pointers have no use but each other now.
  static void erasePointers(PointerBase &base) {
    SmallVector<BlockArgument> arguments;
    SmallVector<Operation *> operations;
    for (Value pointer : base.pointers) {
      auto arg = dyn_cast<BlockArgument>(pointer);
      if (!arg)
        operations.push_back(pointer.getDefiningOp());
      else if (!arg.getOwner()->isEntryBlock())
        arguments.push_back(arg);
    }
    for (BlockArgument arg : arguments) {
      Block *block = arg.getOwner();
      for (auto it = block->pred_begin(); it != block->pred_end(); ++it)
        cast<BranchOpInterface>((*it)->getTerminator())
            .getSuccessorOperands(it.getSuccessorIndex())
            .erase(arg.getArgNumber());
      arg.dropAllUses();
      block->eraseArgument(arg.getArgNumber());
    }
    for (Operation *op : llvm::reverse(operations)) {
      op->dropAllUses();
      op->erase();
    }
  }

  static void
  retypeParameters(gpu::GPUFuncOp kernel,
                   ArrayRef<UnrealizedConversionCastOp> parameters) {
    SmallVector<Type> types(kernel.getFunctionType().getInputs());
    for (UnrealizedConversionCastOp cast : parameters) {
      auto arg = mlir::cast<BlockArgument>(cast.getOperand(0));
      Type type = cast.getResult(0).getType();
      arg.setType(type);
      types[arg.getArgNumber()] = type;
      cast.getResult(0).replaceAllUsesWith(arg);
      UnrealizedConversionCastOp(cast).erase();
    }
    kernel.setFunctionType(FunctionType::get(kernel.getContext(), types, {}));
  }

  void removeUnusedGlobals() {
    // A function that was inlined everywhere is still there; a removed one may
    // have been the last to call another.
    for (bool changed = true; changed;) {
      changed = false;
      for (auto func : llvm::make_early_inc_range(
               getOperation().getOps<LLVM::LLVMFuncOp>()))
        if (SymbolTable::symbolKnownUseEmpty(func, getOperation())) {
          func.erase();
          changed = true;
        }
    }
    for (auto global :
         llvm::make_early_inc_range(getOperation().getOps<LLVM::GlobalOp>()))
      if (SymbolTable::symbolKnownUseEmpty(global, getOperation()))
        global.erase();
  }
};
} // namespace
