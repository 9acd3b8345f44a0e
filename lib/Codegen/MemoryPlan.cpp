//===- MemoryPlan.cpp - Where shared and private buffers live
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace klineage;

namespace {
struct SharedBuffer {
  memref::AllocOp alloc;
  int64_t bytes = 0, alignment = 16, offset = 0;
};
} // namespace

static bool isWorkgroup(MemRefType type) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

static std::optional<int64_t> bytesOf(MemRefType type) {
  std::optional<int64_t> bytes =
      llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t extent : type.getShape())
    bytes = bytes ? llvm::checkedMul(*bytes, extent) : bytes;
  return bytes;
}

/// All allocations of a kernel are shared memory, and of constant size.
static LogicalResult collect(gpu::GPUFuncOp kernel,
                             SmallVectorImpl<SharedBuffer> &buffers) {
  WalkResult result = kernel.walk([&](memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    if (!isWorkgroup(type)) {
      alloc.emitError("allocates in a kernel outside of shared memory");
      return WalkResult::interrupt();
    }
    std::optional<int64_t> bytes =
        type.hasStaticShape() ? bytesOf(type) : std::nullopt;
    if (!bytes) {
      alloc.emitError("shared memory needs a constant size");
      return WalkResult::interrupt();
    }
    int64_t alignment =
        std::max<int64_t>(16, alloc.getAlignment().value_or(16));
    buffers.push_back({alloc, *bytes, alignment, 0});
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static int64_t attributionBytes(gpu::GPUFuncOp kernel) {
  int64_t bytes = 0;
  for (BlockArgument arg : kernel.getWorkgroupAttributions())
    bytes += bytesOf(cast<MemRefType>(arg.getType())).value_or(0);
  return bytes;
}

/// Attributions carry their alignment, or a 16-byte access would rely on luck.
static void makeStatic(gpu::GPUFuncOp kernel, ArrayRef<SharedBuffer> buffers) {
  Builder b(kernel.getContext());
  for (const SharedBuffer &buffer : buffers) {
    memref::AllocOp alloc = buffer.alloc;
    BlockArgument place =
        kernel.addWorkgroupAttribution(alloc.getType(), alloc.getLoc());
    kernel.setWorkgroupAttributionAttr(
        kernel.getNumWorkgroupAttributions() - 1,
        b.getStringAttr(LLVM::LLVMDialect::getAlignAttrName()),
        b.getI64IntegerAttr(buffer.alignment));
    alloc.replaceAllUsesWith(Value(place));
    alloc.erase();
  }
}

static void makeDynamic(gpu::GPUFuncOp kernel, ArrayRef<SharedBuffer> buffers,
                        int64_t total) {
  OpBuilder b(kernel.getContext());
  b.setInsertionPointToStart(&kernel.getBody().front());
  Location loc = kernel.getLoc();
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  Value arena = gpu::DynamicSharedMemoryOp::create(
      b, loc,
      MemRefType::get({ShapedType::kDynamic}, b.getI8Type(), AffineMap(),
                      space));
  for (const SharedBuffer &buffer : buffers) {
    memref::AllocOp alloc = buffer.alloc;
    Value offset = arith::ConstantIndexOp::create(b, loc, buffer.offset);
    Value view = memref::ViewOp::create(b, loc, alloc.getType(), arena, offset,
                                        ValueRange());
    alloc.replaceAllUsesWith(view);
    alloc.erase();
  }
  kernel->setAttr("klineage.dynamic_shared", b.getI64IntegerAttr(total));
}

static LogicalResult planShared(gpu::GPUFuncOp kernel,
                                const TargetInfo &target) {
  SmallVector<SharedBuffer> buffers;
  if (failed(collect(kernel, buffers)))
    return failure();
  int64_t total = attributionBytes(kernel);
  for (SharedBuffer &buffer : buffers) {
    buffer.offset = llvm::alignTo(total, buffer.alignment);
    std::optional<int64_t> end = llvm::checkedAdd(buffer.offset, buffer.bytes);
    if (!end || *end > target.sharedOptInBytes)
      return buffer.alloc.emitError("shared memory of kernel '")
             << kernel.getName() << "' needs "
             << (end ? std::to_string(*end) : "more than 2^63")
             << " bytes; the opt-in limit of " << target.chip << " is "
             << target.sharedOptInBytes;
    total = *end;
  }
  if (total <= target.sharedStaticBytes) {
    makeStatic(kernel, buffers);
    return success();
  }
  if (attributionBytes(kernel) > 0)
    return kernel.emitError("mixes workgroup attributions with more than ")
           << target.sharedStaticBytes << " bytes of shared memory";
  makeDynamic(kernel, buffers, total);
  return success();
}

/// A private buffer in a loop would grow the stack with each iteration.
static void hoistPrivate(gpu::GPUFuncOp kernel) {
  SmallVector<memref::AllocaOp> allocas;
  kernel.walk([&](memref::AllocaOp op) { allocas.push_back(op); });
  Block &entry = kernel.getBody().front();
  for (memref::AllocaOp op : llvm::reverse(allocas))
    if (op.getType().hasStaticShape())
      op->moveBefore(&entry, entry.begin());
}

/// Space 2 has no meaning for kernels, and LLVM would treat it as generic.
static LogicalResult checkSpaces(gpu::GPUFuncOp kernel) {
  auto check = [&](Location loc, Type type) -> LogicalResult {
    auto memref = dyn_cast<MemRefType>(type);
    auto space = memref ? dyn_cast_or_null<IntegerAttr>(memref.getMemorySpace())
                        : IntegerAttr();
    if (space && !llvm::is_contained({0, 1, 3, 5}, space.getInt()))
      return emitError(loc, "memory space ")
             << space.getInt()
             << " is no space of a kernel; use #gpu.address_space<workgroup>";
    return success();
  };
  for (BlockArgument arg : kernel.getBody().front().getArguments())
    if (failed(check(kernel.getLoc(), arg.getType())))
      return failure();
  WalkResult result = kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (failed(check(op->getLoc(), type)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult klineage::planMemory(gpu::GPUFuncOp kernel,
                                   const TargetInfo &target) {
  hoistPrivate(kernel);
  Builder b(kernel.getContext());
  StringRef align = LLVM::LLVMDialect::getAlignAttrName();
  for (unsigned i = 0; i < kernel.getNumWorkgroupAttributions(); ++i)
    if (!kernel.getWorkgroupAttributionAttr(i, align))
      kernel.setWorkgroupAttributionAttr(i, b.getStringAttr(align),
                                         b.getI64IntegerAttr(16));
  return success(succeeded(checkSpaces(kernel)) &&
                 succeeded(planShared(kernel, target)));
}
