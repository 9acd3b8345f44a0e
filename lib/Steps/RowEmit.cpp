//===- RowEmit.cpp - One block of threads a row
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "RowGroup.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace klineage;

static gpu::AllReduceOperation reduceOperation(Operation *combiner) {
  using Kind = gpu::AllReduceOperation;
  return llvm::TypeSwitch<Operation *, Kind>(combiner)
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Kind::MUL; })
      .Case([](arith::MaximumFOp) { return Kind::MAXIMUMF; })
      .Case([](arith::MaxNumFOp) { return Kind::MAXNUMF; })
      .Case([](arith::MinimumFOp) { return Kind::MINIMUMF; })
      .Case([](arith::MinNumFOp) { return Kind::MINNUMF; })
      .Case([](arith::MaxSIOp) { return Kind::MAXSI; })
      .Case([](arith::MaxUIOp) { return Kind::MAXUI; })
      .Case([](arith::MinSIOp) { return Kind::MINSI; })
      .Case([](arith::MinUIOp) { return Kind::MINUI; })
      .Case([](arith::AndIOp) { return Kind::AND; })
      .Case([](arith::OrIOp) { return Kind::OR; })
      .Case([](arith::XOrIOp) { return Kind::XOR; })
      .Default([](Operation *) { return Kind::ADD; });
}

namespace {
class RowEmitter {
public:
  RowEmitter(RewriterBase &b, RowGroup &group, const RowShape &shape)
      : b(b), group(group), shape(shape), loc(group.seed.getLoc()) {}

  scf::ForallOp run();

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value registers(Value buffer, ArrayRef<int64_t> extents) {
    auto type = cast<MemRefType>(buffer.getType());
    return memref::AllocaOp::create(
        b, loc, withSpace(type, extents, gpu::AddressSpace::Private),
        b.getI64IntegerAttr(16));
  }
  SmallVector<Value> rowIndices(linalg::LinalgOp op, OpOperand &operand);

  void emitRegisters(RowOp row, int64_t stage);
  linalg::GenericOp emitGeneric(linalg::LinalgOp op, ArrayRef<Value> operands,
                                ArrayRef<AffineMap> maps,
                                ArrayRef<utils::IteratorType> iterators,
                                int64_t stage);
  void maskReduction(linalg::GenericOp generic);
  void reduceOverBlock(RowOp row, Value partial);

  Value local(linalg::LinalgOp op, OpOperand &operand);
  void moveRow(Value memory, ArrayRef<Value> rows, Value local, bool load);
  void storeOutput(RowOp row);

  RewriterBase &b;
  RowGroup &group;
  const RowShape &shape;
  Location loc;
  SmallVector<Value> rows;
  Value thread, columns;
  DenseMap<Value, Value> locals;
};
} // namespace

/// Indices of the operand's row: its row dimensions, in order.
SmallVector<Value> RowEmitter::rowIndices(linalg::LinalgOp op,
                                          OpOperand &operand) {
  SmallVector<Value> indices;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    int64_t loop = cast<AffineDimExpr>(expr).getPosition();
    if (loop < group.rowRank)
      indices.push_back(rows[loop]);
  }
  return indices;
}

/// Copies a thread's part of a row between memory and registers, in accesses of
/// at most 16 bytes.
void RowEmitter::moveRow(Value memory, ArrayRef<Value> rowIndex, Value fragment,
                         bool load) {
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  int64_t piece = std::min<int64_t>(
      shape.vector,
      std::max<int64_t>(1, 128 / element.getIntOrFloatBitWidth()));
  auto type = VectorType::get({piece}, element);
  for (int64_t chunk = 0; chunk < shape.chunks; ++chunk) {
    OpBuilder::InsertionGuard guard(b);
    int64_t first = chunk * shape.threads * shape.vector;
    auto column = [&](int64_t offset) {
      AffineExpr expr = b.getAffineDimExpr(0) * shape.vector + (first + offset);
      return getValueOrCreateConstantIndexOp(
          b, loc,
          affine::makeComposedFoldedAffineApply(b, loc, expr,
                                                {OpFoldResult(thread)}));
    };
    if (first + shape.threads * shape.vector > shape.columns) {
      Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                           column(0), columns);
      auto branch = scf::IfOp::create(b, loc, inside, /*withElseRegion=*/false);
      b.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    for (int64_t offset = 0; offset < shape.vector; offset += piece) {
      SmallVector<Value> outer(rowIndex);
      outer.push_back(column(offset));
      SmallVector<Value> inner{index(chunk), index(offset)};
      Value from = load ? memory : fragment, to = load ? fragment : memory;
      ArrayRef<Value> fromIndex = load ? outer : inner,
                      toIndex = load ? inner : outer;
      if (piece == 1) {
        Value value = memref::LoadOp::create(b, loc, element, from, fromIndex);
        memref::StoreOp::create(b, loc, value, to, toIndex);
        continue;
      }
      Value value = vector::LoadOp::create(b, loc, type, from, fromIndex);
      vector::StoreOp::create(b, loc, value, to, toIndex);
    }
  }
}

