//===- SplitReduction.cpp - Column sums of many blocks, joined afterwards
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "KLineage/Steps/Utils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace klineage;

namespace {

class SplitReduction final : public StepKind {
public:
  SplitReduction()
      : StepKind("split_reduction",
                 "Split the rows of a column reduction over blocks") {}
  Numerics getNumerics(DictionaryAttr params) const override {
    return params.get("exact") ? Numerics::bit_exact : Numerics::reassociating;
  }
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override {
    FailureOr<linalg::LinalgOp> op = verifyLinalgTarget(targets, getName());
    return success(succeeded(op) &&
                   succeeded(verifyRange(*op, params, "rows", 1, 1 << 20)) &&
                   succeeded(verifyRange(*op, params, "columns", 1, 1 << 20)));
  }
  void clauses(ArrayRef<Operation *> targets, DictionaryAttr params,
               const StepContext &context,
               SmallVectorImpl<ClauseResult> &results) const override;
  FailureOr<StepOutcome> apply(RewriterBase &rewriter,
                               ArrayRef<Operation *> targets,
                               DictionaryAttr params,
                               const StepContext &context,
                               ArrayRef<ClauseResult> unknown) const override;
  FailureOr<SmallVector<Operation *>>
  undo(RewriterBase &rewriter, Operation *locus, DictionaryAttr params,
       const StepContext &context) const override;
};

/// Two loops, the outer one a reduction, one output that has a value for each
/// iteration of the inner one.
bool isColumnReduction(linalg::LinalgOp op) {
  auto iterators = op.getIteratorTypesArray();
  return isa<linalg::GenericOp>(op.getOperation()) && iterators.size() == 2 &&
         op.getNumDpsInits() == 1 &&
         iterators[0] == utils::IteratorType::reduction &&
         iterators[1] == utils::IteratorType::parallel;
}

/// `partial` has a row for each block along the reduction.
struct Partial {
  Value buffer;
  OpFoldResult rows;
};

} // namespace

/// A tile of `rows`, clipped to a static extent: beyond it would only look
/// partial.
static int64_t clipped(int64_t tile, int64_t range) {
  return ShapedType::isDynamic(range) || range <= 0 ? tile
                                                    : std::min(tile, range);
}

static Partial allocatePartial(RewriterBase &rewriter, linalg::LinalgOp op,
                               ArrayRef<OpFoldResult> extents, int64_t rows) {
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getDpsInits()[0].getType());
  OpFoldResult count = affine::makeComposedFoldedAffineApply(
      rewriter, loc, rewriter.getAffineDimExpr(0).ceilDiv(rows), {extents[0]});
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  for (OpFoldResult size : {count, extents[1]}) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    shape.push_back(constant.value_or(ShapedType::kDynamic));
    if (!constant)
      sizes.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, size));
  }
  Value buffer = memref::AllocOp::create(
      rewriter, loc, MemRefType::get(shape, type.getElementType()), sizes,
      rewriter.getI64IntegerAttr(64));
  return {buffer, count};
}

/// The row of block `iv` in the temporary, as far as the block's columns go.
static Value rowOf(RewriterBase &rewriter, Location loc, const Partial &partial,
                   Value iv, int64_t rows, const LoopTile &columns) {
  OpFoldResult row = affine::makeComposedFoldedAffineApply(
      rewriter, loc, rewriter.getAffineDimExpr(0).floorDiv(rows),
      {OpFoldResult(iv)});
  OpFoldResult one = rewriter.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets{row, columns.offset},
      sizes{one, columns.size}, strides{one, one};
  SmallVector<int64_t> shape{
      getConstantIntValue(columns.size).value_or(ShapedType::kDynamic)};
  auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      shape, cast<MemRefType>(partial.buffer.getType()), offsets, sizes,
      strides));
  return memref::SubViewOp::create(rewriter, loc, type, partial.buffer, offsets,
                                   sizes, strides);
}

/// Joins the rows of the temporary and what the output held.
static linalg::GenericOp join(RewriterBase &rewriter, linalg::LinalgOp op,
                              Value partial) {
  MLIRContext *context = op.getContext();
  AffineMap input = rewriter.getMultiDimIdentityMap(2);
  AffineMap output =
      AffineMap::get(2, 0, rewriter.getAffineDimExpr(1), context);
  Operation *combiner = findCombiner(op);
  bool outFirst =
      combiner->getOperand(0) == op.getBlock()->getArguments().back();
  auto created = linalg::GenericOp::create(
      rewriter, op.getLoc(), ValueRange{partial}, op.getDpsInits(),
      ArrayRef<AffineMap>{input, output}, op.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        IRMapping mapping;
        mapping.map(combiner->getOperand(0), arguments[outFirst ? 1 : 0]);
        mapping.map(combiner->getOperand(1), arguments[outFirst ? 0 : 1]);
        Operation *joined = b.clone(*combiner, mapping);
        linalg::YieldOp::create(b, loc, joined->getResults());
      });
  return created;
}

