//===- LineageOps.cpp - Verifiers and queries of lineages
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Dialect/KLineage/KLineage.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace klineage;

static bool isHash(StringRef text) {
  return text.size() == 64 && llvm::all_of(text, [](char c) {
           return llvm::isDigit(c) || (c >= 'a' && c <= 'f');
         });
}

//===----------------------------------------------------------------------===//
// LineageOp
//===----------------------------------------------------------------------===//

StateOp LineageOp::getReference() {
  auto states = getBody().getOps<StateOp>();
  return states.empty() ? StateOp() : *states.begin();
}

StateOp LineageOp::lookupState(StringRef name) {
  return dyn_cast_or_null<StateOp>(mlir::SymbolTable::lookupSymbolIn(
      getOperation(), StringAttr::get(getContext(), name)));
}

TransitionOp LineageOp::getTransitionTo(StateOp state) {
  for (auto transition : getBody().getOps<TransitionOp>())
    if (transition.getAfter() == state.getSymName())
      return transition;
  return {};
}

StateOp LineageOp::getCurrent() {
  StateOp current = getReference();
  for (auto transition : getBody().getOps<TransitionOp>())
    if (StateOp after = lookupState(transition.getAfter()))
      current = after;
  return current;
}

SmallVector<StateOp> klineage::pathTo(LineageOp lineage, StateOp state) {
  SmallVector<StateOp> path{state};
  // The verifier keeps the graph acyclic.
  while (TransitionOp transition = lineage.getTransitionTo(path.back()))
    path.push_back(lineage.lookupState(transition.getBefore()));
  std::reverse(path.begin(), path.end());
  return path;
}

/// (L3) follows the transitions from each state and looks for a way back.
static LogicalResult verifyAcyclic(LineageOp lineage) {
  llvm::StringMap<SmallVector<TransitionOp>> next;
  for (auto transition : lineage.getBody().getOps<TransitionOp>())
    next[transition.getBefore()].push_back(transition);
  enum class Mark { open, done };
  llvm::StringMap<Mark> marks;
  struct Frame {
    StringRef state;
    size_t position;
  };
  for (auto state : lineage.getBody().getOps<StateOp>()) {
    if (marks.count(state.getSymName()))
      continue;
    SmallVector<Frame> stack{{state.getSymName(), 0}};
    marks[state.getSymName()] = Mark::open;
    while (!stack.empty()) {
      Frame &frame = stack.back();
      ArrayRef<TransitionOp> edges = next[frame.state];
      if (frame.position == edges.size()) {
        marks[frame.state] = Mark::done;
        stack.pop_back();
        continue;
      }
      TransitionOp edge = edges[frame.position++];
      auto mark = marks.find(edge.getAfter());
      if (mark == marks.end()) {
        marks[edge.getAfter()] = Mark::open;
        stack.push_back({edge.getAfter(), 0});
      } else if (mark->second == Mark::open) {
        return edge.emitOpError("(L3) closes a cycle through state @")
               << edge.getAfter();
      }
    }
  }
  return success();
}

LogicalResult LineageOp::verify() {
  for (Operation &op : getBody().front())
    if (!isa<StateOp, TransitionOp, TrialOp>(op))
      return op.emitOpError("(L1) is neither a state nor a transition nor a "
                            "trial of the lineage");
  if (!getReference())
    return emitOpError("(L1) has no state");
  auto isState = [&](StringRef name) { return bool(lookupState(name)); };
  for (auto transition : getBody().getOps<TransitionOp>())
    for (StringRef name : {transition.getBefore(), transition.getAfter()})
      if (!isState(name))
        return transition.emitOpError("(L2) names @")
               << name << ", which is no state of the lineage";
  for (auto trial : getBody().getOps<TrialOp>())
    if (!isState(trial.getBefore()))
      return trial.emitOpError("(L2) names @")
             << trial.getBefore() << ", which is no state of the lineage";
  return verifyAcyclic(*this);
}

