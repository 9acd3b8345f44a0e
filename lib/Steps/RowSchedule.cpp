//===- RowSchedule.cpp - A row in registers, or passed over by loops
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowEmitter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace klineage;

//===----------------------------------------------------------------------===//
// The row in registers
//===----------------------------------------------------------------------===//

void RowEmitter::emitInRegisters() {
  int64_t stride = shape.threads * shape.vector;
  int64_t lastStart = (shape.chunks - 1) * stride;
  if (!shape.exact())
    tailInside = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::ult, thread,
        constant((shape.columns - lastStart) / shape.vector));
  for (int64_t chunk = 0; chunk < shape.chunks; ++chunk) {
    AffineExpr column = b.getAffineDimExpr(0) * shape.vector + chunk * stride;
    OpFoldResult at = affine::makeComposedFoldedAffineApply(
        b, loc, AffineMap::get(1, 0, column), {OpFoldResult(thread)});
    Value place = getValueOrCreateConstantIndexOp(b, loc, at);
    bool tail = tailInside && chunk + 1 == shape.chunks;
    writes.push_back(
        {place, chunk * shape.vector, tail ? tailInside : Value()});
    if (tail) {
      // Reads outside of the row take its last vector: a value that the
      // operations meet anyway.
      AffineMap bounded = AffineMap::get(
          1, 0, {column, b.getAffineConstantExpr(shape.columns - shape.vector)},
          b.getContext());
      place = getValueOrCreateConstantIndexOp(
          b, loc,
          affine::makeComposedFoldedAffineMin(b, loc, bounded,
                                              {OpFoldResult(thread)}));
    }
    reads.push_back({place, chunk * shape.vector, Value()});
  }
  // The row first, all of it in flight together. What all rows share is in a
  // cache: it would take registers up to its first use.
  SmallVector<RowSource> shared;
  for (const RowSource &source : group.sources()) {
    if (source.hasColumn(group.rowRank) && !source.hasRow(group.rowRank))
      shared.push_back(source);
    else
      load(source);
  }
  for (size_t stage = 0; stage < group.ops.size(); ++stage) {
    llvm::erase_if(shared, [&](const RowSource &source) {
      bool used = group.reads(stage, source);
      if (used)
        load(source);
      return used;
    });
    if (group.ops[stage].role == RowRole::reduction)
      startReduction(stage);
    emitOp(stage);
    if (group.ops[stage].role == RowRole::reduction)
      finishReduction(stage);
    if (group.ops[stage].role != RowRole::initial &&
        group.isOutput(group.ops[stage].op.getDpsInits()[0]))
      store(stage);
  }
}

//===----------------------------------------------------------------------===//
// Loops over the row
//===----------------------------------------------------------------------===//

/// Level of a value: how many reductions, one after the other, it waits for.
void RowEmitter::computeLevels() {
  DenseMap<Value, int64_t> ofBuffer;
  for (RowOp row : group.ops) {
    int64_t level = 0;
    for (Value input : row.op.getDpsInputs())
      level = std::max(level, ofBuffer.lookup(input));
    if (row.role == RowRole::reduction)
      ++level;
    levels.push_back(level);
    ofBuffer[row.op.getDpsInits()[0]] = level;
  }
}

/// The goals and all matrix operations that they depend on, in program order.
SmallVector<size_t> RowEmitter::needed(ArrayRef<size_t> goals) {
  llvm::DenseSet<size_t> chosen(goals.begin(), goals.end());
  llvm::DenseSet<Value> read;
  SmallVector<size_t> stages;
  for (size_t stage = group.ops.size(); stage-- > 0;) {
    linalg::LinalgOp op = group.ops[stage].op;
    RowRole role = group.ops[stage].role;
    bool isRead = role == RowRole::matrix && read.contains(op.getDpsInits()[0]);
    if (!chosen.contains(stage) && !isRead)
      continue;
    stages.push_back(stage);
    for (Value input : op.getDpsInputs())
      read.insert(input);
  }
  std::reverse(stages.begin(), stages.end());
  return stages;
}

/// One pass over the row: the reductions of this level, and the outputs that
/// wait for those before. Temporaries are computed again where they are needed.
void RowEmitter::emitLoop(int64_t level) {
  SmallVector<size_t> goals;
  for (auto [stage, row] : llvm::enumerate(group.ops)) {
    bool output =
        row.role == RowRole::matrix && group.isOutput(row.op.getDpsInits()[0]);
    if ((row.role == RowRole::reduction && levelOf(stage) == level) ||
        (output && levelOf(stage) + 1 == level))
      goals.push_back(stage);
  }
  if (goals.empty())
    return;
  for (size_t goal : goals)
    if (group.ops[goal].role == RowRole::reduction)
      startReduction(goal);
  AffineExpr first = b.getAffineDimExpr(0) * shape.vector;
  OpFoldResult lower = affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(1, 0, first), {OpFoldResult(thread)});
  OpFoldResult upper = loopExtents(b, group.seed)[group.rowRank];
  auto loop =
      scf::ForOp::create(b, loc, getValueOrCreateConstantIndexOp(b, loc, lower),
                         getValueOrCreateConstantIndexOp(b, loc, upper),
                         constant(shape.threads * shape.vector));
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  reads = writes = {Piece{loop.getInductionVar(), 0, Value()}};
  size_t outside = locals.size();
  SmallVector<size_t> stages = needed(goals);
  for (const RowSource &source : group.sources())
    if (source.hasColumn(group.rowRank) &&
        llvm::any_of(stages, [&](size_t stage) {
          return llvm::is_contained(group.ops[stage].op.getDpsInputs(),
                                    source.buffer);
        }))
      load(source);
  for (size_t stage : stages) {
    emitOp(stage);
    if (group.ops[stage].role == RowRole::matrix &&
        llvm::is_contained(goals, stage))
      store(stage);
  }
  locals.resize(outside);
}

void RowEmitter::emitLoops() {
  computeLevels();
  for (const RowSource &source : group.sources())
    if (!source.hasColumn(group.rowRank))
      load(source);
  int64_t last = *llvm::max_element(levels) + 1;
  for (int64_t level = 0; level <= last; ++level) {
    for (auto [stage, row] : llvm::enumerate(group.ops))
      if (row.role == RowRole::initial && level == 0)
        emitOp(stage);
    if (level > 0)
      emitLoop(level);
    for (auto [stage, row] : llvm::enumerate(group.ops)) {
      if (levelOf(stage) != level)
        continue;
      if (row.role == RowRole::reduction)
        finishReduction(stage);
      if (row.role == RowRole::scalar)
        emitOp(stage);
      if ((row.role == RowRole::reduction || row.role == RowRole::scalar) &&
          group.isOutput(row.op.getDpsInits()[0]))
        store(stage);
    }
  }
}
