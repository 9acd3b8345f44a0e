//===- RegisterTile.cpp - An output tile kept in registers across a reduction
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace klineage;

namespace {

class RegisterTile final : public StepKind {
public:
  RegisterTile()
      : StepKind("register_tile",
                 "Keep an output tile in registers across its reduction") {}
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override {
    return failure(failed(verifyLinalgTarget(targets, getName())));
  }
  void clauses(ArrayRef<Operation *> targets, DictionaryAttr params,
               const StepContext &context,
               SmallVectorImpl<ClauseResult> &results) const override;
  bool canGuard(const ClauseResult &clause) const override {
    return clause.name == "static_extent";
  }
  FailureOr<StepOutcome> apply(RewriterBase &rewriter,
                               ArrayRef<Operation *> targets,
                               DictionaryAttr params,
                               const StepContext &context,
                               ArrayRef<ClauseResult> unknown) const override;
  /// Behind a guard, sizes that stay dynamic may index local memory.
  SmallVector<MechanismFact> mechanism(DictionaryAttr params) const override {
    if (params.get("guarded"))
      return {};
    return {{"local", 0, 0}};
  }
  FailureOr<SmallVector<Operation *>>
  undo(RewriterBase &rewriter, Operation *locus, DictionaryAttr params,
       const StepContext &context) const override;
};

/// The outermost serial loop around `op` that the tile does not depend on.
scf::ForOp reductionLoop(linalg::LinalgOp op) {
  Value tile = op.getDpsInits()[0];
  scf::ForOp outermost;
  for (Operation *parent = op->getParentOp(); isa<scf::ForOp>(parent);
       parent = parent->getParentOp()) {
    auto loop = cast<scf::ForOp>(parent);
    if (!loop.isDefinedOutsideOfLoop(tile))
      break;
    outermost = loop;
  }
  return outermost;
}

/// Where the tile is needed: around this operation.
Operation *regionOf(linalg::LinalgOp op) {
  scf::ForOp loop = reductionLoop(op);
  return loop ? loop.getOperation() : op.getOperation();
}

/// A fill of the same tile that nothing separates from `scope`.
linalg::FillOp initialFill(Value tile, Operation *scope) {
  for (Operation *op = scope->getPrevNode(); op; op = op->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(op);
    if (fill && fill.getOutputs()[0] == tile)
      return fill;
    if (findAccess(op, tile))
      return {};
  }
  return {};
}

} // namespace

void RegisterTile::clauses(ArrayRef<Operation *> targets, DictionaryAttr,
                           const StepContext &context,
                           SmallVectorImpl<ClauseResult> &results) const {
  auto op = cast<linalg::LinalgOp>(targets[0]);
  Location loc = op.getLoc();
  results.push_back(inSimtForm(op));
  bool one = op.getNumDpsInits() == 1;
  Value tile = one ? op.getDpsInits()[0] : Value();
  auto type = one ? dyn_cast<MemRefType>(tile.getType()) : MemRefType();
  bool memory = type && !isPrivate(type);
  results.push_back(formClause(loc, "one_output", ClauseClass::storage, memory,
                               "one output that is not in registers yet",
                               !one     ? "several outputs"
                               : memory ? "one"
                                        : "a private output"));
  if (!memory || results.front().truth != Truth::proved)
    return;
  results.push_back(wholeBytes(loc, tile));
  if (results.back().truth != Truth::proved)
    return;
  scf::ForallOp threads = enclosingThreadLoop(op);
  ClauseResult extent(loc);
  extent.name = "static_extent";
  extent.clauseClass = ClauseClass::layout;
  extent.engine = "folding";
  extent.expected = "a thread tile of constant size";
  bool guardable =
      hasGuardableTiles(threads) && isFullBehindGuard(threads, tile);
  extent.found = type.hasStaticShape() ? "a constant size"
                 : guardable           ? "a dynamic size"
                                       : "a tile that is partial for some "
                                         "threads";
  extent.truth = type.hasStaticShape() ? Truth::proved
                 : guardable           ? Truth::unknown
                                       : Truth::refuted;
  results.push_back(extent);
  if (type.hasStaticShape()) {
    // One register a 4-byte element, and as much again for operands.
    int64_t bytes = (type.getElementTypeBitWidth() + 7) / 8;
    int64_t registers = type.getNumElements() * std::max<int64_t>(bytes, 4) / 4;
    results.push_back(registerEstimate(loc, registers + 40, context.target));
  }
  scf::ForOp loop = reductionLoop(op);
  Operation *other = loop ? findAccess(loop, tile,
                                       [&](Operation *nested) {
                                         return nested == op.getOperation();
                                       })
                          : nullptr;
  // Its own inputs are read while the tile is in registers.
  for (Value input : op.getDpsInputs())
    if (isa<MemRefType>(input.getType()) && !provablyDistinct(input, tile))
      other = op;
  results.push_back(formClause(
      other ? other->getLoc() : loc, "sole_access", ClauseClass::storage,
      !other, "no other access to the output in the loop",
      other ? other->getName().getStringRef() : StringRef("none")));
}

