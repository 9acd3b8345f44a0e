//===- SkillRunner.cpp - Matching and running skills on states
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lineage/SkillRunner.h"
#include "KLineage/Dialect/KLineage/Constraint.h"
#include "KLineage/State/State.h"
#include "KLineage/Support/CapturedError.h"
#include "KLineage/TransformOps/SkillRun.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace klineage;

static transform::NamedSequenceOp sequence(SkillOp skill, StringRef name) {
  return dyn_cast_or_null<transform::NamedSequenceOp>(
      mlir::SymbolTable::lookupSymbolIn(
          skill.getOperation(), StringAttr::get(skill.getContext(), name)));
}

/// Runs one named sequence. With two arguments the first is the state.
static LogicalResult interpret(transform::NamedSequenceOp sequence,
                               ModuleOp state, Operation *anchor,
                               const StepContext &context, DictionaryAttr knobs,
                               SkillRun::Record &record) {
  auto initialize = [&](transform::TransformState &transformState) {
    transformState.addExtension<SkillRun>(context, knobs, record);
  };
  transform::TransformOptions options;
  options.enableExpensiveChecks(true);
  bool two = sequence.getNumArguments() == 2;
  RaggedArray<transform::MappedValue> extra;
  if (two)
    extra.push_back(SmallVector<transform::MappedValue>{anchor});
  Operation *root = two ? state.getOperation() : anchor;
  return transform::applyTransforms(
      root, cast<transform::TransformOpInterface>(sequence.getOperation()),
      extra, options, /*enforceToplevelTransformOp=*/false, initialize);
}

SmallVector<int64_t> klineage::findAnchors(ModuleOp state, SkillOp skill,
                                           const StepContext &context,
                                           std::string *why) {
  SmallVector<int64_t> anchors;
  FailureOr<func::FuncOp> entry = lookupEntry(state);
  transform::NamedSequenceOp matcher = sequence(skill, "anchor");
  if (failed(entry) || !matcher)
    return anchors;
  SmallVector<Operation *> candidates, loops;
  entry->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForallOp>(op)) {
      loops.push_back(op); // Not its body, which is no longer in host form.
      return WalkResult::skip();
    }
    if (isa<linalg::LinalgOp>(op)) {
      candidates.push_back(op);
      return WalkResult::skip();
    }
    return WalkResult::advance();
  });
  // Of hand-written kernels, what steps work on.
  for (auto kernels : state.getOps<gpu::GPUModuleOp>())
    kernels.walk([&](Operation *op) {
      if (isa<gpu::BarrierOp, scf::ForOp>(op))
        candidates.push_back(op);
    });
  llvm::append_range(candidates, loops);
  CapturedError error(state.getContext());
  for (Operation *op : candidates) {
    SkillRun::Record record;
    if (succeeded(interpret(matcher, state, op, context,
                            DictionaryAttr::get(state.getContext()), record)))
      anchors.push_back(locusOf(state, op));
  }
  if (why && anchors.empty())
    *why = candidates.empty() ? "there is no operation to look at"
           : error.text.empty()
               ? "no operation fits @anchor"
               : "no operation fits @anchor; the first: " + error.text;
  return anchors;
}

//===----------------------------------------------------------------------===//
// Knobs
//===----------------------------------------------------------------------===//

static std::optional<int64_t> factOf(StringRef name, Operation *anchor,
                                     const TargetInfo &target) {
  if (name == "shared_bytes")
    return target.sharedOptInBytes;
  if (name == "threads")
    return target.maxThreadsPerBlock;
  if (name == "registers")
    return target.registersPerThread;
  auto op = dyn_cast<linalg::LinalgOp>(anchor);
  if (!op)
    return std::nullopt;
  if (name == "bytes") {
    int64_t widest = 1;
    for (Value operand : anchor->getOperands()) {
      Type type = getElementTypeOrSelf(operand.getType());
      if (type.isIntOrFloat())
        widest =
            std::max<int64_t>(widest, (type.getIntOrFloatBitWidth() + 7) / 8);
    }
    return widest;
  }
  if (name == "io_bytes") {
    // What the kernel reads and writes for its caller, not its temporaries.
    int64_t narrowest = 16;
    for (Type type : anchor->getParentOfType<func::FuncOp>().getArgumentTypes())
      if (Type element = getElementTypeOrSelf(type);
          isa<MemRefType>(type) && element.isIntOrFloat())
        narrowest = std::min<int64_t>(
            narrowest, (element.getIntOrFloatBitWidth() + 7) / 8);
    return narrowest;
  }
  // extent0 is the outermost loop, inner0 the innermost.
  unsigned loop = 0;
  bool inner = name.consume_front("inner");
  if ((!inner && !name.consume_front("extent")) || name.getAsInteger(10, loop))
    return std::nullopt;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (inner)
    std::reverse(extents.begin(), extents.end());
  // A fact about a loop that is not there is as unknown as a dynamic one.
  if (loop >= extents.size() || ShapedType::isDynamic(extents[loop]))
    return -1;
  return extents[loop];
}

