//===- RowEmit.cpp - A group of row-wise operations as one kernel
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "RowEmitter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace klineage;

Value RowEmitter::constant(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

ArrayAttr RowEmitter::mapping(ArrayRef<gpu::MappingId> ids, bool block) {
  MLIRContext *context = b.getContext();
  return b.getArrayAttr(llvm::map_to_vector(ids, [&](gpu::MappingId id) {
    return block ? Attribute(gpu::GPUBlockMappingAttr::get(context, id))
                 : Attribute(gpu::GPUThreadMappingAttr::get(context, id));
  }));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

SmallVector<Value> RowEmitter::indices(const RowSource &source, Value column) {
  return llvm::map_to_vector(source.loops, [&](int64_t loop) {
    if (loop == kNoLoop)
      return constant(0);
    return loop == group.rowRank ? column : rows[loop];
  });
}

Value RowEmitter::offset(Value base, int64_t constant) {
  AffineExpr expr = b.getAffineDimExpr(0) + constant;
  return getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(b, loc, AffineMap::get(1, 0, expr),
                                            {OpFoldResult(base)}));
}

/// Moves the thread's part of a row between memory and its private buffer.
void RowEmitter::copyColumn(const RowSource &source, Value local,
                            bool toMemory) {
  Type element = cast<MemRefType>(local.getType()).getElementType();
  int64_t widest =
      std::max<int64_t>(1, accessBytes * 8 / element.getIntOrFloatBitWidth());
  int64_t width = std::min(shape.vector, widest);
  for (const Piece &piece : toMemory ? writes : reads) {
    OpBuilder::InsertionGuard restore(b);
    if (piece.inside) {
      auto guard = scf::IfOp::create(b, loc, piece.inside, false);
      b.setInsertionPoint(guard.thenBlock()->getTerminator());
    }
    for (int64_t part = 0; part < shape.vector; part += width) {
      SmallVector<Value> place =
          indices(source, part ? offset(piece.column, part) : piece.column);
      Value index = constant(piece.element + part);
      Value from = toMemory ? local : source.buffer;
      Value to = toMemory ? source.buffer : local;
      ValueRange fromAt = toMemory ? ValueRange(index) : ValueRange(place);
      ValueRange toAt = toMemory ? ValueRange(place) : ValueRange(index);
      if (width == 1) {
        Value value = memref::LoadOp::create(b, loc, from, fromAt);
        memref::StoreOp::create(b, loc, value, to, toAt);
        continue;
      }
      auto load = vector::LoadOp::create(
          b, loc, VectorType::get({width}, element), from, fromAt);
      auto store = vector::StoreOp::create(b, loc, load.getResult(), to, toAt);
      // Rows start aligned, and a piece at a multiple of its width.
      (toMemory ? store.getOperation() : load.getOperation())
          ->setAttr(
              "alignment",
              b.getI64IntegerAttr(width * element.getIntOrFloatBitWidth() / 8));
    }
  }
}

Value RowEmitter::allocate(Type element, bool column) {
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Private);
  SmallVector<int64_t> extents;
  if (column)
    extents.push_back(elements());
  return memref::AllocaOp::create(
      b, loc, MemRefType::get(extents, element, AffineMap(), space),
      column ? b.getI64IntegerAttr(16) : IntegerAttr());
}

Value RowEmitter::localOf(const RowSource &source) const {
  for (auto &[known, local] : llvm::reverse(locals))
    if (known == source)
      return local;
  return {};
}

void RowEmitter::load(const RowSource &source) {
  bool column = source.hasColumn(group.rowRank);
  Type element = cast<MemRefType>(source.buffer.getType()).getElementType();
  Value local = allocate(element, column);
  locals.push_back({source, local});
  if (column)
    return copyColumn(source, local, /*toMemory=*/false);
  Value value =
      memref::LoadOp::create(b, loc, source.buffer, indices(source, Value()));
  memref::StoreOp::create(b, loc, value, local, ValueRange());
}

void RowEmitter::store(size_t stage) {
  RowSource target = resultOf(group.ops[stage]);
  Value local = localOf(target);
  if (target.hasColumn(group.rowRank))
    return copyColumn(target, local, /*toMemory=*/true);
  // All threads have the same value.
  Value first = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, thread,
                                      constant(0));
  auto guard = scf::IfOp::create(b, loc, first, false);
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPoint(guard.thenBlock()->getTerminator());
  Value value = memref::LoadOp::create(b, loc, local, ValueRange());
  memref::StoreOp::create(b, loc, value, target.buffer,
                          indices(target, Value()));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void RowEmitter::declareOutput(size_t stage) {
  RowSource target = resultOf(group.ops[stage]);
  Type element = cast<MemRefType>(target.buffer.getType()).getElementType();
  locals.push_back(
      {target, allocate(element, target.hasColumn(group.rowRank))});
}

