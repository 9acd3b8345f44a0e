//===- LiftNvvm.cpp - Special registers, barriers, shuffles
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lift/Passes.h"
#include "Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace klineage {
#define GEN_PASS_DEF_LIFTNVVMPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

/// `nvvm.read.ptx.sreg.<register>` as an index, or null.
static Value readRegister(OpBuilder &b, Operation *op, StringRef name) {
  Location loc = op->getLoc();
  if (name == "laneid")
    return gpu::LaneIdOp::create(b, loc, b.getIndexType(), IntegerAttr());
  auto [base, axis] = name.split('.');
  auto dimension = gpu::symbolizeDimension(axis);
  if (!dimension)
    return {};
  if (base == "tid")
    return gpu::ThreadIdOp::create(b, loc, *dimension);
  if (base == "ctaid")
    return gpu::BlockIdOp::create(b, loc, *dimension);
  if (base == "ntid")
    return gpu::BlockDimOp::create(b, loc, *dimension);
  if (base == "nctaid")
    return gpu::GridDimOp::create(b, loc, *dimension);
  return {};
}

static Value liftRegister(OpBuilder &b, Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("nvvm.read.ptx.sreg.") || op->getNumOperands())
    return {};
  Type type = op->getResult(0).getType();
  if (name == "warpsize")
    return arith::ConstantOp::create(b, op->getLoc(),
                                     b.getIntegerAttr(type, 32));
  Value index = readRegister(b, op, name);
  return index ? arith::IndexCastOp::create(b, op->getLoc(), type, index)
               : Value();
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

namespace {
struct ShuffleKind {
  NVVM::ShflKind exact;
  gpu::ShuffleMode mode;
  int64_t clamp; ///< what gpu.shuffle of width 32 lowers to
};
} // namespace

static std::optional<ShuffleKind> shuffleKind(StringRef name) {
  using gpu::ShuffleMode;
  if (name == "bfly")
    return ShuffleKind{NVVM::ShflKind::bfly, ShuffleMode::XOR, 31};
  if (name == "down")
    return ShuffleKind{NVVM::ShflKind::down, ShuffleMode::DOWN, 31};
  if (name == "idx")
    return ShuffleKind{NVVM::ShflKind::idx, ShuffleMode::IDX, 31};
  if (name == "up")
    return ShuffleKind{NVVM::ShflKind::up, ShuffleMode::UP, 0};
  return std::nullopt;
}

static Value liftShuffle(OpBuilder &b, LLVM::CallIntrinsicOp call) {
  StringRef name = call.getIntrin();
  if (!name.consume_front("llvm.nvvm.shfl.sync.") ||
      call->getNumOperands() != 4)
    return {};
  auto [kindName, typeName] = name.split('.');
  auto kind = shuffleKind(kindName);
  if (!kind || (typeName != "i32" && typeName != "f32"))
    return {};
  Value mask = call->getOperand(0), value = call->getOperand(1),
        offset = call->getOperand(2), clamp = call->getOperand(3);
  Location loc = call.getLoc();
  if (constantOf(mask) == -1 && constantOf(clamp) == kind->clamp) {
    Value width = arith::ConstantIntOp::create(b, loc, 32, 32);
    return gpu::ShuffleOp::create(b, loc, value, offset, width, kind->mode)
        .getShuffleResult();
  }
  return NVVM::ShflOp::create(b, loc, value.getType(), mask, value, offset,
                              clamp, kind->exact, UnitAttr());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// True if `call` was replaced.
static bool liftIntrinsic(OpBuilder &b, LLVM::CallIntrinsicOp call) {
  StringRef name = call.getIntrin();
  Location loc = call.getLoc();
  if (name == "llvm.nvvm.barrier.cta.sync.aligned.all" &&
      constantOf(call->getOperand(0)) == 0) {
    gpu::BarrierOp::create(b, loc);
    return true;
  }
  if (name == "llvm.nvvm.barrier0") {
    gpu::BarrierOp::create(b, loc);
    return true;
  }
  if (name == "llvm.nvvm.bar.warp.sync") {
    NVVM::SyncWarpOp::create(b, loc, call->getOperand(0));
    return true;
  }
  auto fence = llvm::StringSwitch<std::optional<NVVM::MemScopeKind>>(name)
                   .Case("llvm.nvvm.membar.cta", NVVM::MemScopeKind::CTA)
                   .Case("llvm.nvvm.membar.gl", NVVM::MemScopeKind::GPU)
                   .Case("llvm.nvvm.membar.sys", NVVM::MemScopeKind::SYS)
                   .Default(std::nullopt);
  if (fence) {
    NVVM::MembarOp::create(b, loc, *fence);
    return true;
  }
  if (name == "llvm.nvvm.vote.ballot.sync") {
    Value votes = NVVM::VoteSyncOp::create(
        b, loc, b.getI32Type(), call->getOperand(0), call->getOperand(1),
        NVVM::VoteSyncKind::ballot);
    call->getResult(0).replaceAllUsesWith(votes);
    return true;
  }
  if (Value value = liftShuffle(b, call)) {
    call->getResult(0).replaceAllUsesWith(value);
    return true;
  }
  reportKept(call, "no operation for the intrinsic " + name);
  return false;
}

namespace {
struct LiftNvvm : klineage::impl::LiftNvvmPassBase<LiftNvvm> {
  void runOnOperation() override {
    SmallVector<Operation *> operations;
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      kernel.walk([&](Operation *op) { operations.push_back(op); });
    });
    for (Operation *op : operations) {
      OpBuilder b(op);
      if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
        if (liftIntrinsic(b, call))
          op->erase();
      } else if (op->getNumResults() == 1) {
        if (Value value = liftRegister(b, op)) {
          op->getResult(0).replaceAllUsesWith(value);
          op->erase();
        }
      }
    }
  }
};
} // namespace