void SplitReduction::clauses(ArrayRef<Operation *> targets,
                             DictionaryAttr params, const StepContext &context,
                             SmallVectorImpl<ClauseResult> &results) const {
  auto op = cast<linalg::LinalgOp>(targets[0]);
  Location loc = op.getLoc();
  results.push_back(inHostForm(op));
  results.push_back(simpleMaps(op));
  bool columns = isColumnReduction(op);
  results.push_back(formClause(loc, "column_reduction", ClauseClass::types,
                               columns,
                               "two loops of which the outer one is reduced",
                               columns ? "so" : "other loops or outputs"));
  if (!columns || results[1].truth != Truth::proved)
    return;
  results.push_back(reductionReorderable(op));
  results.push_back(neutralElementKnown(op));
  Value output = op.getDpsInits()[0];
  for (Value input : op.getDpsInputs())
    if (isa<MemRefType>(input.getType()))
      results.push_back(noAlias(loc, input, output));
  results.push_back(disjointWrites(op, 1));
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), grid;
  for (auto [range, name] :
       llvm::zip(llvm::reverse(ranges), ArrayRef<StringRef>{"columns", "rows"}))
    grid.push_back(ShapedType::isDynamic(range)
                       ? ShapedType::kDynamic
                       : llvm::divideCeil(range, intParam(params, name)));
  results.push_back(gridLimits(loc, grid, context.target));
}

FailureOr<StepOutcome> SplitReduction::apply(RewriterBase &rewriter,
                                             ArrayRef<Operation *> targets,
                                             DictionaryAttr params,
                                             const StepContext &,
                                             ArrayRef<ClauseResult>) const {
  auto op = cast<linalg::LinalgOp>(targets[0]);
  Location loc = op.getLoc();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t tiles[] = {clipped(intParam(params, "rows"), ranges[0]),
                     clipped(intParam(params, "columns"), ranges[1])};
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> extents = loopExtents(rewriter, op);
  Partial partial = allocatePartial(rewriter, op, extents, tiles[0]);
  SmallVector<OpFoldResult> lower(2, rewriter.getIndexAttr(0)), steps;
  for (int64_t tile : tiles)
    steps.push_back(rewriter.getIndexAttr(tile));
  SmallVector<Attribute> mapping;
  for (auto id : {gpu::MappingId::DimY, gpu::MappingId::DimX})
    mapping.push_back(gpu::GPUBlockMappingAttr::get(rewriter.getContext(), id));
  auto loop =
      scf::ForallOp::create(rewriter, loc, lower, extents, steps, ValueRange(),
                            rewriter.getArrayAttr(mapping));
  rewriter.setInsertionPoint(loop.getBody()->getTerminator());
  LoopTiles parts(2);
  for (auto [part, iv, tile, range, extent] :
       llvm::zip(parts, loop.getInductionVars(), tiles, ranges, extents))
    part = LoopTile{iv, tileSize(rewriter, loc, tile, range, extent, iv)};
  Value row = rowOf(rewriter, loc, partial, loop.getInductionVars()[0],
                    tiles[0], *parts[1]);
  Value neutral = arith::ConstantOp::create(
      rewriter, loc, *neutralElementOf(findCombiner(op)));
  auto fill = linalg::FillOp::create(rewriter, loc, neutral, row);
  linalg::LinalgOp tiled = cloneOnTile(rewriter, op, parts);
  rewriter.modifyOpInPlace(tiled,
                           [&] { tiled.getDpsInitsMutable().assign(row); });
  rewriter.setInsertionPointAfter(loop);
  linalg::GenericOp joined = join(rewriter, op, partial.buffer);
  StepOutcome outcome;
  Type element = neutral.getType();
  if (!isa<FloatType>(element) ||
      isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp>(findCombiner(op)))
    outcome.undoFacts.push_back(
        rewriter.getNamedAttr("exact", rewriter.getUnitAttr()));
  rewriter.eraseOp(op);
  outcome.locus = loop;
  outcome.handles = {{"tiled", {tiled}},
                     {"fill", {fill}},
                     {"loop", {loop}},
                     {"join", {joined}}};
  return outcome;
}

FailureOr<SmallVector<Operation *>>
SplitReduction::undo(RewriterBase &rewriter, Operation *locus, DictionaryAttr,
                     const StepContext &) const {
  linalg::LinalgOp tiled;
  if (isBlockLoop(locus))
    locus->walk([&](linalg::LinalgOp op) {
      if (isColumnReduction(op))
        tiled = op;
    });
  auto row = tiled ? tiled.getDpsInits()[0].getDefiningOp<memref::SubViewOp>()
                   : memref::SubViewOp();
  auto buffer = row ? row.getSource().getDefiningOp<memref::AllocOp>()
                    : memref::AllocOp();
  linalg::LinalgOp joined;
  if (buffer)
    for (Operation *user : buffer->getUsers())
      if (auto op = dyn_cast<linalg::LinalgOp>(user))
        joined = op;
  if (!joined)
    return locus->emitError()
           << "undo of " << getName()
           << " expects a block loop that fills a temporary, and its join";
  rewriter.setInsertionPoint(locus);
  SmallVector<Value> operands;
  for (OpOperand *input : tiled.getDpsInputOperands()) {
    auto view = input->get().getDefiningOp<memref::SubViewOp>();
    operands.push_back(view && locus->isAncestor(view) ? view.getSource()
                                                       : input->get());
  }
  operands.push_back(joined.getDpsInits()[0]);
  Operation *whole = mlir::clone(rewriter, tiled, TypeRange(), operands);
  rewriter.eraseOp(joined);
  rewriter.eraseOp(locus);
  for (Operation *user : llvm::make_early_inc_range(buffer->getUsers()))
    rewriter.eraseOp(user);
  rewriter.eraseOp(buffer);
  return SmallVector<Operation *>{whole};
}

std::unique_ptr<StepKind> klineage::createSplitReduction() {
  return std::make_unique<SplitReduction>();
}