/// The reduction starts from the neutral element of its combiner.
bool RowEmitter::startsNeutral(size_t stage) const {
  linalg::LinalgOp op = group.ops[stage].op;
  std::optional<TypedAttr> neutral = neutralElementOf(findCombiner(op));
  for (RowOp row : group.ops) {
    Attribute value;
    if (row.role == RowRole::initial &&
        row.op.getDpsInits()[0] == op.getDpsInits()[0])
      return matchPattern(row.op.getDpsInputs()[0], m_Constant(&value)) &&
             neutral && Attribute(*neutral) == value;
  }
  return false;
}

/// The initial value, if it is not neutral, joins once, after the block's
/// reduction; until then threads start from the neutral element.
void RowEmitter::startReduction(size_t stage) {
  if (startsNeutral(stage))
    return;
  linalg::LinalgOp op = group.ops[stage].op;
  TypedAttr neutral = *neutralElementOf(findCombiner(op));
  Value partial = allocate(neutral.getType(), false);
  Value value = arith::ConstantOp::create(b, loc, neutral);
  linalg::FillOp::create(b, loc, value, partial);
  partials[op.getDpsInits()[0]] = partial;
}

/// Clones the operation of that stage onto private buffers. Its loops become
/// one over the elements of the thread, or none.
linalg::LinalgOp RowEmitter::emitOp(size_t stage) {
  linalg::LinalgOp op = group.ops[stage].op;
  RowRole role = group.ops[stage].role;
  bool reduction = role == RowRole::reduction;
  Value out = op.getDpsInits()[0];
  if (!reduction)
    declareOutput(stage);
  bool loop = reduction || role == RowRole::matrix;
  MLIRContext *context = b.getContext();
  SmallVector<AffineMap> maps;
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<RowSource> source = sourceOf(group.ops[stage], operand);
    bool column = source && source->hasColumn(group.rowRank);
    Value local = source ? localOf(*source) : operand.get();
    if (reduction && op.isDpsInit(&operand) && partials.count(out))
      local = partials[out];
    operands.push_back(local);
    maps.push_back(column ? AffineMap::getMultiDimIdentityMap(1, context)
                          : AffineMap::get(loop, 0, context));
  }
  auto copy = cast<linalg::LinalgOp>(mlir::clone(b, op, TypeRange(), operands));
  copy->setAttr(kStageAttr, b.getI64IntegerAttr(stage));
  auto generic = dyn_cast<linalg::GenericOp>(copy.getOperation());
  if (!generic)
    return copy;
  generic.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
  SmallVector<Attribute> iterators;
  if (loop)
    iterators.push_back(linalg::IteratorTypeAttr::get(
        context, reduction ? utils::IteratorType::reduction
                           : utils::IteratorType::parallel));
  generic.setIteratorTypesAttr(b.getArrayAttr(iterators));
  if (reduction && tailInside)
    maskTail(copy);
  return copy;
}

/// Elements outside of the row leave the accumulator as it is.
void RowEmitter::maskTail(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  Operation *yield = body->getTerminator();
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPoint(yield);
  Value inside = tailInside;
  if (shape.chunks > 1) {
    Value element = linalg::IndexOp::create(b, loc, 0);
    Value before =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, element,
                              constant((shape.chunks - 1) * shape.vector));
    inside = arith::OrIOp::create(b, loc, before, tailInside);
  }
  Value kept = arith::SelectOp::create(b, loc, inside, yield->getOperand(0),
                                       body->getArguments().back());
  yield->setOperand(0, kept);
}

/// Joins what the threads have, and the initial value if it is not neutral.
void RowEmitter::finishReduction(size_t stage) {
  linalg::LinalgOp op = group.ops[stage].op;
  Value out = op.getDpsInits()[0];
  Value result = localOf(resultOf(group.ops[stage]));
  Value partial = partials.lookup(out) ? partials.lookup(out) : result;
  Operation *combiner = findCombiner(op);
  Value value = memref::LoadOp::create(b, loc, partial, ValueRange());
  value = gpu::AllReduceOp::create(
      b, loc, value,
      gpu::AllReduceOperationAttr::get(b.getContext(), *allReduceOf(combiner)),
      /*uniform=*/true);
  if (partial != result) {
    IRMapping operands;
    Value initial = memref::LoadOp::create(b, loc, result, ValueRange());
    for (Value operand : combiner->getOperands())
      operands.map(operand, operand == op.getBlock()->getArguments().back()
                                ? initial
                                : value);
    value = b.clone(*combiner, operands)->getResult(0);
  }
  memref::StoreOp::create(b, loc, value, result, ValueRange());
}

