//===- AsyncCopies.cpp - cp.async for the copies that ask for it
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/AsyncCopies.h"
#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace klineage;

/// The bytes of one cp.async, or an error where the copy has none such.
static FailureOr<int64_t> copyBytes(linalg::CopyOp copy) {
  auto bytes = copy->getAttrOfType<IntegerAttr>(kAsyncAttr);
  auto type = cast<MemRefType>(copy.getOutputs()[0].getType());
  int64_t element = type.getElementType().isIntOrFloat()
                        ? type.getElementTypeBitWidth() / 8
                        : 0;
  if (bytes && llvm::is_contained({4, 8, 16}, bytes.getInt()) && element > 0 &&
      type.hasStaticShape() && type.getRank() > 0 &&
      type.getShape().back() * element % bytes.getInt() == 0)
    return bytes.getInt();
  return copy.emitError("'") << kAsyncAttr
                             << "' is 4, 8 or 16, a divisor of the bytes of a "
                                "row of constant length";
}

static LogicalResult lowerCopy(linalg::CopyOp copy) {
  FailureOr<int64_t> bytes = copyBytes(copy);
  if (failed(bytes))
    return failure();
  Value source = copy.getInputs()[0], target = copy.getOutputs()[0];
  auto type = cast<MemRefType>(target.getType());
  int64_t width = *bytes / (type.getElementTypeBitWidth() / 8);
  SmallVector<int64_t> tile(type.getRank(), 1);
  tile.back() = width;
  OpBuilder b(copy);
  Location loc = copy.getLoc();
  for (const SmallVector<int64_t> &offsets :
       StaticTileOffsetRange(type.getShape(), tile)) {
    SmallVector<Value> indices =
        llvm::map_to_vector(offsets, [&](int64_t offset) -> Value {
          return arith::ConstantIndexOp::create(b, loc, offset);
        });
    // Past L1 where the hardware can: no other thread of the block asks again.
    nvgpu::DeviceAsyncCopyOp::create(
        b, loc, nvgpu::DeviceAsyncTokenType::get(b.getContext()), target,
        indices, source, indices, b.getIndexAttr(width), Value(),
        *bytes == 16 ? b.getUnitAttr() : UnitAttr());
  }
  copy.erase();
  return success();
}

LogicalResult klineage::lowerAsyncCopies(Operation *root) {
  SmallVector<linalg::CopyOp> copies;
  root->walk([&](linalg::CopyOp copy) {
    if (copy->hasAttr(kAsyncAttr))
      copies.push_back(copy);
  });
  llvm::SetVector<Operation *> barriers;
  for (linalg::CopyOp copy : copies) {
    gpu::BarrierOp barrier = nextBarrier(copy);
    if (!barrier)
      return copy.emitError("an asynchronous copy with no barrier behind it");
    barriers.insert(barrier);
    if (failed(lowerCopy(copy)))
      return failure();
  }
  for (Operation *barrier : barriers) {
    OpBuilder b(barrier);
    auto token = nvgpu::DeviceAsyncTokenType::get(b.getContext());
    auto group = nvgpu::DeviceAsyncCreateGroupOp::create(b, barrier->getLoc(),
                                                         token, ValueRange());
    nvgpu::DeviceAsyncWaitOp::create(
        b, barrier->getLoc(), group.getAsyncToken(), b.getI32IntegerAttr(0));
  }
  return success();
}
