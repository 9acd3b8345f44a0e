//===- LowerLinalg.cpp - Loops and straight-line code for linalg operations
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace klineage;

/// More points than this and code size outweighs what registers bring.
static constexpr int64_t kMaxUnrolledPoints = 2048;
static constexpr int64_t kMaxUnrolledOutputs = 256;

static Value indexConstant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

SmallVector<Value> klineage::loopExtentValues(OpBuilder &b,
                                              linalg::LinalgOp op) {
  SmallVector<Value> extents;
  for (Range &range : op.createLoopRanges(b, op.getLoc()))
    extents.push_back(
        getValueOrCreateConstantIndexOp(b, op.getLoc(), range.size));
  return extents;
}

static SmallVector<Value> applyMap(OpBuilder &b, Location loc, AffineMap map,
                                   ValueRange ivs) {
  SmallVector<Value> indices;
  SmallVector<OpFoldResult> operands(ivs.begin(), ivs.end());
  for (AffineExpr expr : map.getResults())
    indices.push_back(getValueOrCreateConstantIndexOp(
        b, loc,
        affine::makeComposedFoldedAffineApply(
            b, loc, AffineMap::get(map.getNumDims(), 0, expr), operands)));
  return indices;
}

/// Clones the body with `values` for its arguments; returns what it yields.
static SmallVector<Value> cloneBody(OpBuilder &b, linalg::LinalgOp op,
                                    ValueRange values, ValueRange ivs) {
  IRMapping mapping;
  mapping.map(op.getBlock()->getArguments(), values);
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(), ivs[index.getDim()]);
      continue;
    }
    b.clone(inner, mapping);
  }
  return llvm::map_to_vector(
      op.getBlock()->getTerminator()->getOperands(),
      [&](Value v) { return mapping.lookupOrDefault(v); });
}

