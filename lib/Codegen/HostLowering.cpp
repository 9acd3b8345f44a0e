//===- HostLowering.cpp - Host code of the entry as calls of the runtime
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLowering.h"
#include "KLineage/State/State.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace klineage;

namespace {
/// Rewrites the entry into `klentry(ctx, slots)`: buffers become an address and
/// their sizes, all read from 64-bit slots; allocations and launches become
/// calls. Host code computes sizes, it never touches device memory.
class HostLowering {
public:
  HostLowering(func::FuncOp entry, const llvm::StringMap<unsigned> &kernels)
      : entry(entry), kernels(kernels), b(entry.getContext()) {}

  LogicalResult run() {
    context = entry.getContext();
    pointer = LLVM::LLVMPointerType::get(context);
    b.setInsertionPoint(entry);
    declareRuntime();
    b.setInsertionPoint(entry);
    auto function =
        func::FuncOp::create(b, entry.getLoc(), "klentry",
                             b.getFunctionType({pointer, pointer}, {}));
    Block *body = function.addEntryBlock();
    b.setInsertionPointToStart(body);
    contextArg = body->getArgument(0);
    slots = body->getArgument(1);
    if (failed(unpackArguments()))
      return failure();
    moveBody(body);
    if (failed(rewriteAll(function)))
      return failure();
    entry.erase();
    return success();
  }

private:
  struct Buffer {
    Value address;            ///< i64
    SmallVector<Value> sizes; ///< index, one a dimension
  };

  void declare(StringRef name, ArrayRef<Type> inputs, ArrayRef<Type> results) {
    auto function = func::FuncOp::create(b, entry.getLoc(), name,
                                         b.getFunctionType(inputs, results));
    function.setPrivate();
  }

  void declareRuntime() {
    Type i64 = b.getI64Type();
    declare("klrt_alloc", {pointer, i64}, {i64});
    SmallVector<Type> launch{pointer, i64};
    launch.append(7, i64);
    launch.push_back(pointer);
    declare("klrt_launch", launch, {});
  }

  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(b, loc(), b.getI64Type(), value);
  }
  Location loc() { return entry.getLoc(); }

  Value toI64(Value index) {
    return arith::IndexCastOp::create(b, index.getLoc(), b.getI64Type(), index);
  }
  Value toIndex(Value integer) {
    return arith::IndexCastOp::create(b, integer.getLoc(), b.getIndexType(),
                                      integer);
  }

  Value loadSlot(Type type) {
    Value place = LLVM::GEPOp::create(b, loc(), pointer, b.getI64Type(), slots,
                                      ArrayRef<LLVM::GEPArg>{int32_t(slot++)});
    return LLVM::LoadOp::create(b, loc(), type, place);
  }

  LogicalResult unpackArguments() {
    for (BlockArgument arg : entry.getArguments()) {
      auto memref = dyn_cast<MemRefType>(arg.getType());
      if (!memref) {
        Value value = arg.getType().isIndex()
                          ? toIndex(loadSlot(b.getI64Type()))
                          : loadSlot(arg.getType());
        arg.replaceAllUsesWith(value);
        continue;
      }
      Buffer buffer;
      buffer.address = loadSlot(b.getI64Type());
      for (int64_t dim = 0; dim < memref.getRank(); ++dim) {
        Value size = toIndex(loadSlot(b.getI64Type()));
        buffer.sizes.push_back(memref.isDynamicDim(dim)
                                   ? size
                                   : arith::ConstantIndexOp::create(
                                         b, loc(), memref.getDimSize(dim))
                                         .getResult());
      }
      buffers[arg] = buffer;
    }
    return success();
  }

  void moveBody(Block *body) {
    Block &old = entry.getBody().front();
    body->getOperations().splice(body->end(), old.getOperations());
  }

  /// The allocation or argument under a value, or a null buffer.
  Buffer *lookup(Value value) {
    while (!buffers.count(value)) {
      Operation *def = value.getDefiningOp();
      if (auto cast = dyn_cast_or_null<memref::ReinterpretCastOp>(def))
        value = cast.getSource();
      else if (auto cast = dyn_cast_or_null<memref::CastOp>(def))
        value = cast.getSource();
      else
        return nullptr;
    }
    return &buffers[value];
  }

