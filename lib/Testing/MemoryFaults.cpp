//===- MemoryFaults.cpp - Faults in indices, strides, layouts and stores
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace klineage::testing;

static std::optional<gpu::AddressSpace> spaceOf(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  auto space =
      type ? dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace())
           : nullptr;
  return space ? std::optional(space.getValue()) : std::nullopt;
}

bool klineage::testing::isGlobal(Value memref) {
  auto space = spaceOf(memref);
  return !space || *space == gpu::AddressSpace::Global;
}

bool klineage::testing::isPrivate(Value memref) {
  auto space = spaceOf(memref);
  return space && *space == gpu::AddressSpace::Private;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

namespace {
/// Memory and indices of a load or store.
struct Access {
  Value memref;
  MutableOperandRange indices;
  Value stored; ///< of a store
};
} // namespace

static std::optional<Access> accessOf(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return Access{load.getMemRef(), load.getIndicesMutable(), {}};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return Access{store.getMemRef(), store.getIndicesMutable(),
                  store.getValueToStore()};
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return Access{load.getBase(), load.getIndicesMutable(), {}};
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return Access{store.getBase(), store.getIndicesMutable(),
                  store.getValueToStore()};
  return std::nullopt;
}

static bool hasIndices(Operation *op, unsigned count) {
  auto access = accessOf(op);
  return access && access->indices.size() >= count;
}

static void shiftIndex(OpBuilder &b, Operation *op, bool last) {
  Access access = *accessOf(op);
  OpOperand &index = access.indices[last ? access.indices.size() - 1 : 0];
  index.set(shifted(b, index.get(), 1));
}

static void swapIndices(OpBuilder &, Operation *op) {
  Access access = *accessOf(op);
  unsigned last = access.indices.size() - 1;
  Value a = access.indices[last - 1].get(), c = access.indices[last].get();
  access.indices[last - 1].set(c);
  access.indices[last].set(a);
}

static bool hasTwoIndices(Operation *op) {
  auto access = accessOf(op);
  if (!access || access->indices.size() < 2)
    return false;
  unsigned last = access->indices.size() - 1;
  return access->indices[last].get() != access->indices[last - 1].get();
}

//===----------------------------------------------------------------------===//
// Views and layouts
//===----------------------------------------------------------------------===//

static bool hasDynamicOffset(Operation *op) {
  auto view = dyn_cast<memref::SubViewOp>(op);
  return view && !view.getOffsets().empty();
}

static void shiftView(OpBuilder &b, Operation *op) {
  auto view = cast<memref::SubViewOp>(op);
  MutableOperandRange offsets = view.getOffsetsMutable();
  OpOperand &last = offsets[offsets.size() - 1];
  last.set(shifted(b, last.get(), 1));
}

/// The first constant factor of a sum of products grows by one.
static AffineExpr widenFactor(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  if (expr.getKind() == AffineExprKind::Mul)
    if (auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return binary.getLHS() * (factor.getValue() + 1);
  if (expr.getKind() != AffineExprKind::Add)
    return expr;
  AffineExpr left = widenFactor(binary.getLHS());
  if (left != binary.getLHS())
    return left + binary.getRHS();
  return binary.getLHS() + widenFactor(binary.getRHS());
}

static bool hasFactor(Operation *op) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return widenFactor(apply.getMap().getResult(0)) !=
           apply.getMap().getResult(0);
  return isa<arith::MulIOp>(op) && constantOf(op->getOperand(1));
}

static void changeStride(OpBuilder &b, Operation *op) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getMap();
    apply.setMap(AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                                widenFactor(map.getResult(0))));
    return;
  }
  op->setOperand(1, shifted(b, op->getOperand(1), 1));
}

/// A view of a padded shared array: rows, and the distance between them.
static bool isPaddedView(Operation *op) {
  auto view = dyn_cast<memref::SubViewOp>(op);
  if (!view || !view.getSource().getDefiningOp<memref::AllocOp>() ||
      !view.getOffsets().empty())
    return false;
  auto type = view.getType();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (llvm::any_of(view->getUsers(),
                   [](Operation *user) { return !accessOf(user); }))
    return false;
  return type.hasStaticShape() && type.getRank() == 2 &&
         succeeded(type.getStridesAndOffset(strides, offset)) && offset == 0 &&
         strides[0] > type.getDimSize(1);
}

/// Rows overlap by one element.
static void overlapRows(OpBuilder &b, Operation *op) {
  auto view = cast<memref::SubViewOp>(op);
  MemRefType type = view.getType();
  SmallVector<int64_t> strides = {type.getDimSize(1) - 1, 1};
  auto layout = StridedLayoutAttr::get(b.getContext(), 0, strides);
  auto narrow = MemRefType::get(type.getShape(), type.getElementType(), layout,
                                type.getMemorySpace());
  Value cast = memref::ReinterpretCastOp::create(
      b, op->getLoc(), narrow, view.getSource(), 0, type.getShape(), strides);
  view.getResult().replaceAllUsesWith(cast);
  op->erase();
}

static bool isXor(Operation *op) {
  return isa<arith::XOrIOp>(op) && op->getResult(0).getType().isIndex();
}

