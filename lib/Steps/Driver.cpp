//===- Driver.cpp - Applying and undoing one step
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/State/State.h"
#include "KLineage/Steps/StepKind.h"
#include "KLineage/Support/CapturedError.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace klineage;

StepKind::~StepKind() = default;

static constexpr StringLiteral kMark = "klineage.mark";

namespace {
/// Follows operations through normalization by a temporary attribute.
class Marks {
public:
  void add(Operation *op) {
    auto [it, inserted] = numbers.try_emplace(op, numbers.size());
    if (inserted)
      op->setAttr(kMark,
                  Builder(op->getContext()).getI64IntegerAttr(it->second));
  }

  /// Removes the attributes; afterwards `lookup` finds the operations of now.
  void resolve(ModuleOp module) {
    module.walk([&](Operation *op) {
      if (auto mark = op->getAttrOfType<IntegerAttr>(kMark)) {
        current[mark.getInt()] = op;
        op->removeAttr(kMark);
      }
    });
  }

  Operation *lookup(Operation *before) const {
    auto number = numbers.find(before);
    return number == numbers.end() ? nullptr : current.lookup(number->second);
  }

private:
  llvm::MapVector<Operation *, int64_t> numbers;
  DenseMap<int64_t, Operation *> current;
};
} // namespace

static std::string clauseText(const ClauseResult &clause) {
  std::string text = "clause '" + clause.name + "' is " +
                     stringifyTruth(clause.truth).str() + ": expected " +
                     clause.expected + ", found " + clause.found;
  if (clause.truth == Truth::refuted && !clause.nearestLegal.empty())
    text += "; nearest legal: " + clause.nearestLegal;
  return text;
}

/// Splits the clauses: a refusal, or those that must become a guard.
static LogicalResult decide(const StepKind &kind, const StepContext &context,
                            StepRefusal &refusal,
                            SmallVectorImpl<ClauseResult> &guards) {
  for (const ClauseResult &clause : refusal.clauses) {
    if (clause.truth == Truth::proved)
      continue;
    bool guard = clause.truth == Truth::unknown && context.allowGuards &&
                 kind.canGuard(clause);
    if (!guard) {
      refusal.message = clauseText(clause);
      return failure();
    }
    guards.push_back(clause);
  }
  return success();
}

/// The rewrite itself, normalized and verified.
static FailureOr<StepOutcome>
rewrite(ModuleOp state, const StepKind &kind, ArrayRef<Operation *> targets,
        DictionaryAttr params, const StepContext &context,
        ArrayRef<ClauseResult> guards, RewriterBase::Listener *listener) {
  IRRewriter rewriter(state.getContext(), listener);
  FailureOr<StepOutcome> outcome =
      kind.apply(rewriter, targets, params, context, guards);
  if (failed(outcome))
    return failure();
  Marks marks;
  marks.add(outcome->locus);
  for (StepHandle &handle : outcome->handles)
    for (Operation *op : handle.ops)
      marks.add(op);
  LogicalResult normalized = normalizeState(state, listener);
  marks.resolve(state);
  outcome->locus = marks.lookup(outcome->locus);
  for (StepHandle &handle : outcome->handles) {
    SmallVector<Operation *> alive;
    for (Operation *op : handle.ops)
      if (Operation *now = marks.lookup(op))
        alive.push_back(now);
    handle.ops = alive;
  }
  if (failed(normalized) || failed(verify(state)))
    return failure();
  if (!outcome->locus)
    return state.emitError(kind.getName()) << " left nothing to undo";
  return outcome;
}

FailureOr<AppliedStep> klineage::applyStep(ModuleOp state, const StepKind &kind,
                                           ArrayRef<Operation *> targets,
                                           DictionaryAttr params,
                                           const StepContext &context,
                                           StepRefusal &refusal,
                                           RewriterBase::Listener *listener) {
  refusal.kind = kind.getName().str();
  CapturedError error(state.getContext());
  auto refuse = [&]() -> FailureOr<AppliedStep> {
    refusal.message = (kind.getName() + ": " + error.text).str();
    return failure();
  };
  if (targets.empty()) {
    refusal.message = kind.getName().str() + ": no target";
    return failure();
  }
  if (failed(kind.verify(targets, params)))
    return refuse();
  AppliedStep step;
  step.kind = kind.getName().str();
  for (Operation *target : targets)
    step.targets.push_back(locusOf(state, target));
  kind.clauses(targets, params, context, refusal.clauses);
  SmallVector<ClauseResult> guards;
  if (failed(decide(kind, context, refusal, guards)))
    return failure();

  step.before = hashState(state);
  OwningOpRef<ModuleOp> backup = state.clone();
  FailureOr<StepOutcome> outcome =
      rewrite(state, kind, targets, params, context, guards, listener);
  if (failed(outcome)) {
    state.getBodyRegion().takeBody(backup->getBodyRegion());
    refusal.isFault = true;
    return refuse();
  }
  NamedAttrList recorded(params);
  for (NamedAttribute fact : outcome->undoFacts)
    recorded.set(fact.getName(), fact.getValue());
  step.params = recorded.getDictionary(state.getContext());
  step.undoLocus = locusOf(state, outcome->locus);
  step.after = hashState(state);
  step.numerics = kind.getNumerics(step.params);
  step.guarded = outcome->guarded;
  step.clauses = refusal.clauses;
  step.handles = std::move(outcome->handles);
  return step;
}

/// Applies the step again on a copy of the undone state and compares hashes.
static LogicalResult confirm(ModuleOp undone, const StepKind &kind,
                             const AppliedStep &step,
                             const StepContext &context) {
  OwningOpRef<ModuleOp> copy = undone.clone();
  SmallVector<Operation *> targets;
  for (int64_t locus : step.targets) {
    Operation *target = opAtLocus(*copy, locus);
    if (!target)
      return undone.emitError("undo of ") << step.kind << " lost its target";
    targets.push_back(target);
  }
  StepRefusal refusal;
  FailureOr<AppliedStep> again =
      applyStep(*copy, kind, targets, step.params, context, refusal);
  if (failed(again))
    return undone.emitError("undo of ")
           << step.kind << " cannot be applied again: " << refusal.message;
  if (again->after != step.after)
    return undone.emitError("undo of ")
           << step.kind << " applied again has hash " << again->after
           << ", expected " << step.after;
  return success();
}

LogicalResult klineage::undoStep(ModuleOp state, const AppliedStep &step,
                                 const StepContext &context) {
  const StepKind *kind = lookupStepKind(step.kind);
  if (!kind)
    return state.emitError("unknown step kind '") << step.kind << "'";
  if (std::string hash = hashState(state); hash != step.after)
    return state.emitError("hash mismatch: the step ends with ")
           << step.after << ", the state has " << hash;
  OwningOpRef<ModuleOp> copy = state.clone();
  Operation *locus = opAtLocus(*copy, step.undoLocus);
  if (!locus)
    return state.emitError("no operation at the undo position ")
           << step.undoLocus;
  IRRewriter rewriter(state.getContext());
  if (failed(kind->undo(rewriter, locus, step.params, context)) ||
      failed(normalizeState(*copy)) || failed(verify(*copy)))
    return failure();
  if (std::string hash = hashState(*copy); hash != step.before)
    return state.emitError("undo of ") << step.kind << " gives hash " << hash
                                       << ", expected " << step.before;
  if (failed(confirm(*copy, *kind, step, context)))
    return failure();
  state.getBodyRegion().takeBody(copy->getBodyRegion());
  return success();
}
