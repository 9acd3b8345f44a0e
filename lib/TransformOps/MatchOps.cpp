//===- MatchOps.cpp - Finding operations of a state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Utils.h"
#include "KLineage/TransformOps/KLineageTransformOps.h"
#include "KLineage/TransformOps/Match.h"
#include "KLineage/TransformOps/SkillRun.h"
#include "StepApplication.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace klineage;

//===----------------------------------------------------------------------===//
// Kinds of linalg operations
//===----------------------------------------------------------------------===//

static bool allParallel(linalg::LinalgOp op) {
  return op.getNumParallelLoops() == op.getNumLoops();
}

static bool isContraction(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op))
    return false;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  return succeeded(dims) && !dims->m.empty() && !dims->n.empty() &&
         !dims->k.empty();
}

/// A map whose results are distinct loops in increasing order, or constants.
static bool keepsLoopOrder(AffineMap map) {
  int64_t last = -1;
  for (AffineExpr expr : map.getResults()) {
    if (isa<AffineConstantExpr>(expr))
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || int64_t(dim.getPosition()) <= last)
      return false;
    last = dim.getPosition();
  }
  return true;
}

static bool isFill(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  return isa<linalg::FillOp>(op) ||
         (generic && linalg::isaFillOpInterface(generic).has_value());
}

static bool isElementwise(linalg::LinalgOp op) {
  return allParallel(op) && op.getNumDpsInputs() > 0 &&
         llvm::all_of(op.getIndexingMapsArray(), keepsLoopOrder);
}

static bool isTranspose(linalg::LinalgOp op) {
  return allParallel(op) && op.getNumDpsInputs() == 1 &&
         op.getNumDpsInits() == 1 &&
         op.getIndexingMapsArray()[0].isPermutation() &&
         op.getIndexingMapsArray()[1].isPermutation() &&
         op.getIndexingMapsArray()[0] != op.getIndexingMapsArray()[1];
}

static bool isRowReduction(linalg::LinalgOp op) {
  auto iterators = op.getIteratorTypesArray();
  return op.getNumReductionLoops() == 1 && op.getNumDpsInits() == 1 &&
         iterators.size() >= 2 &&
         iterators.back() == utils::IteratorType::reduction &&
         llvm::all_of(op.getIndexingMapsArray(), keepsLoopOrder);
}

bool klineage::isOfKind(Operation *op, StringRef kind) {
  if (kind == "block_loop")
    return isBlockLoop(op) && isa<func::FuncOp>(op->getParentOp());
  if (kind == "barrier")
    return isa<gpu::BarrierOp>(op);
  if (kind == "shared") {
    auto alloc = dyn_cast<memref::AllocOp>(op);
    return alloc &&
           gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(alloc.getType());
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureBufferSemantics())
    return false;
  if (kind == "contraction")
    return isContraction(linalgOp);
  if (kind == "fill")
    return isFill(linalgOp);
  if (kind == "transpose")
    return isTranspose(linalgOp);
  if (kind == "elementwise")
    return isElementwise(linalgOp) && !isFill(linalgOp);
  if (kind == "row_reduction")
    return isRowReduction(linalgOp) && !isContraction(linalgOp);
  return kind == "reduction" && linalgOp.getNumReductionLoops() > 0 &&
         !isRowReduction(linalgOp) && !isContraction(linalgOp);
}

//===----------------------------------------------------------------------===//
// Producers and consumers through buffers
//===----------------------------------------------------------------------===//

static bool writes(Operation *op, Value base) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  return dps && llvm::any_of(dps.getDpsInits(),
                             [&](Value init) { return baseOf(init) == base; });
}

SmallVector<Operation *> klineage::writersBefore(Operation *op, Value buffer) {
  SmallVector<Operation *> writers;
  Value base = baseOf(buffer);
  for (Operation &other : *op->getBlock()) {
    if (&other == op)
      break;
    if (writes(&other, base))
      writers.push_back(&other);
  }
  return writers;
}

