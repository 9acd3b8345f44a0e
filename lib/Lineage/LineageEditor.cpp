//===- LineageEditor.cpp - Writing and reading lineages
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lineage/LineageEditor.h"
#include "KLineage/State/State.h"
#include "KLineage/Support/TargetInfo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace klineage;

static Block &bodyOf(Region &region) {
  if (region.empty())
    region.emplaceBlock();
  return region.front();
}

ClauseAttr klineage::toAttr(MLIRContext *context, const ClauseResult &clause) {
  Builder b(context);
  SmallVector<StringRef> assumptions(clause.assumptions.begin(),
                                     clause.assumptions.end());
  return ClauseAttr::get(context, clause.name, clause.clauseClass, clause.truth,
                         clause.expected, clause.found, clause.nearestLegal,
                         clause.engine, b.getStrArrayAttr(assumptions));
}

static ArrayAttr toArray(MLIRContext *context, ArrayRef<ClauseResult> clauses) {
  SmallVector<Attribute> attrs;
  for (const ClauseResult &clause : clauses)
    attrs.push_back(toAttr(context, clause));
  return ArrayAttr::get(context, attrs);
}

AppliedStep klineage::fromOp(StepOp op) {
  AppliedStep step;
  step.kind = op.getKind().str();
  llvm::append_range(step.targets, op.getTargets());
  step.params = op.getParams();
  step.undoLocus = op.getUndo();
  step.before = op.getBefore().str();
  step.after = op.getAfter().str();
  step.numerics = op.getNumerics();
  step.guarded = op.getGuarded();
  return step;
}

LineageOp klineage::createLineage(ModuleOp parent, ModuleOp state,
                                  StringRef name, StringRef chip,
                                  DictionaryAttr setup) {
  OpBuilder b(parent.getContext());
  b.setInsertionPointToEnd(parent.getBody());
  auto lineage = LineageOp::create(
      b, parent.getLoc(), name, TargetAttr::get(b.getContext(), chip), setup);
  bodyOf(lineage.getBody());
  appendState(lineage, state, {});
  return lineage;
}

StateOp klineage::appendState(LineageOp lineage, ModuleOp state,
                              ArrayRef<std::string> features) {
  OpBuilder b(lineage.getContext());
  b.setInsertionPointToEnd(&bodyOf(lineage.getBody()));
  int64_t number = 0;
  while (lineage.lookupState(llvm::formatv("s{0}", number).str()))
    ++number;
  SmallVector<StringRef> names(features.begin(), features.end());
  auto op = StateOp::create(
      b, state.getLoc(), llvm::formatv("s{0}", number).str(), hashState(state),
      names.empty() ? ArrayAttr() : b.getStrArrayAttr(names));
  bodyOf(op.getBody()).push_back(state->clone());
  return op;
}

TransitionOp klineage::appendTransition(LineageOp lineage,
                                        TransitionRecord record,
                                        ArrayRef<AppliedStep> steps) {
  MLIRContext *context = lineage.getContext();
  OpBuilder b(context);
  b.setInsertionPointToEnd(&bodyOf(lineage.getBody()));
  Numerics numerics = Numerics::bit_exact;
  for (const AppliedStep &step : steps)
    numerics = compose(numerics, step.numerics);
  int64_t number = 0;
  auto name = [&] { return llvm::formatv("t{0}", number).str(); };
  while (mlir::SymbolTable::lookupSymbolIn(lineage.getOperation(),
                                           b.getStringAttr(name())))
    ++number;
  auto op = TransitionOp::create(
      b, record.after.getLoc(), b.getStringAttr(name()),
      FlatSymbolRefAttr::get(context, record.before.getSymName()),
      FlatSymbolRefAttr::get(context, record.after.getSymName()),
      b.getStringAttr(record.skill), b.getI64IntegerAttr(record.anchor),
      record.knobs, NumericsAttr::get(context, numerics), record.certificate,
      record.verdict, record.reversible ? b.getUnitAttr() : UnitAttr(),
      record.evidence);
  b.setInsertionPointToEnd(&bodyOf(op.getSteps()));
  for (const AppliedStep &step : steps)
    StepOp::create(b, op.getLoc(), b.getStringAttr(step.kind),
                   b.getDenseI64ArrayAttr(step.targets),
                   b.getI64IntegerAttr(step.undoLocus), step.params,
                   NumericsAttr::get(context, step.numerics),
                   step.guarded ? b.getUnitAttr() : UnitAttr(),
                   b.getStringAttr(step.before), b.getStringAttr(step.after),
                   toArray(context, step.clauses));
  return op;
}

TrialOp klineage::appendTrial(LineageOp lineage, StateOp before,
                              StringRef skill, int64_t anchor,
                              DictionaryAttr knobs, VerdictAttr verdict,
                              ArrayRef<ClauseResult> clauses) {
  OpBuilder b(lineage.getContext());
  b.setInsertionPointToEnd(&bodyOf(lineage.getBody()));
  return TrialOp::create(
      b, before.getLoc(),
      FlatSymbolRefAttr::get(b.getContext(), before.getSymName()),
      b.getStringAttr(skill), b.getI64IntegerAttr(anchor), knobs, verdict,
      toArray(b.getContext(), clauses));
}

FailureOr<LineageOp> klineage::lookupLineage(ModuleOp module) {
  auto lineages = module.getOps<LineageOp>();
  if (lineages.empty())
    return module.emitError("expected a module with a klineage.lineage; make "
                            "one with --klineage-apply");
  if (!llvm::hasSingleElement(lineages))
    return module.emitError("expected one klineage.lineage, found several; "
                            "split the file with -split-input-file");
  return *lineages.begin();
}

LogicalResult klineage::checkHashes(LineageOp lineage) {
  for (auto state : lineage.getBody().getOps<StateOp>()) {
    std::string hash = hashState(state.getModule());
    if (hash != state.getSha256())
      return state.emitError("hash mismatch: the state says ")
             << state.getSha256() << ", its module has " << hash
             << "; it was edited after it was recorded";
  }
  return success();
}

FailureOr<LineageOp> klineage::openLineage(ModuleOp module, StringRef chip) {
  if (!module.getOps<LineageOp>().empty()) {
    FailureOr<LineageOp> lineage = lookupLineage(module);
    if (failed(lineage) || failed(checkHashes(*lineage)))
      return failure();
    StringRef made = lineage->getTarget().getChip();
    if (!chip.empty() && chip != made)
      return lineage->emitError("is for ") << made << ", not for " << chip;
    return lineage;
  }
  if (chip.empty())
    chip = "sm_90a";
  if (!lookupTarget(chip))
    return module.emitError("unknown chip '")
           << chip << "'; known are " << llvm::join(knownTargets(), ", ");
  if (failed(importState(module)))
    return failure();
  FailureOr<func::FuncOp> entry = lookupEntry(module);
  OwningOpRef<ModuleOp> state = module.clone();
  std::string name = entry->getSymName().str();
  Location loc = entry->getLoc();
  module.getBody()->clear();
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  LineageOp lineage =
      createLineage(module, *state, name, chip, DictionaryAttr());
  lineage->setLoc(loc); // What is said about it is about the kernel.
  return lineage;
}

FailureOr<StateOp> klineage::selectState(LineageOp lineage, StringRef name) {
  if (name == "last")
    return lineage.getCurrent();
  if (name == "first")
    return lineage.getReference();
  name.consume_front("@");
  if (StateOp state = lineage.lookupState(name))
    return state;
  return lineage.emitError("has no state @") << name;
}
