//===- Normalize.cpp - The one canonical spelling of a state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/State/State.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace klineage;

/// Patterns of the dialects that compute addresses and sizes. Not those of scf:
/// they delete loops of one trip, and with them the place that undo needs.
static FrozenRewritePatternSet collectPatterns(MLIRContext *context) {
  RewritePatternSet patterns(context);
  for (StringRef name : {"arith", "affine", "memref", "index"})
    if (Dialect *dialect = context->getLoadedDialect(name))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name : context->getRegisteredOperations()) {
    StringRef dialect = name.getDialectNamespace();
    if (dialect == "arith" || dialect == "affine" || dialect == "memref" ||
        dialect == "index")
      name.getCanonicalizationPatterns(patterns, context);
  }
  return patterns;
}

static bool isAllocation(Operation *op) {
  return isa<memref::AllocOp, memref::AllocaOp>(op);
}

static Value viewedBy(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Collects all operations that can only write to `buffer`, a view of `root`,
/// or view it. False if one of them reads it, but for `root`'s own next value,
/// or may do something else.
static bool onlyWritten(Value buffer, Value root,
                        SetVector<Operation *> &users) {
  for (OpOperand &use : buffer.getUses()) {
    Operation *user = use.getOwner();
    if (isa<ViewLikeOpInterface>(user)) {
      if (!onlyWritten(user->getResult(0), root, users))
        return false;
      users.insert(user);
      continue;
    }
    auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
    if (!linalgOp || linalgOp.getNumDpsInits() != 1 ||
        viewedBy(linalgOp.getDpsInits().front()) != root)
      return false;
    users.insert(user);
  }
  return true;
}

/// A temporary that nobody reads, and the operations that fill it, are dead.
static bool eraseDeadTemporaries(ModuleOp state, RewriterBase &rewriter) {
  bool changed = false;
  SmallVector<Operation *> allocs;
  state.walk([&](Operation *op) {
    if (isAllocation(op))
      allocs.push_back(op);
  });
  for (Operation *alloc : llvm::reverse(allocs)) {
    SetVector<Operation *> users;
    if (!onlyWritten(alloc->getResult(0), alloc->getResult(0), users))
      continue;
    // A view is inserted after its users, so this order erases uses first.
    for (Operation *user : users)
      rewriter.eraseOp(user);
    rewriter.eraseOp(alloc);
    changed = true;
  }
  return changed;
}

/// Operations that may stand anywhere between their operands and their users.
static bool isMovable(Operation *op) {
  return isAllocation(op) ||
         (op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
          !op->hasTrait<OpTrait::IsTerminator>());
}

namespace {
/// Reorders each block so that a movable operation stands right before the
/// first operation that needs it, operands in order. The result depends on the
/// uses alone, not on the history of rewrites.
class CanonicalOrder {
public:
  static void run(Block &block) {
    CanonicalOrder order(block);
    for (Operation *op : order.fixed)
      order.place(op);
    for (Operation *op : order.sequence)
      op->moveBefore(&block, block.end());
  }

private:
  explicit CanonicalOrder(Block &block) : block(block) {
    for (Operation &op : block)
      if (!isMovable(&op))
        fixed.push_back(&op);
  }

  void place(Operation *op) {
    if (!placed.insert(op).second)
      return;
    op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (def->getBlock() == &block && def != op)
            place(def);
    });
    sequence.push_back(op);
  }

  Block &block;
  SmallVector<Operation *> fixed, sequence;
  DenseSet<Operation *> placed;
};
} // namespace

static void orderBlocks(ModuleOp state) {
  SmallVector<Block *> blocks;
  state.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        // Graph-like module bodies hold symbols only; their order is the
        // user's.
        if (!isa<ModuleOp>(op) && block.mightHaveTerminator())
          blocks.push_back(&block);
  });
  // Inner blocks first: the order of an outer one follows the uses in them.
  for (Block *block : llvm::reverse(blocks))
    CanonicalOrder::run(*block);
}

/// Drops results of affine.min and affine.max that bounds of the operands (of
/// loop indices, mostly) rule out; patterns cannot see these.
static void simplifyBounds(ModuleOp state, RewriterBase &rewriter) {
  SmallVector<Operation *> ops;
  state.walk([&](Operation *op) {
    if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (auto min = dyn_cast<affine::AffineMinOp>(op))
      affine::simplifyAffineMinOp(rewriter, min);
    else
      affine::simplifyAffineMaxOp(rewriter, cast<affine::AffineMaxOp>(op));
  }
}

LogicalResult klineage::normalizeState(ModuleOp state,
                                       RewriterBase::Listener *listener) {
  FrozenRewritePatternSet patterns = collectPatterns(state.getContext());
  GreedyRewriteConfig config;
  config.enableConstantCSE().setListener(listener);
  IRRewriter rewriter(state.getContext(), listener);
  for (int round = 0; round < 2; ++round) {
    simplifyBounds(state, rewriter);
    if (failed(applyPatternsGreedily(state, patterns, config)))
      return state.emitError("canonicalization does not reach a fixed point");
    state.walk([](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
    while (eraseDeadTemporaries(state, rewriter))
      ;
    DominanceInfo dominance;
    eliminateCommonSubExpressions(rewriter, dominance, state);
  }
  orderBlocks(state);
  return success();
}