bool klineage::isReadLater(Operation *op) {
  auto dps = cast<DestinationStyleOpInterface>(op);
  for (Value init : dps.getDpsInits()) {
    Value base = baseOf(init);
    for (Operation *later = op->getNextNode(); later;
         later = later->getNextNode()) {
      WalkResult found = later->walk([&](Operation *nested) {
        auto user = dyn_cast<DestinationStyleOpInterface>(nested);
        if (!user)
          return WalkResult::advance();
        for (OpOperand *input : user.getDpsInputOperands())
          if (baseOf(input->get()) == base)
            return WalkResult::interrupt();
        return WalkResult::advance();
      });
      if (found.wasInterrupted())
        return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static void
readOnlyEffects(Operation *op,
                SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(op->getOpOperands(), effects);
  transform::producesHandle(op->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
  // A condition without results is no dead code.
  if (op->getNumResults() == 0)
    effects.emplace_back(MemoryEffects::Write::get());
}

DiagnosedSilenceableFailure
transform::MatchKindOp::apply(transform::TransformRewriter &,
                              transform::TransformResults &,
                              transform::TransformState &state) {
  for (Operation *op : state.getPayloadOps(getTarget())) {
    if (!isOfKind(op, getKind()))
      return emitSilenceableError() << "is no " << getKind();
    if (getLast() && isReadLater(op))
      return emitSilenceableError() << "a later operation reads its result";
  }
  return DiagnosedSilenceableFailure::success();
}

void transform::MatchKindOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  readOnlyEffects(getOperation(), effects);
}

DiagnosedSilenceableFailure
transform::GetWritersOp::apply(transform::TransformRewriter &,
                               transform::TransformResults &results,
                               transform::TransformState &state) {
  SmallVector<Operation *> writers;
  for (Operation *op : state.getPayloadOps(getTarget())) {
    if (getOperand() >= op->getNumOperands())
      return emitSilenceableError() << "target has no operand " << getOperand();
    llvm::append_range(writers,
                       writersBefore(op, op->getOperand(getOperand())));
  }
  results.set(cast<OpResult>(getWriters()), writers);
  return DiagnosedSilenceableFailure::success();
}

void transform::GetWritersOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  readOnlyEffects(getOperation(), effects);
}

DiagnosedSilenceableFailure
transform::GetStructuredOp::apply(transform::TransformRewriter &,
                                  transform::TransformResults &results,
                                  transform::TransformState &state) {
  SmallVector<Operation *> found;
  for (Operation *op : state.getPayloadOps(getTarget()))
    op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
      bool wanted = getKindAttr() ? isOfKind(nested, *getKind())
                                  : isa<linalg::LinalgOp>(nested);
      if (wanted && !isOldCode(nested))
        found.push_back(nested);
    });
  results.set(cast<OpResult>(getFound()), found);
  return DiagnosedSilenceableFailure::success();
}

void transform::GetStructuredOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  readOnlyEffects(getOperation(), effects);
}

/// The fusion of one producer of `op` that fuse_producer takes; null if none
/// does. Fails if one that should do did not: then `op` is gone.
static FailureOr<Operation *> fuseOne(Operation *op, const StepKind &kind,
                                      transform::TransformRewriter &rewriter,
                                      transform::TransformState &state,
                                      StepRefusal &refusal) {
  auto dps = cast<DestinationStyleOpInterface>(op);
  for (OpOperand *input : dps.getDpsInputOperands()) {
    SmallVector<Operation *> writers = writersBefore(op, input->get());
    if (writers.empty())
      continue;
    refusal = {};
    FailureOr<AppliedStep> step =
        runStep(rewriter, state, kind, {writers.back(), op},
                DictionaryAttr::get(op->getContext()), refusal);
    if (succeeded(step) && !step->handles.empty() &&
        !step->handles.front().ops.empty())
      return step->handles.front().ops.front();
    if (succeeded(step) || refusal.isFault)
      return failure();
  }
  return nullptr;
}

DiagnosedSilenceableFailure
transform::FuseProducersOp::apply(transform::TransformRewriter &rewriter,
                                  transform::TransformResults &results,
                                  transform::TransformState &state) {
  const StepKind *kind = lookupStepKind("fuse_producer");
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  if (targets.size() != 1 || !isa<DestinationStyleOpInterface>(targets[0]))
    return emitSilenceableError() << "needs one linalg operation";
  Operation *current = targets[0];
  while (true) {
    StepRefusal refusal;
    FailureOr<Operation *> fused =
        fuseOne(current, *kind, rewriter, state, refusal);
    if (failed(fused)) {
      if (auto *run = state.getExtension<SkillRun>())
        run->record.refusal = refusal;
      return emitDefiniteFailure() << refusal.message;
    }
    if (!*fused)
      break;
    current = *fused;
  }
  results.set(cast<OpResult>(getFused()), {current});
  return DiagnosedSilenceableFailure::success();
}

void transform::FuseProducersOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}