/// The operand in registers, loaded at its first use.
Value RowEmitter::local(linalg::LinalgOp op, OpOperand &operand) {
  Value buffer = operand.get();
  if (!isa<MemRefType>(buffer.getType()))
    return buffer;
  Value &known = locals[buffer];
  if (known)
    return known;
  bool column = hasColumn(group, op, operand);
  SmallVector<int64_t> extents;
  if (column)
    extents = {shape.chunks, shape.vector};
  Value made = registers(buffer, extents);
  locals[buffer] = made;
  if (op.isDpsInit(&operand))
    return made;
  SmallVector<Value> indices = rowIndices(op, operand);
  if (column) {
    moveRow(buffer, indices, made, /*load=*/true);
  } else {
    Type element = cast<MemRefType>(buffer.getType()).getElementType();
    Value value = memref::LoadOp::create(b, loc, element, buffer, indices);
    memref::StoreOp::create(b, loc, value, made, ValueRange());
  }
  return made;
}

linalg::GenericOp RowEmitter::emitGeneric(
    linalg::LinalgOp op, ArrayRef<Value> operands, ArrayRef<AffineMap> maps,
    ArrayRef<utils::IteratorType> iterators, int64_t stage) {
  size_t inputs = op.getNumDpsInputs();
  auto generic =
      linalg::GenericOp::create(b, op.getLoc(), operands.take_front(inputs),
                                operands.drop_front(inputs), maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  generic->setAttr(kStageAttr, b.getI64IntegerAttr(stage));
  return generic;
}

/// Elements past the end of the row count as the neutral element.
void RowEmitter::maskReduction(linalg::GenericOp generic) {
  generic->setAttr(kMaskedAttr, b.getUnitAttr());
  Operation *combiner = findCombiner(generic);
  Value out = generic.getBlock()->getArguments().back();
  unsigned number = combiner->getOperand(0) == out ? 1 : 0;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(combiner);
  Value chunk = linalg::IndexOp::create(b, loc, 0);
  AffineExpr expr =
      (b.getAffineDimExpr(0) * shape.threads + b.getAffineDimExpr(1)) *
      shape.vector;
  Value column = affine::AffineApplyOp::create(
      b, loc, AffineMap::get(2, 0, expr), ValueRange{chunk, thread});
  Value inside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, column, columns);
  Value neutral =
      arith::ConstantOp::create(b, loc, *neutralElementOf(combiner));
  combiner->setOperand(
      number, arith::SelectOp::create(b, loc, inside,
                                      combiner->getOperand(number), neutral));
}

/// Joins the partial results of all threads.
void RowEmitter::reduceOverBlock(RowOp row, Value partial) {
  Operation *combiner = findCombiner(row.op);
  Type element = combiner->getResult(0).getType();
  Value value = memref::LoadOp::create(b, loc, element, partial, ValueRange());
  auto all =
      gpu::AllReduceOp::create(b, loc, value,
                               gpu::AllReduceOperationAttr::get(
                                   b.getContext(), reduceOperation(combiner)),
                               /*uniform=*/true);
  Value result = registers(row.op.getDpsInits()[0], {});
  memref::StoreOp::create(b, loc, all, result, ValueRange());
  locals[row.op.getDpsInits()[0]] = result;
}

void RowEmitter::storeOutput(RowOp row) {
  Value out = row.op.getDpsInits()[0];
  if (!group.isOutput(out))
    return;
  OpOperand &operand = *row.op.getDpsInitOperand(0);
  SmallVector<Value> indices = rowIndices(row.op, operand);
  if (hasColumn(group, row.op, operand)) {
    moveRow(out, indices, locals[out], /*load=*/false);
    return;
  }
  Value first =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, thread, index(0));
  auto branch = scf::IfOp::create(b, loc, first, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  Type element = cast<MemRefType>(out.getType()).getElementType();
  Value value =
      memref::LoadOp::create(b, loc, element, locals[out], ValueRange());
  memref::StoreOp::create(b, loc, value, out, indices);
}

