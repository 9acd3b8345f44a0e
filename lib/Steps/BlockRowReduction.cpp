//===- BlockRowReduction.cpp - One block a row
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "RowGroup.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace klineage;

namespace {

class BlockRowReduction final : public StepKind {
public:
  StringRef getName() const override { return "block_row_reduction"; }
  StringRef getSummary() const override {
    return "Compute one row a block, with the row in registers";
  }
  /// Sums are added in another order; maxima do not care, but the kind is
  /// declared for all of its uses.
  Numerics getNumerics(DictionaryAttr) const override {
    return Numerics::reassociating;
  }
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override {
    FailureOr<linalg::LinalgOp> op = verifyLinalgTarget(targets, getName());
    if (failed(op))
      return failure();
    return success(succeeded(verifyRange(*op, params, "threads", 32, 1024)) &&
                   succeeded(verifyRange(*op, params, "vector", 1, 16)));
  }
  void clauses(ArrayRef<Operation *> targets, DictionaryAttr params,
               const StepContext &context,
               SmallVectorImpl<ClauseResult> &results) const override;
  FailureOr<StepOutcome> apply(RewriterBase &rewriter,
                               ArrayRef<Operation *> targets,
                               DictionaryAttr params, const StepContext &,
                               ArrayRef<ClauseResult>) const override {
    RowGroup group = collectRowGroup(cast<linalg::LinalgOp>(targets[0]));
    RowShape shape =
        shapeOf(group, intParam(params, "threads"), intParam(params, "vector"));
    StepOutcome outcome;
    scf::ForallOp rows = emitRows(rewriter, group, shape, outcome.undoFacts);
    outcome.locus = rows;
    outcome.handles = {{"loop", {rows}}};
    return outcome;
  }
  FailureOr<SmallVector<Operation *>> undo(RewriterBase &rewriter,
                                           Operation *locus,
                                           DictionaryAttr params,
                                           const StepContext &) const override {
    auto rows = dyn_cast<scf::ForallOp>(locus);
    if (!rows || !isBlockLoop(rows) || !threadLoopOf(rows))
      return locus->emitError()
             << "undo of " << getName() << " expects a loop over rows";
    FailureOr<Operation *> seed = raiseRows(rewriter, rows, params);
    if (failed(seed))
      return failure();
    return SmallVector<Operation *>{*seed};
  }
  SmallVector<MechanismFact> mechanism(DictionaryAttr params) const override {
    SmallVector<MechanismFact> facts{{"local", 0, 0}};
    if (intParam(params, "vector") > 1)
      facts.push_back({"vector_access", 1, -1});
    return facts;
  }
};

/// Every written buffer gets its value once, before any use of it.
ClauseResult singleAssignment(RowGroup &group) {
  Operation *culprit = nullptr;
  llvm::DenseSet<Value> read, written;
  for (RowOp row : group.ops) {
    for (Value input : row.op.getDpsInputs())
      read.insert(input);
    if (row.role == RowRole::initial)
      continue;
    Value out = row.op.getDpsInits()[0];
    bool reads =
        row.role == RowRole::matrix &&
        row.op.payloadUsesValueFromOperand(row.op.getDpsInitOperand(0));
    if (read.contains(out) || !written.insert(out).second || reads)
      culprit = row.op;
  }
  Location loc = culprit ? culprit->getLoc() : group.seed.getLoc();
  return formClause(loc, "single_assignment", ClauseClass::storage, !culprit,
                    "each buffer written once, before it is read",
                    culprit ? "a buffer written twice or updated in place"
                            : "so");
}

ClauseResult recoverable(RowGroup &group) {
  bool all = llvm::all_of(group.buffers(), [](Value buffer) {
    auto alloc = buffer.getDefiningOp<memref::AllocOp>();
    return isa<BlockArgument>(buffer) || (alloc && sizeSources(alloc));
  });
  return formClause(group.seed.getLoc(), "size_recoverable",
                    ClauseClass::layout, all,
                    "arguments, and temporaries sized by constants and "
                    "dimensions of arguments",
                    all ? "only these" : "another buffer");
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
  results.push_back(formClause(op.getLoc(), "row_reduction", ClauseClass::types,
                               found, "a reduction of the innermost loop alone",
                               found ? "one" : "another operation"));
  if (!found)
    return;
  int64_t threads = intParam(params, "threads"),
          vector = intParam(params, "vector");
  results.push_back(threadLimit(op.getLoc(), {threads}, context.target));
  for (RowOp row : group.ops) {
    if (row.role != RowRole::reduction)
      continue;
    results.push_back(reductionReorderable(row.op));
    results.push_back(neutralElementKnown(row.op));
    results.push_back(dominatingFill(row.op));
  }
  RowShape shape = shapeOf(group, threads, vector);
  results.push_back(formClause(op.getLoc(), "row_in_registers",
                               ClauseClass::hardware, shape.inRegisters(),
                               "a static row of at most 64 elements a thread",
                               ShapedType::isDynamic(shape.columns)
                                   ? Twine("a dynamic extent")
                                   : Twine(shape.columns) + " columns for " +
                                         Twine(threads) + " threads"));
  results.push_back(singleAssignment(group));
  results.push_back(recoverable(group));
  SmallVector<int64_t> grid(op.getStaticLoopRanges());
  grid.pop_back();
  std::reverse(grid.begin(), grid.end());
  results.push_back(gridLimits(op.getLoc(), grid, context.target));
  if (vector == 1)
    return;
  results.push_back(divisible(op, group.rowRank, vector));
  llvm::DenseSet<Value> seen;
  for (RowOp row : group.ops)
    for (OpOperand &operand : row.op->getOpOperands()) {
      Value buffer = operand.get();
      bool memory = isa<MemRefType>(buffer.getType()) &&
                    (!group.isWritten(buffer) || group.isOutput(buffer));
      if (!memory || !hasColumn(group, row.op, operand) ||
          !seen.insert(buffer).second)
        continue;
      int64_t bytes = std::min(
          context.target.globalVectorBytes,
          vector * cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() /
              8);
      results.push_back(alignedBase(row.op.getLoc(), buffer, bytes));
    }
}

std::unique_ptr<StepKind> klineage::createBlockRowReduction() {
  return std::make_unique<BlockRowReduction>();
}
