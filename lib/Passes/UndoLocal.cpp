//===- UndoLocal.cpp - Undos that look at one operation
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/State/State.h"
#include "Undo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace klineage;

Undo::~Undo() = default;

ArrayRef<const Undo *> klineage::allUndos() {
  static const Undo *const list[] = {&dropBarrierUndo(), &scalarizeUndo(),
                                     &raiseUndo()};
  return list;
}

/// Positions of the operations of kernels that `fits` holds for.
template <typename F>
static SmallVector<int64_t> placesOf(ModuleOp state, F fits) {
  SmallVector<int64_t> places;
  state.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getParentOfType<gpu::GPUFuncOp>() && fits(op))
      places.push_back(locusOf(state, op));
  });
  return places;
}

namespace {
class DropBarrier final : public Undo {
public:
  StringRef getName() const override { return "drop_barrier"; }

  SmallVector<int64_t> places(ModuleOp state) const override {
    return placesOf(state,
                    [](Operation *op) { return isa<gpu::BarrierOp>(op); });
  }

  std::optional<UndoResult> apply(ModuleOp state, int64_t place, ModuleOp,
                                  const TargetInfo &,
                                  std::string &) const override {
    UndoResult result{state.clone()};
    opAtLocus(*result.state, place)->erase();
    return result;
  }
};

/// An access of one row of a vector.
bool isVectorAccess(Operation *op) {
  auto fits = [](VectorType type) {
    return type.getRank() == 1 && !type.isScalable();
  };
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return fits(load.getVectorType());
  auto store = dyn_cast<vector::StoreOp>(op);
  return store && fits(store.getVectorType());
}

class Scalarize final : public Undo {
public:
  StringRef getName() const override { return "scalarize"; }

  /// One place for all accesses of a kernel: the first.
  SmallVector<int64_t> places(ModuleOp state) const override {
    SmallVector<int64_t> all = placesOf(state, isVectorAccess), firsts;
    llvm::SmallPtrSet<Operation *, 4> kernels;
    for (int64_t place : all)
      if (kernels
              .insert(
                  opAtLocus(state, place)->getParentOfType<gpu::GPUFuncOp>())
              .second)
        firsts.push_back(place);
    return firsts;
  }

  std::optional<UndoResult> apply(ModuleOp state, int64_t place, ModuleOp,
                                  const TargetInfo &,
                                  std::string &) const override {
    UndoResult result{state.clone()};
    auto kernel =
        opAtLocus(*result.state, place)->getParentOfType<gpu::GPUFuncOp>();
    SmallVector<Operation *> accesses;
    kernel.walk([&](Operation *op) {
      if (isVectorAccess(op))
        accesses.push_back(op);
    });
    for (Operation *op : accesses)
      rewrite(op);
    return result;
  }

private:
  static SmallVector<Value> indicesOf(OpBuilder &b, Location loc,
                                      ValueRange indices, int64_t part) {
    SmallVector<Value> list(indices);
    if (!list.empty() && part)
      list.back() = arith::AddIOp::create(
          b, loc, list.back(), arith::ConstantIndexOp::create(b, loc, part));
    return list;
  }

  static void rewrite(Operation *op) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    if (auto load = dyn_cast<vector::LoadOp>(op)) {
      SmallVector<Value> parts;
      for (int64_t i = 0; i < load.getVectorType().getNumElements(); ++i)
        parts.push_back(memref::LoadOp::create(
            b, loc, load.getBase(), indicesOf(b, loc, load.getIndices(), i)));
      load.replaceAllUsesWith(
          vector::FromElementsOp::create(b, loc, load.getVectorType(), parts)
              .getResult());
    } else {
      auto store = cast<vector::StoreOp>(op);
      for (int64_t i = 0; i < store.getVectorType().getNumElements(); ++i)
        memref::StoreOp::create(
            b, loc,
            vector::ExtractOp::create(b, loc, store.getValueToStore(), i),
            store.getBase(), indicesOf(b, loc, store.getIndices(), i));
    }
    op->erase();
  }
};
} // namespace

const Undo &klineage::dropBarrierUndo() {
  static const DropBarrier undo;
  return undo;
}

const Undo &klineage::scalarizeUndo() {
  static const Scalarize undo;
  return undo;
}
