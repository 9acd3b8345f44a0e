//===- StepOps.cpp - The one way in which step operations apply
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/TransformOps/KLineageTransformOps.h"
#include "KLineage/TransformOps/SkillRun.h"
#include "StepApplication.h"

using namespace mlir;
using namespace klineage;

ModuleOp klineage::payloadModule(transform::TransformState &state) {
  Operation *top = state.getTopLevel();
  while (auto parent = top->getParentOfType<ModuleOp>())
    top = parent;
  return dyn_cast<ModuleOp>(top);
}

/// For interpreters other than a skill's run.
static const TargetInfo &targetOf(ModuleOp module) {
  const TargetInfo *target = nullptr;
  if (auto chip = module->getAttrOfType<StringAttr>("klineage.target"))
    target = lookupTarget(chip.getValue());
  return target ? *target : *lookupTarget("sm_80");
}

StepContext klineage::contextOf(transform::TransformState &state) {
  if (auto *run = state.getExtension<SkillRun>())
    return run->context;
  return StepContext{targetOf(payloadModule(state)), /*allowGuards=*/true};
}

FailureOr<DictionaryAttr>
klineage::resolvedParams(Operation *op, transform::TransformState &state,
                         ArrayRef<StringRef> skip) {
  auto *run = state.getExtension<SkillRun>();
  SmallVector<NamedAttribute> params;
  for (NamedAttribute attr : op->getAttrs()) {
    if (llvm::is_contained(skip, attr.getName().getValue()))
      continue;
    Attribute value =
        resolveKnobs(attr.getValue(), run ? run->knobs : DictionaryAttr());
    if (!value)
      return failure();
    params.emplace_back(attr.getName(), value);
  }
  return DictionaryAttr::get(op->getContext(), params);
}

DiagnosedSilenceableFailure klineage::refuse(Operation *op,
                                             const StepRefusal &refusal) {
  DiagnosedSilenceableFailure result = emitSilenceableFailure(op->getLoc())
                                       << refusal.message;
  for (const ClauseResult &clause : refusal.clauses)
    if (clause.truth != Truth::proved)
      result.attachNote(clause.loc)
          << "clause '" << clause.name << "' is "
          << stringifyTruth(clause.truth) << ": expected " << clause.expected
          << ", found " << clause.found;
  return result;
}

FailureOr<AppliedStep> klineage::runStep(transform::TransformRewriter &rewriter,
                                         transform::TransformState &state,
                                         const StepKind &kind,
                                         ArrayRef<Operation *> targets,
                                         DictionaryAttr params,
                                         StepRefusal &refusal) {
  ModuleOp module = payloadModule(state);
  auto *run = state.getExtension<SkillRun>();
  FailureOr<AppliedStep> step = applyStep(
      module, kind, targets, params, contextOf(state), refusal,

      dyn_cast_if_present<RewriterBase::Listener>(rewriter.getListener()));
  if (succeeded(step) && run) {
    run->record.steps.push_back(*step);
    // Operations of a recorded step do not outlive the next rewrite.
    run->record.steps.back().handles.clear();
  }
  return step;
}

/// Kinds work on one group of targets: the payload of all operands together.
static DiagnosedSilenceableFailure
applyStepOp(Operation *op, transform::TransformRewriter &rewriter,
            transform::TransformResults &results,
            transform::TransformState &state) {
  StringRef name = op->getName().stripDialect();
  name.consume_front("klineage.");
  const StepKind *kind = lookupStepKind(name);
  if (!kind)
    return emitDefiniteFailure(op) << "no step kind '" << name << "'";
  if (!payloadModule(state))
    return emitDefiniteFailure(op) << "payload is in no module";
  FailureOr<DictionaryAttr> params = resolvedParams(op, state);
  if (failed(params))
    return emitDefiniteFailure(op)
           << "refers to a knob, but runs outside of a skill";
  SmallVector<Operation *> targets;
  for (Value operand : op->getOperands())
    llvm::append_range(targets, state.getPayloadOps(operand));
  if (targets.empty())
    return emitSilenceableFailure(op) << name << " has no target";

  StepRefusal refusal;
  FailureOr<AppliedStep> step =
      runStep(rewriter, state, *kind, targets, *params, refusal);
  if (failed(step)) {
    if (auto *run = state.getExtension<SkillRun>())
      run->record.refusal = refusal;
    // No handle is valid any more.
    if (refusal.isFault)
      return emitDefiniteFailure(op) << refusal.message;
    return refuse(op, refusal);
  }
  if (op->getNumResults() > step->handles.size())
    return emitDefiniteFailure(op)
           << "asks for " << op->getNumResults() << " handles, " << name
           << " gives " << step->handles.size();
  for (OpResult result : op->getOpResults())
    results.set(result, step->handles[result.getResultNumber()].ops);
  return DiagnosedSilenceableFailure::success();
}

static void
stepEffects(Operation *op,
            SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(op->getOpOperands(), effects);
  transform::producesHandle(op->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

#define KLINEAGE_STEP_OP(OP)                                                   \
  DiagnosedSilenceableFailure transform::OP::apply(                            \
      transform::TransformRewriter &rewriter,                                  \
      transform::TransformResults &results,                                    \
      transform::TransformState &state) {                                      \
    return applyStepOp(getOperation(), rewriter, results, state);              \
  }                                                                            \
  void transform::OP::getEffects(                                              \
      SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {               \
    stepEffects(getOperation(), effects);                                      \
  }

KLINEAGE_STEP_OP(AsyncCopyStep)
KLINEAGE_STEP_OP(BlockRowReductionStep)
KLINEAGE_STEP_OP(DistributeToThreadsStep)
KLINEAGE_STEP_OP(FastMathStep)
KLINEAGE_STEP_OP(FuseProducerStep)
KLINEAGE_STEP_OP(PadSharedStep)
KLINEAGE_STEP_OP(PromoteSharedStep)
KLINEAGE_STEP_OP(RegisterTileStep)
KLINEAGE_STEP_OP(RemoveBarrierStep)
KLINEAGE_STEP_OP(SplitReductionStep)
KLINEAGE_STEP_OP(StripMineReductionStep)
KLINEAGE_STEP_OP(SwizzleSharedStep)
KLINEAGE_STEP_OP(TileToBlocksStep)
KLINEAGE_STEP_OP(UnrollStep)
KLINEAGE_STEP_OP(VectorizeAccessStep)
