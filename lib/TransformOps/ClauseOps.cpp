//===- ClauseOps.cpp - Legality conditions as transform operations
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Utils.h"
#include "KLineage/TransformOps/KLineageTransformOps.h"
#include "KLineage/TransformOps/SkillRun.h"
#include "StepApplication.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace klineage;

static int64_t integer(DictionaryAttr params, StringRef name) {
  auto value = params.getAs<IntegerAttr>(name);
  return value ? value.getInt() : 0;
}

/// Runs `evaluate` on a linalg payload, or refutes that it is one.
template <typename Evaluate>
static ClauseResult onLinalg(Operation *payload, StringRef clause,
                             Evaluate evaluate) {
  if (auto op = dyn_cast<linalg::LinalgOp>(payload))
    return evaluate(op);
  return formClause(payload->getLoc(), clause, ClauseClass::types, false,
                    "a linalg operation", payload->getName().getStringRef());
}

/// Runs `evaluate` on a memref operand, or refutes that it is one.
template <typename Evaluate>
static ClauseResult onOperand(Operation *payload, DictionaryAttr params,
                              StringRef clause, Evaluate evaluate) {
  int64_t operand = integer(params, "operand");
  if (operand >= 0 && operand < int64_t(payload->getNumOperands()) &&
      isa<MemRefType>(payload->getOperand(operand).getType()))
    return evaluate(payload->getOperand(operand));
  return formClause(payload->getLoc(), clause, ClauseClass::types, false,
                    "operand " + Twine(operand) + " to be a memref",
                    payload->getName().getStringRef());
}

ClauseResult transform::RequireAlignedOp::evaluate(Operation *payload,
                                                   DictionaryAttr params,
                                                   const StepContext &) {
  return onOperand(payload, params, "aligned", [&](Value buffer) {
    return alignedBase(payload->getLoc(), buffer, integer(params, "bytes"));
  });
}

ClauseResult
transform::RequireChipFeatureOp::evaluate(Operation *payload, DictionaryAttr,
                                          const StepContext &context) {
  return chipFeature(payload->getLoc(), getFeature(), context.target);
}

ClauseResult transform::RequireDivisibleOp::evaluate(Operation *payload,
                                                     DictionaryAttr params,
                                                     const StepContext &) {
  return onLinalg(payload, "divisible", [&](linalg::LinalgOp op) {
    return divisible(op, integer(params, "dim"), integer(params, "factor"));
  });
}

ClauseResult transform::RequireLoopParallelOp::evaluate(Operation *payload,
                                                        DictionaryAttr params,
                                                        const StepContext &) {
  return onLinalg(payload, "loop_parallel", [&](linalg::LinalgOp op) {
    return loopParallel(op, integer(params, "dim"));
  });
}

ClauseResult transform::RequireReorderableOp::evaluate(Operation *payload,
                                                       DictionaryAttr,
                                                       const StepContext &) {
  return onLinalg(payload, "reduction_reorderable", reductionReorderable);
}

ClauseResult transform::RequireStaticExtentOp::evaluate(Operation *payload,
                                                        DictionaryAttr params,
                                                        const StepContext &) {
  return onLinalg(payload, "static_extent", [&](linalg::LinalgOp op) {
    return staticExtent(op, integer(params, "dim"));
  });
}

ClauseResult transform::RequireUnitStrideOp::evaluate(Operation *payload,
                                                      DictionaryAttr params,
                                                      const StepContext &) {
  return onOperand(payload, params, "unit_stride", [&](Value buffer) {
    return unitStrideInnermost(payload->getLoc(), buffer);
  });
}

ClauseResult transform::RequireDisjointWritesOp::evaluate(Operation *payload,
                                                          DictionaryAttr params,
                                                          const StepContext &) {
  return onLinalg(payload, "disjoint_writes", [&](linalg::LinalgOp op) {
    return disjointWrites(op, integer(params, "dim"));
  });
}

ClauseResult transform::RequireDominatingFillOp::evaluate(Operation *payload,
                                                          DictionaryAttr,
                                                          const StepContext &) {
  return onLinalg(payload, "dominating_fill", dominatingFill);
}

ClauseResult transform::RequireGridLimitsOp::evaluate(
    Operation *payload, DictionaryAttr params, const StepContext &context) {
  return gridLimits(payload->getLoc(), intArrayParam(params, "grid"),
                    context.target);
}

ClauseResult transform::RequireNeutralElementOp::evaluate(Operation *payload,
                                                          DictionaryAttr,
                                                          const StepContext &) {
  return onLinalg(payload, "neutral_element", neutralElementKnown);
}

ClauseResult transform::RequireNoAliasOp::evaluate(Operation *payload,
                                                   DictionaryAttr params,
                                                   const StepContext &) {
  return onOperand(payload, params, "no_alias", [&](Value buffer) {
    int64_t other = integer(params, "other");
    bool exists = other >= 0 && other < int64_t(payload->getNumOperands()) &&
                  isa<MemRefType>(payload->getOperand(other).getType());
    return exists
               ? noAlias(payload->getLoc(), buffer, payload->getOperand(other))
               : formClause(payload->getLoc(), "no_alias", ClauseClass::storage,
                            false,
                            "operand " + Twine(other) + " to be a memref",
                            payload->getName().getStringRef());
  });
}