/// The first constraint that `values` breaks, with both sides and what its
/// names stand for; empty if none.
static std::string brokenConstraint(SkillOp skill,
                                    const llvm::StringMap<int64_t> &values,
                                    Operation *anchor,
                                    const TargetInfo &target) {
  llvm::MapVector<StringRef, int64_t> names;
  auto lookup = [&](StringRef name) -> std::optional<int64_t> {
    auto it = values.find(name);
    std::optional<int64_t> value = it != values.end()
                                       ? std::optional<int64_t>(it->second)
                                       : factOf(name, anchor, target);
    if (value)
      names.insert({name, *value});
    return value;
  };
  for (auto constraint : skill.getBody().getOps<ConstraintOp>()) {
    names.clear();
    auto value = evaluateConstraint(constraint.getCondition(), lookup);
    if (!value)
      return llvm::toString(value.takeError());
    if (value->holds)
      continue;
    std::string text = llvm::formatv("{0}: {1} {2} {3} does not hold (",
                                     constraint.getCondition(), value->left,
                                     value->relation, value->right);
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(names, os, [&](auto &name) {
      os << name.first << " = " << name.second;
    });
    os << ")";
    return text;
  }
  return "";
}

SettingList klineage::enumerateSettings(ModuleOp state, SkillOp skill,
                                        int64_t anchor,
                                        const TargetInfo &target) {
  SettingList list;
  Operation *op = opAtLocus(state, anchor);
  auto knobs = llvm::to_vector(skill.getBody().getOps<KnobOp>());
  SmallVector<size_t> digits(knobs.size(), 0);
  Builder b(state.getContext());
  while (true) {
    llvm::StringMap<int64_t> values;
    SmallVector<NamedAttribute> attrs;
    for (auto [knob, digit] : llvm::zip(knobs, digits)) {
      int64_t value = knob.getDomain()[digit];
      values[knob.getSymName()] = value;
      attrs.push_back(
          b.getNamedAttr(knob.getSymName(), b.getI64IntegerAttr(value)));
    }
    std::string broken = brokenConstraint(skill, values, op, target);
    if (broken.empty())
      list.legal.push_back(b.getDictionaryAttr(attrs));
    else if (list.explanation.empty())
      list.explanation = broken;
    // Count up; the last knob turns fastest, so the first one matters most.
    size_t position = digits.size();
    while (position > 0 &&
           ++digits[position - 1] == knobs[position - 1].getDomain().size())
      digits[--position] = 0;
    if (position == 0)
      return list;
  }
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

SkillOutcome klineage::runSkill(ModuleOp state, SkillOp skill, int64_t anchor,
                                DictionaryAttr knobs,
                                const StepContext &context) {
  SkillOutcome outcome;
  SkillRun::Record record;
  Operation *op = opAtLocus(state, anchor);
  if (!op) {
    outcome.refusal =
        StepRefusal{"", "no operation at the anchor's position", {}};
    return outcome;
  }
  CapturedError error(state.getContext());
  LogicalResult result = success();
  if (transform::NamedSequenceOp requires_ = sequence(skill, "requires"))
    result = interpret(requires_, state, op, context, knobs, record);
  if (succeeded(result))
    result =
        interpret(sequence(skill, "steps"), state, op, context, knobs, record);
  if (failed(result)) {
    outcome.refusal = record.refusal.value_or(StepRefusal{"", error.text, {}});
    return outcome;
  }
  if (record.steps.empty()) {
    outcome.refusal = StepRefusal{"", "the skill did no step", {}};
    return outcome;
  }
  outcome.steps = std::move(record.steps);
  return outcome;
}