void klineage::emitPoint(OpBuilder &b, linalg::LinalgOp op, ValueRange ivs) {
  Location loc = op.getLoc();
  SmallVector<Value> values;
  SmallVector<SmallVector<Value>> indices;
  for (OpOperand &operand : op->getOpOperands()) {
    indices.emplace_back();
    if (!isa<MemRefType>(operand.get().getType())) {
      values.push_back(operand.get());
      continue;
    }
    indices.back() = applyMap(b, loc, op.getMatchingIndexingMap(&operand), ivs);
    bool dead =
        op.isDpsInit(&operand) && !op.payloadUsesValueFromOperand(&operand);
    Type element = cast<MemRefType>(operand.get().getType()).getElementType();
    // An output that the body does not read is not loaded either.
    values.push_back(dead ? Value()
                          : memref::LoadOp::create(b, loc, element,
                                                   operand.get(),
                                                   indices.back()));
  }
  for (auto [value, arg] : llvm::zip(values, op.getBlock()->getArguments()))
    if (!value)
      value = arg; // Unused.
  SmallVector<Value> results = cloneBody(b, op, values, ivs);
  unsigned first = op.getNumDpsInputs();
  for (auto [number, result] : llvm::enumerate(results))
    memref::StoreOp::create(b, loc, result, op.getDpsInits()[number],
                            indices[first + number]);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void emitLoops(OpBuilder &b, linalg::LinalgOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> extents = loopExtentValues(b, op);
  SmallVector<Value> ivs;
  OpBuilder::InsertionGuard guard(b);
  for (Value extent : extents) {
    auto loop = scf::ForOp::create(b, loc, indexConstant(b, loc, 0), extent,
                                   indexConstant(b, loc, 1));
    b.setInsertionPoint(loop.getBody()->getTerminator());
    ivs.push_back(loop.getInductionVar());
  }
  emitPoint(b, op, ivs);
}

//===----------------------------------------------------------------------===//
// Straight-line code
//===----------------------------------------------------------------------===//

namespace {
/// Emits every point of a small static operation, each element loaded once and
/// outputs kept in values across the reduction.
class Unroller {
public:
  Unroller(OpBuilder &b, linalg::LinalgOp op) : b(b), op(op) {
    for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      (iterator == utils::IteratorType::parallel ? parallel : reduction)
          .push_back(loop);
  }

  void run() {
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    SmallVector<int64_t> order(reduction);
    llvm::append_range(order, parallel);
    SmallVector<int64_t> point(ranges.size(), 0);
    visit(order, ranges, point);
    for (auto &[key, value] : outputs)
      memref::StoreOp::create(b, op.getLoc(), value, op->getOperand(key.first),
                              constants(key.second));
  }

private:
  using Key = std::pair<unsigned, SmallVector<int64_t>>;
  struct KeyLess {
    bool operator()(const Key &a, const Key &b) const {
      if (a.first != b.first)
        return a.first < b.first;
      return std::lexicographical_compare(a.second.begin(), a.second.end(),
                                          b.second.begin(), b.second.end());
    }
  };

  void visit(ArrayRef<int64_t> order, ArrayRef<int64_t> ranges,
             SmallVectorImpl<int64_t> &point) {
    if (order.empty())
      return emit(point);
    for (int64_t i = 0; i < ranges[order.front()]; ++i) {
      point[order.front()] = i;
      visit(order.drop_front(), ranges, point);
    }
  }

  SmallVector<Value> constants(ArrayRef<int64_t> values) {
    return llvm::map_to_vector(values, [&](int64_t value) {
      return indexConstant(b, op.getLoc(), value);
    });
  }

  Value load(OpOperand &operand, ArrayRef<int64_t> index) {
    return memref::LoadOp::create(b, op.getLoc(), operand.get(),
                                  constants(index));
  }

  void emit(ArrayRef<int64_t> point) {
    SmallVector<Value> values;
    SmallVector<Key> keys;
    for (OpOperand &operand : op->getOpOperands()) {
      unsigned number = operand.getOperandNumber();
      keys.push_back({number, {}});
      if (!isa<MemRefType>(operand.get().getType())) {
        values.push_back(operand.get());
        continue;
      }
      keys.back().second = op.getMatchingIndexingMap(&operand).compose(point);
      bool init = op.isDpsInit(&operand);
      if (init && !op.payloadUsesValueFromOperand(&operand)) {
        values.push_back(op.getBlock()->getArgument(number)); // Unused.
        continue;
      }
      Value &cached = init ? outputs[keys.back()] : inputs[keys.back()];
      if (!cached)
        cached = load(operand, keys.back().second);
      values.push_back(cached);
    }
    SmallVector<Value> ivs;
    if (op.hasIndexSemantics())
      ivs = constants(point);
    unsigned first = op.getNumDpsInputs();
    for (auto [number, result] : llvm::enumerate(cloneBody(b, op, values, ivs)))
      outputs[keys[first + number]] = result;
  }

  OpBuilder &b;
  linalg::LinalgOp op;
  SmallVector<int64_t> parallel, reduction;
  std::map<Key, Value, KeyLess> inputs, outputs;
};
} // namespace

/// Small, static, and no output can overlap an input but by the same element.
static bool canUnroll(linalg::LinalgOp op) {
  int64_t points = 1, outputs = 1;
  for (auto [range, iterator] :
       llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (ShapedType::isDynamic(range) || range > kMaxUnrolledPoints)
      return false;
    points *= range;
    outputs *= iterator == utils::IteratorType::parallel ? range : 1;
    if (points > kMaxUnrolledPoints)
      return false;
  }
  for (OpOperand *input : op.getDpsInputOperands())
    for (OpOperand &init : op.getDpsInitsMutable())
      if (input->get() == init.get() &&
          op.getMatchingIndexingMap(input) != op.getMatchingIndexingMap(&init))
        return false;
  return outputs <= kMaxUnrolledOutputs;
}

LogicalResult klineage::lowerLinalg(Operation *root) {
  SmallVector<linalg::LinalgOp> ops;
  root->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    if (!op.hasPureBufferSemantics())
      return op.emitError("works on tensors; a kernel works on buffers");
    OpBuilder b(op);
    if (canUnroll(op))
      Unroller(b, op).run();
    else
      emitLoops(b, op);
    op.erase();
  }
  return success();
}

LogicalResult klineage::unrollLoops(Operation *root) {
  SmallVector<scf::ForOp> loops;
  root->walk([&](scf::ForOp loop) {
    if (loop->hasAttr("klineage.unroll"))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops) {
    int64_t factor =
        cast<IntegerAttr>(loop->getAttr("klineage.unroll")).getInt();
    loop->removeAttr("klineage.unroll");
    LogicalResult result =
        factor == 0 ? loopUnrollFull(loop)
                    : success(succeeded(loopUnrollByFactor(loop, factor)));
    if (failed(result))
      return loop.emitError("cannot be unrolled by factor ") << factor;
  }
  return success();
}
