//===- Import.cpp - From a frontend's module to a state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/State/State.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace klineage;

FailureOr<func::FuncOp> klineage::lookupEntry(ModuleOp state, StringRef name) {
  func::FuncOp entry;
  for (auto func : state.getOps<func::FuncOp>()) {
    if (func.isExternal() ||
        (name.empty() ? !func.isPublic() : func.getSymName() != name))
      continue;
    if (entry)
      return state.emitError("expected one public entry function, found '")
             << entry.getSymName() << "' and '" << func.getSymName() << "'";
    entry = func;
  }
  if (!entry)
    return name.empty()
               ? state.emitError("expected a public entry function with a body")
               : state.emitError("no entry function named '") << name << "'";
  return entry;
}

static bool usesTensors(func::FuncOp func) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (llvm::any_of(func.getArgumentTypes(), isTensor) ||
      llvm::any_of(func.getResultTypes(), isTensor))
    return true;
  return func
      .walk([&](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isTensor)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Every tensor argument is an input: writing to it in place would change the
/// caller's data, which the gate refuses.
static void protectInputs(func::FuncOp func) {
  for (BlockArgument arg : func.getArguments())
    if (isa<TensorType>(arg.getType()))
      func.setArgAttr(arg.getArgNumber(),
                      bufferization::BufferizationDialect::kWritableAttrName,
                      BoolAttr::get(func.getContext(), false));
}

/// Gives each destination its own `tensor.empty`, so that bufferization makes
/// one buffer a value. Shared destinations would make one buffer hold several
/// values one after the other, which no step could tell apart.
static void separateDestinations(func::FuncOp func) {
  func.walk([](tensor::EmptyOp empty) {
    OpBuilder b(empty);
    b.setInsertionPointAfter(empty);
    for (OpOperand &use : llvm::make_early_inc_range(empty->getUses()))
      use.set(b.clone(*empty)->getResult(0));
    empty.erase();
  });
}

/// linalg.softmax and the like are several operations under one name.
static LogicalResult decomposeAggregates(func::FuncOp func) {
  SmallVector<linalg::AggregatedOpInterface> found;
  func.walk([&](linalg::AggregatedOpInterface op) {
    if (op->getNumResults() && !isa<linalg::LinalgOp>(op.getOperation()))
      found.push_back(op);
  });
  IRRewriter rewriter(func.getContext());
  for (linalg::AggregatedOpInterface op : found) {
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
    if (failed(parts))
      return op->emitOpError("cannot be decomposed into linalg.generic");
    rewriter.replaceOp(op, *parts);
  }
  return success();
}

static Value underViews(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// Gives each result a buffer of its own: a value may be returned twice.
static void separateResults(func::FuncOp func) {
  if (!func.getBody().hasOneBlock())
    return;
  Operation *ret = func.getBody().front().getTerminator();
  OpBuilder b(ret);
  llvm::SmallDenseSet<Value> seen;
  for (OpOperand &operand : ret->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type || seen.insert(underViews(operand.get())).second)
      continue;
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(
            memref::DimOp::create(b, ret->getLoc(), operand.get(), dim));
    Value copy = memref::AllocOp::create(b, ret->getLoc(), type, sizes);
    memref::CopyOp::create(b, ret->getLoc(), operand.get(), copy);
    operand.set(copy);
  }
}

/// One notation for computations: linalg.generic, and fill and copy.
static void generalize(func::FuncOp func) {
  SmallVector<linalg::LinalgOp> named;
  func.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp, linalg::CopyOp>(
            op.getOperation()))
      named.push_back(op);
  });
  IRRewriter rewriter(func.getContext());
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    SmallVector<NamedAttribute> attributes(op->getDiscardableAttrs());
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    // Failure leaves a named operation, which every pass handles too.
    if (succeeded(generic))
      for (NamedAttribute attribute : attributes)
        (*generic)->setDiscardableAttr(attribute.getName(),
                                       attribute.getValue());
  }
}

/// Drops inputs that a body does not use, once folding has shown them: fusion
/// would bring them back as dead code.
static LogicalResult eraseUnusedInputs(func::FuncOp func) {
  RewritePatternSet patterns(func.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  return applyPatternsGreedily(func, std::move(patterns));
}

static LogicalResult bufferize(ModuleOp module) {
  PassManager pm(module.getContext());
  bufferization::OneShotBufferizePassOptions oneShot;
  oneShot.bufferizeFunctionBoundaries = true;
  oneShot.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(oneShot));
  if (failed(pm.run(module)))
    return failure();
  for (auto func : module.getOps<func::FuncOp>())
    if (!func.isExternal())
      separateResults(func);
  // The pass of that name ignores options given to its constructor.
  bufferization::BufferResultsToOutParamsOpts outParams;
  outParams.hoistStaticAllocs = true;
  outParams.hoistDynamicAllocs = true;
  outParams.modifyPublicFunctions = true;
  if (failed(bufferization::promoteBufferResultsToOutParams(module, outParams)))
    return failure();
  PassManager cleanup(module.getContext());
  cleanup.addPass(createCanonicalizerPass());
  return cleanup.run(module);
}

static bool isWrittenThrough(Value buffer);

/// The kernel's argument for that operand of a launch may be written.
static bool isWrittenByLaunch(gpu::LaunchFuncOp launch, OpOperand &use) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernel());
  if (!kernel)
    return true;
  for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands()))
    if (operand == use.get() && (index >= kernel.getNumArguments() ||
                                 isWrittenThrough(kernel.getArgument(index))))
      return true;
  return false;
}

