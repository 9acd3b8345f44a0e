//===- AllReduce.cpp - Reductions over a block by shuffles
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace klineage;

static constexpr int64_t kWarp = 32;

namespace {
/// Lowers one gpu.all_reduce. Upstream's lowering lets lanes disagree when the
/// number of warps is no power of two; here every thread reads the same slots.
class AllReduce {
public:
  AllReduce(gpu::AllReduceOp op, ArrayRef<int64_t> block)
      : op(op), b(op), loc(op.getLoc()), block(block) {}

  LogicalResult run(gpu::GPUFuncOp kernel) {
    if (!op.getOp())
      return op.emitError("has a body; only named reductions are supported");
    Type type = op.getType();
    if (!type.isIntOrIndexOrFloat() || type.isIndex())
      return op.emitError("reduces values of type ") << type;
    int64_t threads = block[0] * block[1] * block[2];
    Value linear = linearId();
    bool inLoop = op->getParentOfType<LoopLikeOpInterface>() != nullptr;
    Value result = op.getValue();
    // Odd widths and blocks with a partial warp take the way through memory: it
    // is right for every type and every count.
    unsigned width = type.getIntOrFloatBitWidth();
    bool shuffles = threads % kWarp == 0 && (width <= 32 || width == 64);
    int64_t slots = shuffles ? threads / kWarp : threads;
    if (shuffles)
      result = warpReduce(result);
    if (slots > 1) {
      Value buffer = allocate(kernel, slots);
      if (shuffles)
        storeByLeaders(buffer, linear, result);
      else
        memref::StoreOp::create(b, loc, result, buffer, linear);
      gpu::BarrierOp::create(b, loc);
      result = shuffles ? reduceSlots(buffer, linear, slots)
                        : reduceAll(buffer, slots);
      if (inLoop) // The next iteration writes the slots again.
        gpu::BarrierOp::create(b, loc);
    }
    op.replaceAllUsesWith(result);
    op.erase();
    return success();
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value i32(int64_t value) {
    return arith::ConstantIntOp::create(b, loc, b.getI32Type(), value);
  }

  Value linearId() {
    Value x = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
    for (auto [dim, stride] :
         {std::pair{gpu::Dimension::y, block[0]},
          std::pair{gpu::Dimension::z, block[0] * block[1]}}) {
      if (block[static_cast<int>(dim)] == 1)
        continue;
      Value id = gpu::ThreadIdOp::create(b, loc, dim);
      x = arith::AddIOp::create(
          b, loc, x, arith::MulIOp::create(b, loc, id, index(stride)));
    }
    return x;
  }

  Value allocate(gpu::GPUFuncOp kernel, int64_t slots) {
    auto space = gpu::AddressSpaceAttr::get(b.getContext(),
                                            gpu::AddressSpace::Workgroup);
    return memref::AllocOp::create(
        b, loc, MemRefType::get({slots}, op.getType(), AffineMap(), space),
        b.getI64IntegerAttr(16));
  }

  Value combine(Value lhs, Value rhs) {
    switch (*op.getOp()) {
    case gpu::AllReduceOperation::ADD:
      return isa<FloatType>(lhs.getType())
                 ? Value(arith::AddFOp::create(b, loc, lhs, rhs))
                 : Value(arith::AddIOp::create(b, loc, lhs, rhs));
    case gpu::AllReduceOperation::MUL:
      return isa<FloatType>(lhs.getType())
                 ? Value(arith::MulFOp::create(b, loc, lhs, rhs))
                 : Value(arith::MulIOp::create(b, loc, lhs, rhs));
    case gpu::AllReduceOperation::MINUI:
      return arith::MinUIOp::create(b, loc, lhs, rhs);
    case gpu::AllReduceOperation::MINSI:
      return arith::MinSIOp::create(b, loc, lhs, rhs);
    case gpu::AllReduceOperation::MINNUMF:
      return arith::MinNumFOp::create(b, loc, lhs, rhs);
    case gpu::AllReduceOperation::MAXUI:
      return arith::MaxUIOp::create(b, loc, lhs, rhs);
    case gpu::AllReduceOperation::MAXSI:
      return arith::MaxSIOp::create(b, loc, lhs, rhs);
    case gpu::AllReduceOperation::MAXNUMF:
      return arith::MaxNumFOp::create(b, loc, lhs, rhs);
    case gpu::AllReduceOperation::AND:
      return arith::AndIOp::create(b, loc, lhs, rhs);
    case gpu::AllReduceOperation::OR:
      return arith::OrIOp::create(b, loc, lhs, rhs);
    case gpu::AllReduceOperation::XOR:
      return arith::XOrIOp::create(b, loc, lhs, rhs);
    case gpu::AllReduceOperation::MINIMUMF:
      return arith::MinimumFOp::create(b, loc, lhs, rhs);
    case gpu::AllReduceOperation::MAXIMUMF:
      return arith::MaximumFOp::create(b, loc, lhs, rhs);
    }
    return lhs;
  }

  /// shfl moves 32 bits; narrower values travel in the low bits, and a shuffle
  /// of 64 bits becomes two.
  Value shuffle(Value value, int64_t offset) {
    Type type = value.getType();
    unsigned width = type.getIntOrFloatBitWidth();
    Value bits = value;
    if (isa<FloatType>(type))
      bits = arith::BitcastOp::create(b, loc, b.getIntegerType(width), value);
    if (width < 32)
      bits = arith::ExtUIOp::create(b, loc, b.getI32Type(), bits);
    bits = gpu::ShuffleOp::create(b, loc, bits, i32(offset), i32(kWarp),
                                  gpu::ShuffleMode::XOR)
               .getShuffleResult();
    if (width < 32)
      bits = arith::TruncIOp::create(b, loc, b.getIntegerType(width), bits);
    return isa<FloatType>(type)
               ? Value(arith::BitcastOp::create(b, loc, type, bits))
               : bits;
  }

  /// A butterfly: afterwards all lanes have the same bits, as the combiners
  /// are commutative.
  Value warpReduce(Value value) {
    for (int64_t offset = kWarp / 2; offset > 0; offset /= 2)
      value = combine(value, shuffle(value, offset));
    return value;
  }

  void storeByLeaders(Value buffer, Value linear, Value value) {
    Value lane = arith::RemUIOp::create(b, loc, linear, index(kWarp));
    Value leader =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, index(0));
    auto guard = scf::IfOp::create(b, loc, leader, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard restore(b);
    b.setInsertionPoint(guard.thenBlock()->getTerminator());
    Value warp = arith::DivUIOp::create(b, loc, linear, index(kWarp));
    memref::StoreOp::create(b, loc, value, buffer, warp);
  }

  /// Every warp reduces all slots: lane l takes slot l modulo their number, and
  /// the butterfly stops where lanes begin to repeat; for other counts a loop.
  Value reduceSlots(Value buffer, Value linear, int64_t slots) {
    if (!llvm::isPowerOf2_64(slots))
      return reduceAll(buffer, slots);
    Value slot = arith::RemUIOp::create(b, loc, linear, index(slots));
    Value value = memref::LoadOp::create(b, loc, op.getType(), buffer, slot);
    for (int64_t offset = slots / 2; offset > 0; offset /= 2)
      value = combine(value, shuffle(value, offset));
    return value;
  }

  Value reduceAll(Value buffer, int64_t slots) {
    Value first =
        memref::LoadOp::create(b, loc, op.getType(), buffer, index(0));
    auto loop = scf::ForOp::create(b, loc, index(1), index(slots), index(1),
                                   ValueRange{first});
    OpBuilder::InsertionGuard restore(b);
    b.setInsertionPointToEnd(loop.getBody());
    Value next = memref::LoadOp::create(b, loc, op.getType(), buffer,
                                        loop.getInductionVar());
    scf::YieldOp::create(b, loc, combine(loop.getRegionIterArgs()[0], next));
    return loop.getResult(0);
  }

  gpu::AllReduceOp op;
  OpBuilder b;
  Location loc;
  ArrayRef<int64_t> block;
};
} // namespace

LogicalResult klineage::lowerAllReduce(gpu::GPUFuncOp kernel) {
  SmallVector<gpu::AllReduceOp> ops;
  kernel.walk([&](gpu::AllReduceOp op) { ops.push_back(op); });
  if (ops.empty())
    return success();
  auto known = kernel.getKnownBlockSize();
  if (!known)
    return ops.front().emitError("needs a kernel with a known block size");
  SmallVector<int64_t> block(known->begin(), known->end());
  for (gpu::AllReduceOp op : ops)
    if (failed(AllReduce(op, block).run(kernel)))
      return failure();
  return success();
}