scf::ForallOp RowEmitter::run() {
  static constexpr gpu::MappingId kIds[] = {
      gpu::MappingId::DimX, gpu::MappingId::DimY, gpu::MappingId::DimZ};
  SmallVector<OpFoldResult> extents = loopExtents(b, group.seed);
  extents.pop_back();
  // The innermost row loop takes x, which has the largest range.
  SmallVector<gpu::MappingId> ids(kIds, kIds + group.rowRank);
  std::reverse(ids.begin(), ids.end());
  auto outer = scf::ForallOp::create(b, loc, extents, ValueRange(),
                                     mapping(ids, /*block=*/true));
  rows = SmallVector<Value>(outer.getInductionVars());
  b.setInsertionPoint(outer.getBody()->getTerminator());
  auto inner = scf::ForallOp::create(
      b, loc, ArrayRef<OpFoldResult>{b.getIndexAttr(shape.threads)},
      ValueRange(), mapping({gpu::MappingId::DimX}, /*block=*/false));
  thread = inner.getInductionVar(0);
  b.setInsertionPoint(inner.getBody()->getTerminator());
  if (shape.inRegisters())
    emitInRegisters();
  else
    emitLoops();
  return outer;
}

/// Shape and origin of a temporary: number of its writer, alignment, rank,
/// extents (-1: dynamic), sources of the dynamic ones.
static Attribute describe(RewriterBase &rewriter, Value buffer, int64_t stage) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  SmallVector<int64_t> facts{stage, int64_t(alloc.getAlignment().value_or(0)),
                             alloc.getType().getRank()};
  for (int64_t extent : alloc.getType().getShape())
    facts.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  llvm::append_range(facts, *sizeSources(buffer));
  return intArrayAttr(rewriter.getContext(), facts);
}

scf::ForallOp klineage::emitRows(RewriterBase &rewriter, RowGroup &group,
                                 const RowShape &shape, int64_t accessBytes,
                                 SmallVectorImpl<NamedAttribute> &facts) {
  SmallVector<Value> temporaries = group.temporaries();
  SmallVector<Attribute> described;
  SmallVector<int64_t> unitLoops;
  for (auto [stage, row] : llvm::enumerate(group.ops)) {
    if (row.unitLoop && isa<linalg::GenericOp>(row.op))
      unitLoops.push_back(stage);
    if (row.role != RowRole::initial &&
        llvm::is_contained(temporaries, row.op.getDpsInits()[0]))
      described.push_back(
          describe(rewriter, row.op.getDpsInits()[0], int64_t(stage)));
  }
  if (!unitLoops.empty())
    facts.push_back(rewriter.getNamedAttr(
        "unit_loops", intArrayAttr(rewriter.getContext(), unitLoops)));
  facts.push_back(
      rewriter.getNamedAttr("temporaries", rewriter.getArrayAttr(described)));
  rewriter.setInsertionPoint(group.ops.back().op);
  scf::ForallOp rows = RowEmitter(rewriter, group, shape, accessBytes).run();
  for (RowOp row : llvm::reverse(group.ops))
    rewriter.eraseOp(row.op);
  for (Value buffer : temporaries)
    for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
      if (auto dim = dyn_cast<memref::DimOp>(user))
        if (dim->use_empty())
          rewriter.eraseOp(dim);
  for (Value buffer : temporaries)
    if (buffer.use_empty())
      rewriter.eraseOp(buffer.getDefiningOp());
  return rows;
}

scf::ForallOp klineage::emitGuardedRows(RewriterBase &rewriter, RowGroup &group,
                                        const RowShape &shape,
                                        int64_t accessBytes) {
  Location loc = group.getLoc();
  rewriter.setInsertionPoint(group.ops.back().op);
  OpFoldResult columns = loopExtents(rewriter, group.seed)[group.rowRank];
  AffineExpr rest = rewriter.getAffineDimExpr(0) % shape.vector;
  Value left = getValueOrCreateConstantIndexOp(
      rewriter, loc,
      affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(1, 0, rest), {columns}));
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value whole = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                      left, zero);
  auto guard = scf::IfOp::create(rewriter, loc, whole, /*withElseRegion=*/true);
  guard->setAttr(kGuardAttr, rewriter.getStringAttr("divisible"));
  for (RowOp row : group.ops)
    rewriter.moveOpBefore(row.op, guard.elseBlock()->getTerminator());
  rewriter.setInsertionPoint(guard.thenBlock()->getTerminator());
  return RowEmitter(rewriter, group, shape, accessBytes).run();
}