static void dropXor(OpBuilder &, Operation *op) {
  op->getResult(0).replaceAllUsesWith(op->getOperand(0));
  op->erase();
}

static bool isTransposable(linalg::GenericOp generic, OpOperand *input) {
  AffineMap map = generic.getMatchingIndexingMap(input);
  if (map.getNumResults() < 2 || map.getResult(0) == map.getResult(1))
    return false;
  auto type = cast<ShapedType>(input->get().getType());
  return type.getDimSize(0) == type.getDimSize(1);
}

static bool hasMatrixInput(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic &&
         llvm::any_of(generic.getDpsInputOperands(), [&](OpOperand *input) {
           return isTransposable(generic, input);
         });
}

static void permuteMap(OpBuilder &b, Operation *op) {
  auto generic = cast<linalg::GenericOp>(op);
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  for (OpOperand *input : generic.getDpsInputOperands()) {
    AffineMap &map = maps[input->getOperandNumber()];
    if (!isTransposable(generic, input))
      continue;
    auto results = llvm::to_vector(map.getResults());
    std::swap(results[0], results[1]);
    map = AffineMap::get(map.getNumDims(), 0, results, b.getContext());
    break;
  }
  generic.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
}

static bool promisesAlignment(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  return function && function.isPublic() && function.getNumArguments() > 0 &&
         function.getArgAttr(0, "llvm.align");
}

static void raisePromise(OpBuilder &b, Operation *op) {
  cast<func::FuncOp>(op).setArgAttr(0, "llvm.align",
                                    b.getI64IntegerAttr(int64_t(1) << 20));
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

static bool isStore(Operation *op) {
  auto access = accessOf(op);
  return access && access->stored;
}

static bool isMove(Operation *op) {
  return isStore(op) || isa<linalg::CopyOp, memref::CopyOp>(op);
}

static void erase(OpBuilder &, Operation *op) { op->erase(); }

static bool isSharedStore(Operation *op) {
  auto access = accessOf(op);
  // One constant stored by several threads is no race of values.
  return access && access->stored && isa<memref::StoreOp>(op) &&
         !isPrivate(access->memref) &&
         !matchPattern(access->stored, m_Constant()) &&
         llvm::any_of(access->indices, [](OpOperand &index) {
           return constantOf(index.get()) != 0;
         });
}

static void storeTwice(OpBuilder &b, Operation *op) {
  auto store = cast<memref::StoreOp>(op);
  Value zero = arith::ConstantIndexOp::create(b, op->getLoc(), 0);
  SmallVector<Value> zeros(store.getIndices().size(), zero);
  b.setInsertionPointAfter(op);
  memref::StoreOp::create(b, op->getLoc(), store.getValueToStore(),
                          store.getMemRef(), zeros);
}

/// An argument of the entry that the kernel only reads.
static Value inputOf(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function || !function.isPublic())
    return {};
  for (BlockArgument arg : function.getArguments()) {
    auto type = dyn_cast<MemRefType>(arg.getType());
    if (type && isa<FloatType>(type.getElementType()) &&
        !function.getArgAttr(arg.getArgNumber(), "llvm.noalias"))
      return arg;
  }
  return {};
}

static void mutateInput(OpBuilder &b, Operation *op) {
  Value input = inputOf(op);
  b.setInsertionPoint(cast<func::FuncOp>(op).front().getTerminator());
  Type element = cast<MemRefType>(input.getType()).getElementType();
  Value zero =
      arith::ConstantOp::create(b, op->getLoc(), b.getFloatAttr(element, 0));
  linalg::FillOp::create(b, op->getLoc(), zero, input);
}

ArrayRef<FaultKind> klineage::testing::memoryFaults() {
  static const FaultKind kinds[] = {
      {"index_off", "an index is off by one",
       [](Operation *op) { return hasIndices(op, 1); },
       [](OpBuilder &b, Operation *op) { shiftIndex(b, op, true); }},
      {"row_off", "a row is off by one",
       [](Operation *op) { return hasIndices(op, 2); },
       [](OpBuilder &b, Operation *op) { shiftIndex(b, op, false); }},
      {"indices_swapped", "two indices are swapped", hasTwoIndices,
       swapIndices},
      {"view_off", "a view begins one element late", hasDynamicOffset,
       shiftView},
      {"stride_wrong", "a stride is off by one", hasFactor, changeStride},
      {"padding_wrong", "rows of shared memory overlap", isPaddedView,
       overlapRows},
      {"swizzle_wrong", "one access is not swizzled", isXor, dropXor},
      {"map_transposed", "an operand is read transposed", hasMatrixInput,
       permuteMap},
      {"alignment_wrong", "the entry promises too much alignment",
       promisesAlignment, raisePromise},
      {"store_dropped", "a store or copy is missing", isMove, erase},
      {"double_write", "a store writes element 0, too", isSharedStore,
       storeTwice},
      {"init_dropped", "an output is not initialized",
       [](Operation *op) { return isa<linalg::FillOp>(op); }, erase},
      {"input_mutated", "an input is zeros afterwards",
       [](Operation *op) { return bool(inputOf(op)); }, mutateInput}};
  return kinds;
}