void RowEmitter::emitRegisters(RowOp row, int64_t stage) {
  linalg::LinalgOp op = row.op;
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  bool loops = row.role == RowRole::matrix || row.role == RowRole::reduction;
  unsigned rank = loops ? 2 : 0;
  Value partial;
  if (row.role == RowRole::reduction) {
    partial = registers(op.getDpsInits()[0], {});
    Value neutral =
        arith::ConstantOp::create(b, loc, *neutralElementOf(findCombiner(op)));
    memref::StoreOp::create(b, loc, neutral, partial, ValueRange());
  }
  for (OpOperand &operand : op->getOpOperands()) {
    bool result = partial && op.isDpsInit(&operand);
    operands.push_back(result ? partial : local(op, operand));
    bool column = isa<MemRefType>(operand.get().getType()) &&
                  hasColumn(group, op, operand);
    maps.push_back(column ? b.getMultiDimIdentityMap(2)
                          : AffineMap::get(rank, 0, b.getContext()));
  }
  if (row.role == RowRole::fill) {
    auto fill = linalg::FillOp::create(b, loc, operands[0], operands[1]);
    fill->setAttr(kStageAttr, b.getI64IntegerAttr(stage));
    return storeOutput(row);
  }
  SmallVector<utils::IteratorType> iterators(
      rank,
      partial ? utils::IteratorType::reduction : utils::IteratorType::parallel);
  linalg::GenericOp generic = emitGeneric(op, operands, maps, iterators, stage);
  if (partial) {
    if (!shape.exact())
      maskReduction(generic);
    reduceOverBlock(row, partial);
  }
  storeOutput(row);
}

scf::ForallOp RowEmitter::run() {
  b.setInsertionPoint(group.ops.back().op);
  SmallVector<OpFoldResult> extents = loopExtents(b, group.seed);
  SmallVector<Attribute> mapping;
  for (int64_t dim = 0; dim < group.rowRank; ++dim)
    mapping.push_back(gpu::GPUBlockMappingAttr::get(
        b.getContext(), static_cast<gpu::MappingId>(group.rowRank - 1 - dim)));
  auto blocks =
      scf::ForallOp::create(b, loc, ArrayRef<OpFoldResult>(extents).drop_back(),
                            ValueRange(), b.getArrayAttr(mapping));
  rows = blocks.getInductionVars();
  columns = getValueOrCreateConstantIndexOp(b, loc, extents.back());
  b.setInsertionPoint(blocks.getBody()->getTerminator());
  auto threads = scf::ForallOp::create(
      b, loc, ArrayRef<OpFoldResult>{b.getIndexAttr(shape.threads)},
      ValueRange(),
      b.getArrayAttr({gpu::GPUThreadMappingAttr::get(b.getContext(),
                                                     gpu::MappingId::DimX)}));
  thread = threads.getInductionVar(0);
  b.setInsertionPoint(threads.getBody()->getTerminator());
  if (columns.getDefiningOp())
    columns.getDefiningOp()->moveBefore(blocks);
  for (auto [stage, row] : llvm::enumerate(group.ops))
    if (row.role != RowRole::initial)
      emitRegisters(row, stage);
  for (RowOp row : llvm::reverse(group.ops))
    b.eraseOp(row.op);
  return blocks;
}

//===----------------------------------------------------------------------===//
// What the undo needs
//===----------------------------------------------------------------------===//

static DictionaryAttr describeBuffer(Builder &b, Value buffer) {
  if (auto arg = dyn_cast<BlockArgument>(buffer))
    return b.getDictionaryAttr(
        b.getNamedAttr("arg", b.getI64IntegerAttr(arg.getArgNumber())));
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  return b.getDictionaryAttr(
      {b.getNamedAttr("type", TypeAttr::get(alloc.getType())),
       b.getNamedAttr("sizes",
                      intArrayAttr(b.getContext(), *sizeSources(alloc))),
       b.getNamedAttr("alignment",
                      b.getI64IntegerAttr(alloc.getAlignment().value_or(0)))});
}

scf::ForallOp klineage::emitRows(RewriterBase &rewriter, RowGroup &group,
                                 const RowShape &shape,
                                 SmallVectorImpl<NamedAttribute> &facts) {
  SmallVector<Value> buffers = group.buffers();
  SmallVector<Attribute> described, stages;
  for (Value buffer : buffers)
    described.push_back(describeBuffer(rewriter, buffer));
  int64_t seed = 0;
  for (auto [stage, row] : llvm::enumerate(group.ops)) {
    if (row.op == group.seed)
      seed = stage;
    SmallVector<int64_t> operands;
    for (Value operand : row.op->getOperands()) {
      auto it = llvm::find(buffers, operand);
      operands.push_back(it == buffers.end() ? -1 : it - buffers.begin());
    }
    SmallVector<Attribute> maps;
    for (AffineMap map : row.op.getIndexingMapsArray())
      maps.push_back(AffineMapAttr::get(map));
    stages.push_back(rewriter.getDictionaryAttr(
        {rewriter.getNamedAttr("role",
                               rewriter.getI64IntegerAttr(int64_t(row.role))),
         rewriter.getNamedAttr("operands",
                               intArrayAttr(rewriter.getContext(), operands)),
         rewriter.getNamedAttr("maps", rewriter.getArrayAttr(maps))}));
  }
  facts.push_back(
      rewriter.getNamedAttr("buffers", rewriter.getArrayAttr(described)));
  facts.push_back(
      rewriter.getNamedAttr("stages", rewriter.getArrayAttr(stages)));
  facts.push_back(
      rewriter.getNamedAttr("seed", rewriter.getI64IntegerAttr(seed)));
  return RowEmitter(rewriter, group, shape).run();
}
