//===- BlockRowReduction.cpp - One block a row
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "RowGroup.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace klineage;

namespace {

class BlockRowReduction final : public StepKind {
public:
  BlockRowReduction()
      : StepKind("block_row_reduction",
                 "Compute one row a block, in registers where it fits") {}
  /// Maxima and integer sums do not depend on the order of their operands.
  Numerics getNumerics(DictionaryAttr params) const override {
    auto exact = params.getAs<BoolAttr>("order_matters");
    return exact && !exact.getValue() ? Numerics::bit_exact
                                      : Numerics::reassociating;
  }
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override {
    FailureOr<linalg::LinalgOp> op = verifyLinalgTarget(targets, getName());
    if (failed(op) || failed(verifyRange(*op, params, "threads", 1, 1024)) ||
        failed(verifyRange(*op, params, "vector", 1, 16)))
      return failure();
    if (params.get("min_blocks_per_sm") &&
        failed(verifyRange(*op, params, "min_blocks_per_sm", 0, 32)))
      return failure();
    if (params.get("rows_in_registers"))
      return verifyRange(*op, params, "rows_in_registers", 0, 1);
    return success();
  }
  void clauses(ArrayRef<Operation *> targets, DictionaryAttr params,
               const StepContext &context,
               SmallVectorImpl<ClauseResult> &results) const override;
  /// A dynamic row may turn out to consist of whole vectors.
  bool canGuard(const ClauseResult &clause) const override {
    return clause.name == "divisible";
  }
  FailureOr<StepOutcome> apply(RewriterBase &rewriter,
                               ArrayRef<Operation *> targets,
                               DictionaryAttr params,
                               const StepContext &context,
                               ArrayRef<ClauseResult> unknown) const override;
  FailureOr<SmallVector<Operation *>> undo(RewriterBase &rewriter,
                                           Operation *locus,
                                           DictionaryAttr params,
                                           const StepContext &) const override {
    auto rows = dyn_cast<scf::ForallOp>(locus);
    if (!rows || !isBlockLoop(rows) || !threadLoopOf(rows))
      return locus->emitError()
             << "undo of " << getName() << " expects a loop over rows";
    if (params.get("guarded")) {
      if (failed(removeGuard(rewriter, locus)))
        return failure();
      return SmallVector<Operation *>{};
    }
    FailureOr<Operation *> target = raiseRows(rewriter, rows, params);
    if (failed(target))
      return failure();
    return SmallVector<Operation *>{*target};
  }
  SmallVector<MechanismFact> mechanism(DictionaryAttr params) const override {
    SmallVector<MechanismFact> facts{{"local", 0, 0}};
    if (intParam(params, "threads") % 32 == 0)
      facts.push_back({"shfl", 1, -1});
    if (intParam(params, "vector") > 1)
      facts.push_back({"vector_access", 1, -1});
    return facts;
  }
};

/// Registers for addresses, constants and what the compiler keeps besides.
constexpr int64_t kOtherRegisters = 32;
/// Fully unrolled code of more elements a thread costs more than it brings.
constexpr int64_t kMaxElements = 64;

int64_t registerLimit(int64_t threads, const TargetInfo &target) {
  int64_t share = target.registersPerThread;
  if (threads > 0)
    share = std::min(share, target.registersPerBlock / threads);
  return share;
}

/// Registers if a thread keeps its part of the row; 0 without a constant row.
int64_t registersFor(const RowGroup &group, int64_t threads, int64_t vector) {
  int64_t columns = group.columns();
  if (ShapedType::isDynamic(columns) || columns == 0)
    return 0;
  int64_t elements = llvm::divideCeil(columns, threads * vector) * vector;
  return liveElements(group, elements) + kOtherRegisters;
}

RowShape shapeOf(const RowGroup &group, DictionaryAttr params,
                 const TargetInfo &target) {
  RowShape shape;
  shape.threads = intParam(params, "threads");
  shape.vector = intParam(params, "vector");
  shape.columns = group.columns();
  int64_t registers = registersFor(group, shape.threads, shape.vector);
  if (registers == 0 || intParam(params, "rows_in_registers", 1) == 0)
    return shape;
  int64_t chunks =
      llvm::divideCeil(shape.columns, shape.threads * shape.vector);
  bool fits = registers <= registerLimit(shape.threads, target) &&
              chunks * shape.vector <= kMaxElements;
  if (fits || params.get("rows_in_registers"))
    shape.chunks = chunks;
  return shape;
}

/// Every buffer gets its value once, before any use of it.
ClauseResult singleAssignment(const RowGroup &group) {
  Operation *culprit = nullptr;
  llvm::DenseSet<Value> read, written, started;
  for (RowOp row : group.ops) {
    for (Value input : row.op.getDpsInputs())
      read.insert(input);
    Value out = row.op.getDpsInits()[0];
    bool fresh = row.role == RowRole::initial ? started.insert(out).second
                                              : written.insert(out).second;
    bool reads =
        row.role != RowRole::reduction &&
        row.op.payloadUsesValueFromOperand(row.op.getDpsInitOperand(0));
    bool late = row.role == RowRole::initial && written.contains(out);
    if (!culprit && (read.contains(out) || !fresh || reads || late))
      culprit = row.op;
  }
  Location loc = culprit ? culprit->getLoc() : group.getLoc();
  return formClause(loc, "single_assignment", ClauseClass::storage, !culprit,
                    "each buffer written once, before it is read",
                    culprit ? "a buffer written twice or updated in place"
                            : "such buffers");
}

/// What a row's operations compute is used for the same row only, and by all
/// with the same indices.
ClauseResult rowLocal(const RowGroup &group) {
  Operation *culprit = nullptr;
  llvm::DenseMap<Value, RowSource> written;
  for (RowOp row : group.ops)
    written.try_emplace(row.op.getDpsInits()[0], resultOf(row));
  for (RowOp row : group.ops)
    for (OpOperand &operand : row.op->getOpOperands()) {
      std::optional<RowSource> source = sourceOf(row, operand);
      auto it = source ? written.find(source->buffer) : written.end();
      if (!culprit && it != written.end() && !(it->second == *source))
        culprit = row.op;
    }
  return formClause(culprit ? culprit->getLoc() : group.getLoc(), "row_local",
                    ClauseClass::storage, !culprit,
                    "results used in the row that computes them",
                    culprit ? "a result of another row, or indexed otherwise"
                            : "such uses");
}

/// A fill of the output before the reduction, in the group.
ClauseResult filledBefore(const RowGroup &group, linalg::LinalgOp reduction) {
  bool found = false;
  for (RowOp row : group.ops) {
    if (row.op == reduction)
      break;
    found |= row.role == RowRole::initial &&
             row.op.getDpsInits()[0] == reduction.getDpsInits()[0];
  }
  return formClause(reduction.getLoc(), "dominating_fill", ClauseClass::storage,
                    found, "an output filled before, next to the reduction",
                    found ? "a fill" : "no such linalg.fill");
}

ClauseResult recoverable(const RowGroup &group) {
  bool all = llvm::all_of(group.temporaries(), [](Value buffer) {
    auto alloc = buffer.getDefiningOp<memref::AllocOp>();
    return alloc && alloc.getType().getLayout().isIdentity() &&
           !alloc.getType().getMemorySpace() && sizeSources(buffer);
  });
  return formClause(
      group.getLoc(), "size_recoverable", ClauseClass::layout, all,
      "temporaries sized by constants and dimensions of arguments",
      all ? "such sizes" : "a size of other origin");
}

void reductionClauses(const RowGroup &group,
                      SmallVectorImpl<ClauseResult> &results) {
  for (RowOp row : group.ops) {
    if (row.role != RowRole::reduction)
      continue;
    results.push_back(reductionReorderable(row.op));
    results.push_back(neutralElementKnown(row.op));
    results.push_back(filledBefore(group, row.op));
  }
}

/// Results share no byte with anything else that the group uses.
void aliasClauses(const RowGroup &group,
                  SmallVectorImpl<ClauseResult> &results) {
  llvm::SetVector<Value> buffers;
  for (RowOp row : group.ops)
    for (Value operand : row.op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        buffers.insert(operand);
  for (auto [position, buffer] : llvm::enumerate(buffers))
    for (Value other : llvm::drop_begin(buffers, position + 1))
      if (group.isWritten(buffer) || group.isWritten(other))
        results.push_back(noAlias(group.getLoc(), buffer, other));
}

/// Rows of whole vectors, which `divisible` sees to, begin where a vector may
/// if the buffer does.
ClauseResult alignedRows(const RowGroup &group, Value buffer, int64_t bytes) {
  ClauseResult result = alignedBase(group.getLoc(), buffer, bytes);
  auto type = cast<MemRefType>(buffer.getType());
  if (result.truth == Truth::proved ||
      !ShapedType::isDynamic(group.columns()) ||
      !type.getLayout().isIdentity() || knownAlignment(buffer) < bytes)
    return result;
  result.truth = Truth::proved;
  result.found = "an aligned buffer of contiguous rows of whole vectors";
  return result;
}

void vectorClauses(const RowGroup &group, int64_t vector,
                   const TargetInfo &target,
                   SmallVectorImpl<ClauseResult> &results) {
  Location loc = group.getLoc();
  results.push_back(formClause(
      loc, "vector_width", ClauseClass::hardware, llvm::isPowerOf2_64(vector),
      "vectors of a power of two elements", Twine(vector)));
  results.push_back(divisible(group.seed, group.rowRank, vector));
  llvm::SetVector<Value> buffers;
  for (RowOp row : group.ops)
    for (OpOperand &operand : row.op->getOpOperands()) {
      std::optional<RowSource> source = sourceOf(row, operand);
      if (source && source->hasColumn(group.rowRank) &&
          (!group.isWritten(source->buffer) || group.isOutput(source->buffer)))
        buffers.insert(source->buffer);
    }
  for (Value buffer : buffers) {
    auto type = cast<MemRefType>(buffer.getType());
    results.push_back(wholeBytes(loc, buffer));
    if (results.back().truth != Truth::proved)
      continue;
    int64_t bytes = std::min(target.globalVectorBytes,
                             vector * type.getElementTypeBitWidth() / 8);
    results.push_back(unitStrideInnermost(loc, buffer));
    results.push_back(alignedRows(group, buffer, bytes));
  }
}

} // namespace

void BlockRowReduction::clauses(ArrayRef<Operation *> targets,
                                DictionaryAttr params,
                                const StepContext &context,
                                SmallVectorImpl<ClauseResult> &results) const {
  auto op = cast<linalg::LinalgOp>(targets[0]);
  results.push_back(inHostForm(op));
  RowGroup group = collectRowGroup(op);
  bool found = !group.ops.empty();
  results.push_back(formClause(
      op.getLoc(), "row_reduction", ClauseClass::types, found,
      "an operation next to a reduction of the innermost loop alone, over the "
      "same rows",
      found ? "such an operation" : "no such reduction"));
  if (!found)
    return;
  int64_t threads = intParam(params, "threads");
  int64_t vector = intParam(params, "vector");
  results.push_back(threadLimit(op.getLoc(), {threads}, context.target));
  reductionClauses(group, results);
  results.push_back(singleAssignment(group));
  results.push_back(rowLocal(group));
  results.push_back(recoverable(group));
  aliasClauses(group, results);
  SmallVector<int64_t> grid(group.seed.getStaticLoopRanges());
  grid.pop_back();
  std::reverse(grid.begin(), grid.end());
  results.push_back(gridLimits(op.getLoc(), grid, context.target));
  if (intParam(params, "rows_in_registers") == 1) {
    results.push_back(staticExtent(group.seed, group.rowRank));
    results.push_back(registerEstimate(
        op.getLoc(), registersFor(group, threads, vector), context.target));
  }
  if (vector > 1)
    vectorClauses(group, vector, context.target, results);
}

FailureOr<StepOutcome>
BlockRowReduction::apply(RewriterBase &rewriter, ArrayRef<Operation *> targets,
                         DictionaryAttr params, const StepContext &context,
                         ArrayRef<ClauseResult> unknown) const {
  RowGroup group = collectRowGroup(cast<linalg::LinalgOp>(targets[0]));
  StepOutcome outcome;
  bool ordered = false;
  for (auto [stage, row] : llvm::enumerate(group.ops)) {
    if (row.op == targets[0])
      outcome.undoFacts.push_back(rewriter.getNamedAttr(
          "stage", rewriter.getI64IntegerAttr(int64_t(stage))));
    if (row.role == RowRole::reduction)
      ordered |= isa<arith::AddFOp, arith::MulFOp>(findCombiner(row.op));
  }
  outcome.undoFacts.push_back(
      rewriter.getNamedAttr("order_matters", rewriter.getBoolAttr(ordered)));
  RowShape shape = shapeOf(group, params, context.target);
  int64_t bytes = context.target.globalVectorBytes;
  scf::ForallOp rows;
  outcome.guarded = !unknown.empty();
  if (outcome.guarded) {
    outcome.undoFacts.push_back(
        rewriter.getNamedAttr("guarded", rewriter.getUnitAttr()));
    rows = emitGuardedRows(rewriter, group, shape, bytes);
  } else {
    rows = emitRows(rewriter, group, shape, bytes, outcome.undoFacts);
  }
  if (int64_t blocks = intParam(params, "min_blocks_per_sm"))
    rows->setAttr("klineage.min_blocks_per_sm",
                  rewriter.getI64IntegerAttr(blocks));
  outcome.locus = rows;
  outcome.handles = {{"loop", {rows}}};
  return outcome;
}

std::unique_ptr<StepKind> klineage::createBlockRowReduction() {
  return std::make_unique<BlockRowReduction>();
}