/// True unless all that is done with a number, an address, is to read there.
static bool isWrittenAt(Value address) {
  return llvm::any_of(address.getUsers(), [&](Operation *user) {
    auto copy = dyn_cast<NVVM::CpAsyncOp>(user);
    if (isa<LLVM::LoadOp>(user) || (copy && copy.getDst() != address))
      return false;
    bool passesOn = isa<arith::AddIOp, arith::IndexCastOp, LLVM::GEPOp,
                        LLVM::IntToPtrOp, LLVM::AddrSpaceCastOp>(user);
    return !passesOn || isWrittenAt(user->getResult(0));
  });
}

/// True unless nothing writes the buffer through this name, its views or its
/// address. findWriter (Analysis) asks for writes by any name; what may have
/// another name follows from the promises that are made here.
static bool isWrittenThrough(Value buffer) {
  for (OpOperand &use : buffer.getUses()) {
    Operation *user = use.getOwner();
    if (auto view = dyn_cast<ViewLikeOpInterface>(user)) {
      if (isWrittenThrough(user->getResult(0)))
        return true;
      continue;
    }
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(user)) {
      if (isWrittenByLaunch(launch, use))
        return true;
      continue;
    }
    if (isa<memref::ExtractAlignedPointerAsIndexOp>(user)) {
      if (isWrittenAt(user->getResult(0)))
        return true;
      continue;
    }
    // The buffer by another name: what happens to that is not looked at.
    bool renames = user->hasTrait<OpTrait::IsTerminator>() ||
                   llvm::any_of(user->getResultTypes(), [](Type type) {
                     return isa<BaseMemRefType>(type);
                   });
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    if (!effects || renames)
      return true;
    SmallVector<MemoryEffects::EffectInstance> list;
    effects.getEffectsOnValue(buffer, list);
    if (llvm::any_of(list, [](const MemoryEffects::EffectInstance &effect) {
          return isa<MemoryEffects::Write>(effect.getEffect());
        }))
      return true;
  }
  return false;
}

static void stampPromises(func::FuncOp entry, const ImportOptions &options) {
  Builder b(entry.getContext());
  StringRef align = LLVM::LLVMDialect::getAlignAttrName();
  StringRef noalias = LLVM::LLVMDialect::getNoAliasAttrName();
  for (BlockArgument arg : entry.getArguments()) {
    if (!isa<MemRefType>(arg.getType()))
      continue;
    unsigned index = arg.getArgNumber();
    if (options.align > 1 && !entry.getArgAttr(index, align))
      entry.setArgAttr(index, align, b.getI64IntegerAttr(options.align));
    if (options.noAlias && isWrittenThrough(arg))
      entry.setArgAttr(index, noalias, b.getUnitAttr());
  }
}

/// Whether an operation of the entry computes with device memory in a way that
/// becomes no kernel. Single loads and stores are refused only by lowering:
/// the analyses and the step kinds say more about them.
static bool touchesMemory(Operation *op) {
  if (isa<linalg::LinalgOp, memref::CopyOp, memref::AllocOp, memref::DeallocOp,
          memref::DimOp, memref::LoadOp, memref::StoreOp, gpu::LaunchFuncOp>(
          op) ||
      op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
}

LogicalResult klineage::verifyEntry(func::FuncOp entry) {
  for (BlockArgument arg : entry.getArguments()) {
    auto type = dyn_cast<MemRefType>(arg.getType());
    if (isa<TensorType>(arg.getType()))
      return entry->emitOpError("works on tensors; make a state of it with "
                                "--klineage-import first");
    if (!type && !arg.getType().isIntOrIndexOrFloat())
      return entry->emitOpError("argument ")
             << arg.getArgNumber() << " has type " << arg.getType()
             << "; an entry takes tensors, memrefs and scalars";
    if (type && !type.getElementType().isIntOrIndexOrFloat())
      return entry->emitOpError("argument ")
             << arg.getArgNumber() << " has elements of type "
             << type.getElementType()
             << "; an entry takes buffers of integers and floats";
    if (type && !type.getLayout().isIdentity())
      return entry->emitOpError("argument ")
             << arg.getArgNumber() << " has layout " << type.getLayout()
             << "; an entry takes contiguous row-major buffers";
  }
  if (entry->getNumResults() != 0 || entry.getFunctionType().getNumResults())
    return entry->emitOpError("returns values that are no tensors; results of "
                              "an entry are out-parameters");
  WalkResult result = entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForallOp, gpu::LaunchOp, linalg::LinalgOp>(op))
      return WalkResult::skip();
    if (!touchesMemory(op))
      return WalkResult::advance();
    op->emitOpError("works on device memory in the entry; an entry holds "
                    "linalg operations, copies and launches");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult klineage::importState(ModuleOp module,
                                    const ImportOptions &options) {
  FailureOr<func::FuncOp> entry = lookupEntry(module);
  if (failed(entry))
    return failure();
  if (usesTensors(*entry)) {
    protectInputs(*entry);
    separateDestinations(*entry);
    Location loc = entry->getLoc();
    if (failed(decomposeAggregates(*entry)))
      return failure();
    if (failed(bufferize(module)))
      return emitError(loc, "cannot bufferize the entry function");
    entry = lookupEntry(module);
    if (failed(entry))
      return failure();
  }
  for (BlockArgument arg : entry->getArguments())
    entry->removeArgAttr(
        arg.getArgNumber(),
        bufferization::BufferizationDialect::kWritableAttrName);
  if (failed(verifyEntry(*entry)))
    return failure();
  generalize(*entry);
  // Device temporaries live until the entry returns; the runtime frees them.
  entry->walk([](memref::DeallocOp op) { op.erase(); });
  stampPromises(*entry, options);
  if (failed(normalizeState(module)) || failed(eraseUnusedInputs(*entry)))
    return failure();
  return normalizeState(module);
}