  LogicalResult rewriteAll(func::FuncOp function) {
    SmallVector<Operation *> ops, dead;
    function.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      b.setInsertionPoint(op);
      if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
        rewriteAlloc(alloc);
        dead.push_back(op);
      } else if (auto dim = dyn_cast<memref::DimOp>(op)) {
        if (failed(rewriteDim(dim)))
          return failure();
        dead.push_back(op);
      } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
        if (failed(rewriteLaunch(launch)))
          return failure();
        dead.push_back(op);
      } else if (isa<memref::ReinterpretCastOp, memref::CastOp,
                     memref::DeallocOp>(op)) {
        dead.push_back(op);
      } else if (llvm::any_of(op->getOperandTypes(),
                              llvm::IsaPred<MemRefType>)) {
        return op->emitError("touches device memory on the host");
      }
    }
    for (Operation *op : llvm::reverse(dead))
      op->erase();
    return success();
  }

  void rewriteAlloc(memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    Buffer buffer;
    Value bytes = constant(llvm::divideCeil(type.getElementTypeBitWidth(), 8));
    auto dynamic = alloc.getDynamicSizes().begin();
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      Value size = type.isDynamicDim(dim)
                       ? *dynamic++
                       : arith::ConstantIndexOp::create(b, alloc.getLoc(),
                                                        type.getDimSize(dim));
      buffer.sizes.push_back(size);
      bytes = arith::MulIOp::create(b, alloc.getLoc(), bytes, toI64(size));
    }
    buffer.address = func::CallOp::create(b, alloc.getLoc(), "klrt_alloc",
                                          TypeRange{b.getI64Type()},
                                          ValueRange{contextArg, bytes})
                         .getResult(0);
    buffers[alloc] = buffer;
  }

  LogicalResult rewriteDim(memref::DimOp dim) {
    Buffer *buffer = lookup(dim.getSource());
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!buffer || !index || *index >= int64_t(buffer->sizes.size()))
      return dim.emitError("asks for a size that the host does not know");
    dim.replaceAllUsesWith(buffer->sizes[*index]);
    return success();
  }

  LogicalResult rewriteLaunch(gpu::LaunchFuncOp launch) {
    auto kernel = kernels.find(launch.getKernelName().getValue());
    if (kernel == kernels.end())
      return launch.emitError("launches an unknown kernel");
    Location at = launch.getLoc();
    SmallVector<Value> values;
    for (Value operand : launch.getKernelOperands()) {
      if (isa<MemRefType>(operand.getType())) {
        Buffer *buffer = lookup(operand);
        if (!buffer)
          return launch.emitError(
              "passes a buffer that the host does not know");
        values.push_back(buffer->address);
      } else if (operand.getType().isIndex()) {
        values.push_back(toI64(operand));
      } else {
        values.push_back(operand);
      }
    }
    // One stack slot of 8 bytes a parameter, reserved once at the start.
    Value array;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(
          &launch->getParentOfType<func::FuncOp>().front());
      Value count = arith::ConstantIntOp::create(
          b, at, b.getI64Type(), std::max<int64_t>(1, values.size()));
      array = LLVM::AllocaOp::create(b, at, pointer, b.getI64Type(), count);
    }
    for (auto [index, value] : llvm::enumerate(values)) {
      Value place = LLVM::GEPOp::create(b, at, pointer, b.getI64Type(), array,
                                        ArrayRef<LLVM::GEPArg>{int32_t(index)});
      LLVM::StoreOp::create(b, at, value, place);
    }
    SmallVector<Value> arguments{contextArg, constant(kernel->second)};
    for (Value extent : {launch.getGridSizeX(), launch.getGridSizeY(),
                         launch.getGridSizeZ(), launch.getBlockSizeX(),
                         launch.getBlockSizeY(), launch.getBlockSizeZ()})
      arguments.push_back(extent.getType().isIndex() ? toI64(extent) : extent);
    Value shared = launch.getDynamicSharedMemorySize();
    arguments.push_back(
        shared
            ? arith::ExtUIOp::create(b, at, b.getI64Type(), shared).getResult()
            : constant(0));
    arguments.push_back(array);
    func::CallOp::create(b, at, "klrt_launch", TypeRange(), arguments);
    return success();
  }

  func::FuncOp entry;
  const llvm::StringMap<unsigned> &kernels;
  OpBuilder b;
  MLIRContext *context = nullptr;
  Type pointer;
  Value contextArg, slots;
  int64_t slot = 0;
  DenseMap<Value, Buffer> buffers;
};
} // namespace

OwningOpRef<ModuleOp>
klineage::lowerHost(ModuleOp state, const llvm::StringMap<unsigned> &kernels) {
  FailureOr<func::FuncOp> entry = lookupEntry(state);
  if (failed(entry))
    return {};
  OwningOpRef<ModuleOp> host = ModuleOp::create(state.getLoc());
  OpBuilder b = OpBuilder::atBlockEnd(host->getBody());
  auto copy = cast<func::FuncOp>(b.clone(**entry));
  (*host)->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                   b.getUnitAttr());
  if (failed(HostLowering(copy, kernels).run()))
    return {};
  PassManager pm(host->getContext());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(arith::createArithExpandOpsPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  if (failed(pm.run(*host)))
    return {};
  return host;
}
