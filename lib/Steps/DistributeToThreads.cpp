//===- DistributeToThreads.cpp - A block program spread over the threads of its
// block
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Distribution.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace klineage;

namespace {

class DistributeToThreads final : public StepKind {
public:
  DistributeToThreads()
      : StepKind("distribute_to_threads",
                 "Distribute a block program over the threads of a block") {}
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override;
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

ThreadGrid gridOf(DictionaryAttr params) {
  ThreadGrid grid;
  grid.threads = intArrayParam(params, "threads");
  grid.chunk = intArrayParam(params, "chunk");
  grid.warps = intArrayParam(params, "warps");
  grid.vector = intParam(params, "vector", 1);
  return grid;
}

bool isContraction(linalg::LinalgOp op) {
  return linalg::isaContractionOpInterface(op) && parallelLoops(op).size() >= 2;
}

/// Contractions of a body, and everything that works on one of their outputs,
/// share one mapping: no data of theirs cross threads.
bool usesTiles(linalg::LinalgOp op, ArrayRef<Value> outputs,
               const ThreadGrid &grid) {
  if (grid.threads.size() < 2 || parallelLoops(op).size() < 2 ||
      isa<linalg::CopyOp>(op))
    return false;
  if (isContraction(op))
    return true;
  return op.getNumReductionLoops() == 0 &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return llvm::is_contained(outputs, operand);
         });
}

SmallVector<Value> contractionOutputs(scf::ForallOp loop) {
  SmallVector<Value> outputs;
  loop.walk([&](linalg::LinalgOp op) {
    if (isContraction(op))
      outputs.push_back(op.getDpsInits()[0]);
  });
  return outputs;
}

/// The first operation that a thread body cannot hold; null if there is none.
Operation *findForeign(scf::ForallOp loop) {
  Operation *foreign = nullptr;
  loop.getBody()->walk([&](Operation *op) {
    if (op->getParentOfType<linalg::LinalgOp>())
      return;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    bool known =
        (linalgOp && linalgOp.hasPureBufferSemantics()) ||
        isa<scf::ForOp, scf::YieldOp, scf::InParallelOp>(op) ||
        (isa<memref::AllocOp>(op) && isWorkgroup(op->getResult(0).getType())) ||
        (op->getNumRegions() == 0 && isMemoryEffectFree(op));
    auto serial = dyn_cast<scf::ForOp>(op);
    if (serial && serial.getNumResults() != 0)
      known = false;
    if (!known && !foreign)
      foreign = op;
  });
  return foreign;
}

/// Warps are numbered along x first; the lanes of each form a rectangle.
ClauseResult warpShape(Location loc, const ThreadGrid &grid,
                       const TargetInfo &target) {
  bool plane = grid.threads.size() >= 2 &&
               (grid.threads.size() == 2 || grid.threads[2] == 1);
  bool divides = plane && grid.threads[0] % grid.warps[0] == 0 &&
                 grid.threads[1] % grid.warps[1] == 0;
  int64_t x = divides ? grid.threads[0] / grid.warps[0] : 0,
          y = divides ? grid.threads[1] / grid.warps[1] : 0;
  return formClause(loc, "warp_shape", ClauseClass::hardware,
                    divides && x * y == target.warpSize,
                    "threads over warps a rectangle of " +
                        Twine(target.warpSize) + " lanes",
                    !plane     ? Twine("no threads along x and y alone")
                    : !divides ? Twine("threads that the warps do not divide")
                               : Twine(x) + " x " + Twine(y));
}

ArrayAttr threadMapping(MLIRContext *context, unsigned rank) {
  SmallVector<Attribute> mapping;
  for (unsigned dim = 0; dim < rank; ++dim)
    mapping.push_back(gpu::GPUThreadMappingAttr::get(
        context, static_cast<gpu::MappingId>(rank - 1 - dim)));
  return ArrayAttr::get(context, mapping);
}

} // namespace

LogicalResult DistributeToThreads::verify(ArrayRef<Operation *> targets,
                                          DictionaryAttr params) const {
  if (targets.size() != 1 || !isBlockLoop(targets[0]))
    return targets[0]->emitError() << getName() << " takes one block loop";
  if (failed(verifyRange(targets[0], params, "threads", 1, 1 << 20)) ||
      (params.get("vector") &&
       failed(verifyRange(targets[0], params, "vector", 1, 64))) ||
      (params.get("chunk") &&
       failed(verifyRange(targets[0], params, "chunk", 1, 1 << 10))) ||
      (params.get("warps") &&
       failed(verifyRange(targets[0], params, "warps", 1, 1 << 10))))
    return failure();
  ThreadGrid grid = gridOf(params);
  if (grid.threads.size() > 3 ||
      (!grid.chunk.empty() && grid.chunk.size() != 2) ||
      (!grid.warps.empty() && grid.warps.size() != 2))
    return targets[0]->emitError()
           << getName()
           << " takes 1 to 3 thread extents, 2 chunk extents and 2 numbers of "
              "warps";
  return success();
}