//===----------------------------------------------------------------------===//
// StateOp
//===----------------------------------------------------------------------===//

ModuleOp StateOp::getModule() {
  return cast<ModuleOp>(getBody().front().front());
}

LogicalResult StateOp::verify() {
  Block &block = getBody().front();
  if (!llvm::hasSingleElement(block) || !isa<ModuleOp>(block.front()))
    return emitOpError("(S1) body is not one builtin.module");
  if (!isHash(getSha256()))
    return emitOpError("(S2) sha256 is not 64 lower-case hexadecimal digits");
  return success();
}

//===----------------------------------------------------------------------===//
// TransitionOp
//===----------------------------------------------------------------------===//

/// (T2) the chain of hashes from the state before to the state after.
static LogicalResult verifyChain(TransitionOp transition) {
  auto lineage = cast<LineageOp>(transition->getParentOp());
  StateOp before = lineage.lookupState(transition.getBefore());
  StateOp after = lineage.lookupState(transition.getAfter());
  if (!before || !after)
    return success(); // (L2) reports it.
  StringRef hash = before.getSha256();
  for (auto step : transition.getSteps().getOps<StepOp>()) {
    if (step.getBefore() != hash)
      return step.emitOpError("(T2) starts from hash ")
             << step.getBefore() << ", expected " << hash;
    hash = step.getAfter();
  }
  if (hash != after.getSha256())
    return transition.emitOpError("(T2) ends with hash ")
           << hash << ", but state @" << after.getSymName() << " has "
           << after.getSha256();
  return success();
}

LogicalResult TransitionOp::verify() {
  if (getVerdict().getKind() != VerdictKind::accepted)
    return emitOpError("(T1) has verdict ")
           << stringifyVerdictKind(getVerdict().getKind())
           << "; only an accepted candidate makes a transition";
  Block &block = getSteps().front();
  if (block.empty())
    return emitOpError("(T2) has no step");
  Numerics numerics = Numerics::bit_exact;
  bool guarded = false;
  for (Operation &op : block) {
    auto step = dyn_cast<StepOp>(op);
    if (!step)
      return op.emitOpError("(T2) is no step of the transition");
    numerics = compose(numerics, step.getNumerics());
    guarded |= step.getGuarded();
  }
  if (numerics != getNumerics())
    return emitOpError("(T3) declares numerics ")
           << stringifyNumerics(getNumerics()) << ", its steps compose to "
           << stringifyNumerics(numerics);
  if (guarded && getCertificate().getLevel() > CertificateLevel::guarded)
    return emitOpError("(T4) has a guarded step but certificate ")
           << stringifyCertificateLevel(getCertificate().getLevel());
  return verifyChain(*this);
}

//===----------------------------------------------------------------------===//
// StepOp, TrialOp
//===----------------------------------------------------------------------===//

LogicalResult StepOp::verify() {
  if (!isHash(getBefore()) || !isHash(getAfter()))
    return emitOpError("(P1) hashes are not 64 lower-case hexadecimal digits");
  // The accessor of a signless attribute is unsigned.
  if (static_cast<int64_t>(getUndo()) < 0 ||
      llvm::any_of(getTargets(), [](int64_t target) { return target < 0; }))
    return emitOpError("(P2) has a negative position");
  for (auto clause : getClauses().getAsRange<ClauseAttr>())
    if (clause.getTruth() == Truth::refuted)
      return emitOpError("(P3) records the refuted clause '")
             << clause.getName() << "'";
  return success();
}

LogicalResult TrialOp::verify() {
  VerdictAttr verdict = getVerdict();
  if (verdict.getKind() == VerdictKind::accepted)
    return emitOpError("(R1) has verdict accepted; that is a transition");
  if (verdict.getKind() == VerdictKind::illegal && getClauses().empty() &&
      verdict.getMessage().empty())
    return emitOpError("(R2) is a refusal without a clause or a message");
  return success();
}

#define GET_OP_CLASSES
#include "KLineage/Dialect/KLineage/KLineageOps.cpp.inc"