FailureOr<StepOutcome>
RegisterTile::apply(RewriterBase &rewriter, ArrayRef<Operation *> targets,
                    DictionaryAttr, const StepContext &,
                    ArrayRef<ClauseResult> unknown) const {
  Operation *target = targets[0];
  StepOutcome outcome;
  outcome.guarded = !unknown.empty();
  if (outcome.guarded)
    target = guardFullTiles(rewriter, enclosingThreadLoop(target), target);
  auto op = cast<linalg::LinalgOp>(target);
  Location loc = op.getLoc();
  Value tile = op.getDpsInits()[0];
  auto type = cast<MemRefType>(tile.getType());
  SmallVector<int64_t> shape = boundedShape(tile);
  Operation *scope = regionOf(op);
  rewriter.setInsertionPoint(scope);
  linalg::FillOp fill = initialFill(tile, scope);
  if (fill)
    rewriter.setInsertionPoint(fill);
  auto registers = memref::AllocaOp::create(
      rewriter, loc, withSpace(type, shape, gpu::AddressSpace::Private));
  Value local = registers;
  if (!type.hasStaticShape())
    local = memref::CastOp::create(
        rewriter, loc,
        MemRefType::get(type.getShape(), type.getElementType(), AffineMap(),
                        registers.getType().getMemorySpace()),
        registers);
  if (fill) {
    rewriter.modifyOpInPlace(fill,
                             [&] { fill.getOutputsMutable().assign(local); });
  } else {
    linalg::CopyOp::create(rewriter, loc, tile, local);
  }
  rewriter.modifyOpInPlace(op, [&] { op.getDpsInitsMutable().assign(local); });
  rewriter.setInsertionPointAfter(scope);
  linalg::CopyOp::create(rewriter, loc, local, tile);
  if (outcome.guarded)
    outcome.undoFacts.push_back(
        rewriter.getNamedAttr("guarded", rewriter.getUnitAttr()));
  outcome.locus = op;
  outcome.handles = {{"target", {op}}};
  return outcome;
}

FailureOr<SmallVector<Operation *>>
RegisterTile::undo(RewriterBase &rewriter, Operation *locus,
                   DictionaryAttr params, const StepContext &) const {
  if (params.get("guarded")) {
    if (failed(removeGuard(rewriter, locus)))
      return failure();
    return SmallVector<Operation *>{};
  }
  auto op = dyn_cast<linalg::LinalgOp>(locus);
  auto local = op ? op.getDpsInits()[0].getDefiningOp<memref::AllocaOp>()
                  : memref::AllocaOp();
  if (!local)
    return locus->emitError()
           << "undo of " << getName() << " expects a private output";
  linalg::CopyOp in, out;
  linalg::FillOp fill;
  for (Operation *user : local->getUsers()) {
    if (auto copy = dyn_cast<linalg::CopyOp>(user))
      (copy.getOutputs()[0] == local.getResult() ? in : out) = copy;
    if (auto initial = dyn_cast<linalg::FillOp>(user))
      fill = initial;
  }
  if (!out)
    return locus->emitError()
           << "undo of " << getName() << " finds no copy of the tile to memory";
  Value tile = out.getOutputs()[0];
  // The view may stand at the copy, below the first use.
  if (Operation *view = tile.getDefiningOp())
    if (view->getBlock() == local->getBlock() && local->isBeforeInBlock(view))
      rewriter.moveOpBefore(view, local);
  rewriter.eraseOp(out);
  if (in)
    rewriter.eraseOp(in);
  rewriter.replaceAllUsesWith(local, tile);
  rewriter.eraseOp(local);
  return SmallVector<Operation *>{op};
}

std::unique_ptr<StepKind> klineage::createRegisterTile() {
  return std::make_unique<RegisterTile>();
}