void DistributeToThreads::clauses(
    ArrayRef<Operation *> targets, DictionaryAttr params,
    const StepContext &context, SmallVectorImpl<ClauseResult> &results) const {
  auto loop = cast<scf::ForallOp>(targets[0]);
  ThreadGrid grid = gridOf(params);
  results.push_back(threadLimit(loop.getLoc(), grid.threads, context.target));
  if (!grid.warps.empty())
    results.push_back(warpShape(loop.getLoc(), grid, context.target));
  Operation *foreign = findForeign(loop);
  results.push_back(formClause(
      foreign ? foreign->getLoc() : loop.getLoc(), "distributable",
      ClauseClass::types, !foreign,
      "linalg operations, serial loops and pure operations in the body",
      foreign ? foreign->getName().getStringRef() : StringRef("only these")));
  SmallVector<Value> outputs = contractionOutputs(loop);
  loop.walk([&](linalg::LinalgOp op) {
    results.push_back(simpleMaps(op));
    for (int64_t dim : parallelLoops(op))
      results.push_back(disjointWrites(op, dim));
    if (!usesTiles(op, outputs, grid))
      return;
    SmallVector<int64_t> loops = parallelLoops(op);
    for (int64_t position : ArrayRef<int64_t>(loops).take_back(2)) {
      bool bounded = loopBound(op, position).has_value();
      results.push_back(
          formClause(op.getLoc(), "static_extent", ClauseClass::layout, bounded,
                     "loop " + Twine(position) + " of bounded extent",
                     bounded ? "a static bound" : "no bound"));
    }
    if (!grid.chunk.empty() && isContraction(op)) {
      bool split = canSplit(op, grid);
      results.push_back(
          formClause(op.getLoc(), "divisible", ClauseClass::layout, split,
                     "tile extents divisible by threads times chunk",
                     split ? "so" : "another extent, or a dynamic one"));
    }
  });
}

FailureOr<StepOutcome>
DistributeToThreads::apply(RewriterBase &rewriter,
                           ArrayRef<Operation *> targets, DictionaryAttr params,
                           const StepContext &, ArrayRef<ClauseResult>) const {
  auto block = cast<scf::ForallOp>(targets[0]);
  Location loc = block.getLoc();
  ThreadGrid grid = gridOf(params);
  SmallVector<Value> outputs = contractionOutputs(block);
  rewriter.setInsertionPoint(block.getBody()->getTerminator());
  SmallVector<OpFoldResult> extents;
  for (int64_t extent : llvm::reverse(grid.threads))
    extents.push_back(rewriter.getIndexAttr(extent));
  auto threads = scf::ForallOp::create(
      rewriter, loc, extents, ValueRange(),
      threadMapping(rewriter.getContext(), grid.threads.size()));
  SmallVector<Value> ivs = threads.getInductionVars();
  grid.ids.assign(ivs.rbegin(), ivs.rend());
  rewriter.setInsertionPointToStart(threads.getBody());
  grid.arrangeTiles(rewriter, loc);
  for (Operation &op : llvm::make_early_inc_range(*block.getBody()))
    if (&op != threads && &op != block.getBody()->getTerminator() &&
        !isa<memref::AllocOp>(op))
      rewriter.moveOpBefore(&op, threads.getBody()->getTerminator());

  SmallVector<linalg::LinalgOp> ops;
  threads.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  DenseMap<Operation *, SmallVector<Access>> accesses;
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    Distributed result;
    if (parallelLoops(op).empty())
      result = distributeSingle(rewriter, op, grid);
    else if (usesTiles(op, outputs, grid))
      result = distributeTiles(rewriter, op, grid);
    else
      result = distributeRows(rewriter, op, grid);
    accesses[result.top] = std::move(result.accesses);
    rewriter.eraseOp(op);
  }
  placeBarriers(rewriter, *threads.getBody(), accesses);
  StepOutcome outcome;
  outcome.locus = threads;
  outcome.handles = {{"loop", {threads}}};
  return outcome;
}

FailureOr<SmallVector<Operation *>>
DistributeToThreads::undo(RewriterBase &rewriter, Operation *locus,
                          DictionaryAttr params, const StepContext &) const {
  auto threads = dyn_cast<scf::ForallOp>(locus);
  if (!threads || !isThreadLoop(threads) || !enclosingBlockLoop(threads))
    return locus->emitError() << "undo of " << getName()
                              << " expects a thread loop in a block loop";
  scf::ForallOp block = enclosingBlockLoop(threads);
  ThreadGrid grid = gridOf(params);
  SmallVector<linalg::LinalgOp> ops;
  SmallVector<Operation *> barriers;
  threads.walk([&](Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      ops.push_back(linalgOp);
    if (isa<gpu::BarrierOp>(op))
      barriers.push_back(op);
  });
  for (linalg::LinalgOp op : ops)
    if (failed(undistribute(rewriter, op, grid)))
      return failure();
  for (Operation *barrier : barriers)
    rewriter.eraseOp(barrier);
  rewriter.setInsertionPoint(threads);
  Value zero = arith::ConstantIndexOp::create(rewriter, threads.getLoc(), 0);
  for (Value id : threads.getInductionVars())
    rewriter.replaceAllUsesWith(id, zero);
  for (Operation &op :
       llvm::make_early_inc_range(threads.getBody()->without_terminator()))
    rewriter.moveOpBefore(&op, threads);
  rewriter.eraseOp(threads);
  return SmallVector<Operation *>{block};
}

std::unique_ptr<StepKind> klineage::createDistributeToThreads() {
  return std::make_unique<DistributeToThreads>();
}
