//===- LiftFunc.cpp - Kernels of an LLVM module become gpu.func
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lift/Passes.h"
#include "Launch.h"
#include "Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MemoryBuffer.h"

namespace klineage {
#define GEN_PASS_DEF_LIFTFUNCPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

/// Denormals are kept by everything after the lift, so the original must keep
/// them.
static LogicalResult checkDenormals(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (auto flags = dyn_cast<LLVM::ModuleFlagsOp>(op))
      for (auto flag : flags.getFlags().getAsRange<LLVM::ModuleFlagAttr>())
        if (auto value = dyn_cast<IntegerAttr>(flag.getValue());
            value && flag.getKey() == "nvvm-reflect-ftz" &&
            value.getInt() != 0) {
          op->emitError(
              "the original flushes denormals to zero; compile it "
              "without -ffast-math and -fgpu-flush-denormals-to-zero");
          return WalkResult::interrupt();
        }
    auto func = dyn_cast<LLVM::LLVMFuncOp>(op);
    auto attributes = func ? func.getPassthroughAttr() : ArrayAttr();
    for (Attribute attribute :
         attributes ? attributes : ArrayAttr::get(op->getContext(), {})) {
      auto pair = dyn_cast<ArrayAttr>(attribute);
      if (pair && pair.size() == 2 &&
          cast<StringAttr>(pair[0]).getValue().starts_with(
              "denormal-fp-math") &&
          cast<StringAttr>(pair[1]).getValue().contains("preserve-sign")) {
        op->emitError("the original flushes denormals to zero");
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// What nothing after the lift could run or reason about.
static LogicalResult checkConstructs(ModuleOp module) {
  auto refuse = [](Operation *op, StringRef what) {
    op->emitError("cannot be lifted: ") << what;
    return WalkResult::interrupt();
  };
  constexpr StringLiteral indirect = "functions are called through pointers";
  // Calls have a place in the source; an address may have lost it.
  WalkResult result = module.walk([&](Operation *op) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    if (call && !call.getCallee())
      return refuse(op, indirect);
    auto text = dyn_cast<LLVM::InlineAsmOp>(op);
    if (text && text.getAsmString().ltrim(" \t\n{").starts_with("tex."))
      return refuse(op, "textures are read");
    return WalkResult::advance();
  });
  if (!result.wasInterrupted())
    result = module.walk([&](LLVM::AddressOfOp op) {
      return module.lookupSymbol<LLVM::LLVMFuncOp>(
                 op.getGlobalNameAttr().getAttr())
                 ? refuse(op, indirect)
                 : WalkResult::advance();
    });
  return failure(result.wasInterrupted());
}

/// Calls of functions that were not inlined keep their form.
static void reportCalls(gpu::GPUModuleOp target) {
  target.walk([&](LLVM::CallOp call) {
    auto callee = target.lookupSymbol<LLVM::LLVMFuncOp>(*call.getCallee());
    if (callee && !callee.isExternal() &&
        call->getParentOfType<gpu::GPUFuncOp>())
      reportKept(call, "a call of a function that was not inlined");
  });
}

/// Bounds that the importer leaves as text.
static void liftBounds(LLVM::LLVMFuncOp func, gpu::GPUFuncOp kernel) {
  Builder b(func.getContext());
  if (!func.getPassthroughAttr())
    return;
  for (Attribute attribute : func.getPassthroughAttr()) {
    auto pair = dyn_cast<ArrayAttr>(attribute);
    if (!pair || pair.size() != 2)
      continue;
    StringRef name = cast<StringAttr>(pair[0]).getValue();
    SmallVector<int32_t> numbers;
    SmallVector<StringRef> words;
    cast<StringAttr>(pair[1]).getValue().split(words, ',');
    for (StringRef word : words) {
      int32_t number = 0;
      if (word.trim().getAsInteger(10, number))
        return;
      numbers.push_back(number);
    }
    if (name == "nvvm.maxntid" || name == "nvvm.reqntid")
      kernel->setAttr(name, b.getDenseI32ArrayAttr(numbers));
    else if (name == "nvvm.minctasm" || name == "nvvm.maxnreg")
      kernel->setAttr(name, b.getI32IntegerAttr(numbers.front()));
  }
}

static void liftTerminators(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> terminators;
  for (Block &block : kernel.getBody())
    terminators.push_back(block.getTerminator());
  for (Operation *op : terminators) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    if (auto branch = dyn_cast<LLVM::BrOp>(op)) {
      cf::BranchOp::create(b, loc, branch.getDest(), branch.getDestOperands());
    } else if (auto branch = dyn_cast<LLVM::CondBrOp>(op)) {
      cf::CondBranchOp::create(
          b, loc, branch.getCondition(), branch.getTrueDest(),
          branch.getTrueDestOperands(), branch.getFalseDest(),
          branch.getFalseDestOperands());
    } else if (auto branch = dyn_cast<LLVM::SwitchOp>(op)) {
      SmallVector<ValueRange> operands(branch.getCaseOperands().begin(),
                                       branch.getCaseOperands().end());
      cf::SwitchOp::create(
          b, loc, branch.getValue(), branch.getDefaultDestination(),
          branch.getDefaultOperands(), branch.getCaseValuesAttr(),
          branch.getCaseDestinations(), operands);
    } else if (isa<LLVM::ReturnOp>(op)) {
      gpu::ReturnOp::create(b, loc);
    } else {
      reportKept(op, "no structured form of this terminator");
      continue;
    }
    op->erase();
  }
}

static LogicalResult liftKernel(LLVM::LLVMFuncOp func,
                                gpu::GPUModuleOp module) {
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (func.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
      return func.emitError("kernel '")
             << func.getSymName() << "' takes a structure by value as argument "
             << i << "; pass its fields";
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto type = b.getFunctionType(func.getArgumentTypes(), {});
  auto kernel =
      gpu::GPUFuncOp::create(b, func.getLoc(), func.getSymName(), type);
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  kernel.getBody().takeBody(func.getBody());
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    for (StringRef name : {LLVM::LLVMDialect::getNoAliasAttrName(),
                           LLVM::LLVMDialect::getReadonlyAttrName(),
                           LLVM::LLVMDialect::getAlignAttrName()})
      if (Attribute attribute = func.getArgAttr(i, name))
        kernel.setArgAttr(i, name, attribute);
  liftBounds(func, kernel);
  liftTerminators(kernel);
  return success();
}

/// Where a loop was, in a function that stays: its scope is a copy of the
/// function's, which LLVM's verifier takes for another function.
static void dropLoopLocations(LLVM::LLVMFuncOp func) {
  func.walk([](Operation *op) {
    StringRef name = "loop_annotation";
    auto old = op->getAttrOfType<LLVM::LoopAnnotationAttr>(name);
    if (!old)
      return;
    op->setAttr(name,
                LLVM::LoopAnnotationAttr::get(
                    op->getContext(), old.getDisableNonforced(),
                    old.getVectorize(), old.getInterleave(), old.getUnroll(),
                    old.getUnrollAndJam(), old.getLicm(), old.getDistribute(),
                    old.getPipeline(), old.getPeeled(), old.getUnswitch(),
                    old.getMustProgress(), old.getIsVectorized(), FusedLoc(),
                    FusedLoc(), old.getParallelAccesses()));
  });
}

namespace {
struct LiftFunc : klineage::impl::LiftFuncPassBase<LiftFunc> {
  using LiftFuncPassBase::LiftFuncPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<LLVM::LLVMFuncOp> kernels;
    int64_t before = 0;
    for (auto func : module.getOps<LLVM::LLVMFuncOp>())
      if (!func.isExternal() && func.getCConv() == LLVM::CConv::PTX_Kernel) {
        kernels.push_back(func);
        func.walk([&](Operation *) { ++before; });
      }
    if (kernels.empty()) {
      module.emitError("no kernel to lift: no llvm.func of the calling "
                       "convention ptx_kernelcc has a body");
      return signalPassFailure();
    }
    if (failed(checkDenormals(module)) || failed(checkConstructs(module)))
      return signalPassFailure();
    OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
    auto target = gpu::GPUModuleOp::create(b, module.getLoc(), "kernels");
    for (LLVM::LLVMFuncOp func : kernels) {
      if (failed(liftKernel(func, target)))
        return signalPassFailure();
      func.erase();
    }
    moveRest(module, target);
    reportCalls(target);
    // Facts of the original's target; the host code of the state has others.
    SmallVector<StringRef> foreign;
    for (NamedAttribute attribute : module->getAttrs())
      if (attribute.getName().strref().starts_with("llvm.") ||
          attribute.getName().strref().starts_with("dlti."))
        foreign.push_back(attribute.getName().strref());
    for (StringRef name : foreign)
      module->removeAttr(name);
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    b.getUnitAttr());
    module->setAttr(kOpsBeforeAttr, b.getI64IntegerAttr(before));
    if (!command.empty())
      module->setAttr(kCommandAttr, b.getStringAttr(command));
    if (!launch.empty() && failed(stampLaunch(target)))
      signalPassFailure();
  }

private:
  /// Symbols that kernels use, and none that only the original module needed.
  void moveRest(ModuleOp module, gpu::GPUModuleOp target) {
    for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
      if (auto global = dyn_cast<LLVM::GlobalOp>(op)) {
        global.removeComdatAttr();
        op.moveBefore(target.getBody(), target.getBody()->begin());
      } else if (auto func = dyn_cast<LLVM::LLVMFuncOp>(op)) {
        func.removeComdatAttr();
        dropLoopLocations(func);
        op.moveBefore(target.getBody(), target.getBody()->begin());
      } else if (op.getName().getDialectNamespace() == "llvm") {
        op.erase();
      }
    }
  }

  LogicalResult stampLaunch(gpu::GPUModuleOp target) {
    auto file = llvm::MemoryBuffer::getFile(launch);
    if (!file)
      return target.emitError("cannot read '")
             << launch << "': " << file.getError().message();
    auto parsed = LaunchDescription::parse((*file)->getBuffer());
    if (!parsed)
      return target.emitError("launch description '")
             << launch << "': " << llvm::toString(parsed.takeError());
    auto kernel = target.lookupSymbol<gpu::GPUFuncOp>(parsed->kernel);
    if (!kernel)
      return target.emitError("launch description '")
             << launch << "' is of '" << parsed->kernel
             << "', which is no kernel here";
    kernel->setAttr(kLaunchAttr,
                    StringAttr::get(&getContext(), parsed->canonicalText()));
    return success();
  }
};
} // namespace