ClauseResult transform::RequireNotWrittenOp::evaluate(Operation *payload,
                                                      DictionaryAttr params,
                                                      const StepContext &) {
  return onOperand(payload, params, "not_written_in_region", [&](Value buffer) {
    return notWrittenIn(*payload->getParentRegion(), buffer, payload->getLoc());
  });
}

ClauseResult transform::RequireRegisterEstimateOp::evaluate(
    Operation *payload, DictionaryAttr params, const StepContext &context) {
  return registerEstimate(payload->getLoc(), integer(params, "registers"),
                          context.target);
}

ClauseResult transform::RequireSharedCapacityOp::evaluate(
    Operation *payload, DictionaryAttr params, const StepContext &context) {
  return sharedCapacity(payload->getLoc(), integer(params, "bytes"),
                        context.target);
}

ClauseResult transform::RequireThreadLimitOp::evaluate(
    Operation *payload, DictionaryAttr params, const StepContext &context) {
  return threadLimit(payload->getLoc(), intArrayParam(params, "threads"),
                     context.target);
}

ClauseResult transform::RequireWholeBytesOp::evaluate(Operation *payload,
                                                      DictionaryAttr params,
                                                      const StepContext &) {
  return onOperand(payload, params, "whole_bytes", [&](Value buffer) {
    return wholeBytes(payload->getLoc(), buffer);
  });
}

//===----------------------------------------------------------------------===//
// The one way in which clauses apply
//===----------------------------------------------------------------------===//

static DiagnosedSilenceableFailure
applyClause(ClauseOpInterface clause, bool orUnknown,
            transform::TransformState &state) {
  Operation *op = clause.getOperation();
  FailureOr<DictionaryAttr> params = resolvedParams(op, state);
  if (failed(params))
    return emitDefiniteFailure(op)
           << "refers to a knob, but runs outside of a skill";
  for (Operation *payload : state.getPayloadOps(op->getOperand(0))) {
    ClauseResult result = clause.evaluate(payload, *params, contextOf(state));
    if (result.truth == Truth::proved ||
        (orUnknown && result.truth == Truth::unknown))
      continue;
    StepRefusal refusal;
    refusal.kind = "requires";
    refusal.message = "clause '" + result.name + "' is " +
                      stringifyTruth(result.truth).str() + ": expected " +
                      result.expected + ", found " + result.found;
    refusal.clauses.push_back(result);
    if (auto *run = state.getExtension<SkillRun>())
      run->record.refusal = refusal;
    return refuse(op, refusal);
  }
  return DiagnosedSilenceableFailure::success();
}

/// A clause reads only, but is no dead code: canonicalization must not drop the
/// conditions of a skill.
static void
clauseEffects(OpOperand &target,
              SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(target, effects);
  transform::onlyReadsPayload(effects);
  effects.emplace_back(MemoryEffects::Write::get());
}

#define KLINEAGE_CLAUSE_OP(OP)                                                 \
  DiagnosedSilenceableFailure transform::OP::apply(                            \
      transform::TransformRewriter &, transform::TransformResults &,           \
      transform::TransformState &state) {                                      \
    return applyClause(cast<ClauseOpInterface>(getOperation()),                \
                       getOrUnknown(), state);                                 \
  }                                                                            \
  void transform::OP::getEffects(                                              \
      SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {               \
    clauseEffects(getTargetMutable(), effects);                                \
  }

KLINEAGE_CLAUSE_OP(RequireAlignedOp)
KLINEAGE_CLAUSE_OP(RequireBankConflictDegreeOp)
KLINEAGE_CLAUSE_OP(RequireChipFeatureOp)
KLINEAGE_CLAUSE_OP(RequireDisjointWritesOp)
KLINEAGE_CLAUSE_OP(RequireDivisibleOp)
KLINEAGE_CLAUSE_OP(RequireDominatingFillOp)
KLINEAGE_CLAUSE_OP(RequireGridLimitsOp)
KLINEAGE_CLAUSE_OP(RequireLoopParallelOp)
KLINEAGE_CLAUSE_OP(RequireNeutralElementOp)
KLINEAGE_CLAUSE_OP(RequireNoAliasOp)
KLINEAGE_CLAUSE_OP(RequireNotWrittenOp)
KLINEAGE_CLAUSE_OP(RequireRegisterEstimateOp)
KLINEAGE_CLAUSE_OP(RequireReorderableOp)
KLINEAGE_CLAUSE_OP(RequireSharedCapacityOp)
KLINEAGE_CLAUSE_OP(RequireStaticExtentOp)
KLINEAGE_CLAUSE_OP(RequireThreadLimitOp)
KLINEAGE_CLAUSE_OP(RequireUnitStrideOp)
KLINEAGE_CLAUSE_OP(RequireWholeBytesOp)
