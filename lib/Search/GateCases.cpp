//===- GateCases.cpp - From states and steps to what the gate compares
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Search/GateCases.h"
#include "KLineage/State/State.h"
#include "KLineage/Steps/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace klineage;

/// Points that the executor can run in a few seconds, all ways together.
static constexpr int64_t kMaxPoints = 3000000;

std::string klineage::printState(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text;
}

/// Points of the largest operation with static extents; dynamic ones count 1.
static int64_t workOf(ModuleOp reference, int64_t &reduction) {
  int64_t most = 1;
  reduction = 1;
  reference.walk([&](linalg::LinalgOp op) {
    int64_t points = 1, sum = 1;
    for (auto [range, iterator] :
         llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
      int64_t extent = ShapedType::isDynamic(range) ? 1 : range;
      points = points > kMaxPoints ? points : points * extent;
      if (iterator == utils::IteratorType::reduction)
        sum = ShapedType::isDynamic(range) ? 256 : sum * extent;
    }
    most = std::max(most, points);
    reduction = std::max(reduction, sum);
  });
  return most;
}

int64_t klineage::longestReduction(ModuleOp state) {
  int64_t reduction;
  workOf(state, reduction);
  return reduction;
}

/// Replaces one static extent everywhere.
static void replaceExtent(ModuleOp module, int64_t from, int64_t to) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](MemRefType type) -> std::optional<Type> {
    SmallVector<int64_t> shape(type.getShape());
    llvm::replace(shape, from, to);
    return MemRefType::get(shape, type.getElementType(), type.getLayout(),
                           type.getMemorySpace());
  });
  replacer.recursivelyReplaceElementsIn(module, true, false, true);
}

static int64_t largestExtent(ModuleOp module) {
  int64_t largest = 0;
  module.walk([&](linalg::LinalgOp op) {
    for (int64_t range : op.getStaticLoopRanges())
      largest = std::max(largest, ShapedType::isDynamic(range) ? 0 : range);
  });
  return largest;
}

/// The same kernel with extents that the CPU can run: the largest ones that
/// are small enough, with their residue modulo 128 as it was.
static OwningOpRef<ModuleOp> shrink(ModuleOp reference) {
  OwningOpRef<ModuleOp> small = reference.clone();
  int64_t reduction;
  while (workOf(*small, reduction) > kMaxPoints) {
    int64_t from = largestExtent(*small);
    OwningOpRef<ModuleOp> next;
    for (int64_t base : {2048, 1024, 512, 256, 128}) {
      int64_t to = base + from % 128;
      if (to >= from)
        continue;
      next = small->clone();
      replaceExtent(*next, from, to);
      if (workOf(*next, reduction) <= kMaxPoints)
        break;
    }
    if (!next)
      break;
    small = std::move(next);
  }
  return small;
}

/// The operation of `other` that stands where `op` does: of the same name, with
/// as many of that name before it. Constants and sizes that only one of the
/// states has do not count, nor does what a guard keeps.
static Operation *counterpart(ModuleOp state, Operation *op, ModuleOp other) {
  bool old = isOldCode(op);
  auto ofName = [&](ModuleOp module) {
    SmallVector<Operation *> found;
    module.walk<WalkOrder::PreOrder>([&](Operation *nested) {
      if (nested->getName() == op->getName() && (old || !isOldCode(nested)))
        found.push_back(nested);
    });
    return found;
  };
  SmallVector<Operation *> here = ofName(state), there = ofName(other);
  size_t ordinal = llvm::find(here, op) - here.begin();
  return ordinal < there.size() ? there[ordinal] : nullptr;
}

LogicalResult klineage::redoSteps(ModuleOp state, ArrayRef<AppliedStep> steps,
                                  const StepContext &context,
                                  std::vector<AppliedStep> &done,
                                  StepRefusal &refusal, ModuleOp recorded) {
  OwningOpRef<ModuleOp> guide = recorded ? recorded.clone() : ModuleOp();
  for (const AppliedStep &step : steps) {
    const StepKind *kind = lookupStepKind(step.kind);
    SmallVector<Operation *> targets, guided;
    for (int64_t locus : step.targets) {
      Operation *op = opAtLocus(guide ? *guide : state, locus);
      if (op && guide) {
        guided.push_back(op);
        op = counterpart(*guide, op, state);
      }
      if (op)
        targets.push_back(op);
    }
    refusal = {};
    if (!kind || targets.size() != step.targets.size()) {
      refusal.kind = step.kind;
      refusal.message =
          kind ? "no operation at the recorded position" : "unknown step kind";
      return failure();
    }
    FailureOr<AppliedStep> again =
        applyStep(state, *kind, targets, step.params, context, refusal);
    if (failed(again))
      return failure();
    again->handles.clear();
    done.push_back(std::move(*again));
    StepRefusal ignored;
    if (guide && failed(applyStep(*guide, *kind, guided, step.params, context,
                                  ignored))) {
      refusal.kind = step.kind;
      refusal.message =
          "cannot be done again where it was recorded: " + ignored.message;
      return failure();
    }
  }
  return success();
}

FailureOr<GateOptions> klineage::gateOptions(Operation *op, StringRef executor,
                                             const GateOptions &options) {
  if (!(options.timeoutSeconds > 0))
    return op->emitError("timeout must be positive");
  // With less MLIR itself does not start, and says so by a crash.
  if (options.memoryMiB && (options.memoryMiB < 64 || options.memoryMiB >> 40))
    return op->emitError("memory must be 0 (the default) or 64 to 2^40 MiB");
  llvm::Expected<bool> onDevice = wantsDevice(executor);
  if (!onDevice)
    return op->emitError() << llvm::toString(onDevice.takeError());
  GateOptions result = options;
  result.onDevice = *onDevice;
  return result;
}

/// Integers of a parameter that is one or an array of them.
static SmallVector<int64_t> integersOf(DictionaryAttr params, StringRef name) {
  SmallVector<int64_t> values;
  if (auto single = params.getAs<IntegerAttr>(name))
    values.push_back(single.getInt());
  else if (auto list = params.getAs<ArrayAttr>(name))
    for (auto value : list.getAsRange<IntegerAttr>())
      values.push_back(value.getInt());
  return values;
}

int64_t klineage::largestTile(ArrayRef<AppliedStep> steps) {
  int64_t largest = 32, strip = 1;
  auto grow = [&](int64_t value) { largest = std::max(largest, value); };
  for (const AppliedStep &step : steps) {
    for (int64_t size : integersOf(step.params, "tile_sizes"))
      grow(size);
    for (int64_t size : integersOf(step.params, "size"))
      grow(strip = std::max(strip, size));
    for (int64_t factor : integersOf(step.params, "factor"))
      grow(factor * strip);
    int64_t threads = 1;
    for (const char *name : {"threads", "vector"})
      for (int64_t value : integersOf(step.params, name))
        threads *= std::max<int64_t>(1, std::min<int64_t>(value, 1024));
    grow(threads);
  }
  return std::min<int64_t>(largest, 4096);
}

GateRequest klineage::makeRequest(ModuleOp reference, ModuleOp baseline,
                                  ModuleOp candidate,
                                  ArrayRef<AppliedStep> steps,
                                  const StepContext &context,
                                  const GateOptions &options) {
  GateRequest request;
  request.target = &context.target;
  request.timeoutSeconds = options.timeoutSeconds;
  request.onDevice = options.onDevice;
  request.profile = options.profile;
  request.memoryBytes = options.memoryMiB << 20;
  request.nan = options.nan;
  request.reference = printState(reference);
  request.baseline = printState(baseline);
  std::string referenceText = printState(reference),
              candidateText = printState(candidate);
  request.subject = candidateText;
  if (workOf(reference, request.reductionLength) > kMaxPoints) {
    OwningOpRef<ModuleOp> small = shrink(reference);
    OwningOpRef<ModuleOp> smallCandidate = small->clone();
    std::vector<AppliedStep> done;
    StepRefusal refusal;
    if (succeeded(redoSteps(*smallCandidate, steps, context, done, refusal,
                            reference))) {
      referenceText = printState(*small);
      candidateText = printState(*smallCandidate);
    } else {
      request.obstacle = "too much work for the simt executor, and the steps "
                         "cannot be done on smaller extents: " +
                         refusal.message;
    }
  }
  for (const AppliedStep &step : steps) {
    request.numerics = compose(request.numerics, step.numerics);
    for (const MechanismFact &fact :
         lookupStepKind(step.kind)->mechanism(step.params)) {
      auto [it, inserted] =
          request.mechanism.try_emplace(fact.name, fact.min, fact.max);
      if (!inserted)
        it->second.first = std::max(it->second.first, fact.min);
    }
  }
  for (std::vector<int64_t> &sizes :
       chooseSizes(reference, {largestTile(steps)}))
    request.cases.push_back({referenceText, candidateText, std::move(sizes)});
  return request;
}

static Attribute valueAttr(Builder &b, const std::string &value) {
  return b.getStringAttr(value);
}
static Attribute valueAttr(Builder &b, double value) {
  return b.getF64FloatAttr(value);
}
static Attribute valueAttr(Builder &b, int64_t value) {
  return b.getI64IntegerAttr(value);
}

static DictionaryAttr profileAttr(Builder &b, const Profile &profile) {
  SmallVector<NamedAttribute> values;
  forEachField(profile, [&](const char *name, auto &value) {
    values.push_back(b.getNamedAttr(name, valueAttr(b, value)));
  });
  return b.getDictionaryAttr(values);
}

VerdictAttr klineage::toAttr(MLIRContext *context, const Verdict &verdict) {
  Builder b(context);
  SmallVector<NamedAttribute> details;
  auto add = [&](StringRef name, Attribute value) {
    details.push_back(b.getNamedAttr(name, value));
  };
  auto numbers = [&](const std::map<std::string, int64_t> &map) {
    SmallVector<NamedAttribute> values;
    for (auto &[name, value] : map)
      values.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(value)));
    return b.getDictionaryAttr(values);
  };
  if (verdict.runs)
    add("runs", b.getI64IntegerAttr(verdict.runs));
  if (verdict.selfChecks)
    add("self_checks", b.getI64IntegerAttr(verdict.selfChecks));
  if (verdict.tolerance > 0) {
    add("max_error", b.getF64FloatAttr(verdict.maxError));
    add("tolerance", b.getF64FloatAttr(verdict.tolerance));
  }
  if (!verdict.resources.empty())
    add("resources", numbers(verdict.resources));
  if (!verdict.counts.empty())
    add("counts", numbers(verdict.counts));
  if (verdict.profile)
    add("profile", profileAttr(b, *verdict.profile));
  if (!verdict.details.empty()) {
    SmallVector<StringRef> texts(verdict.details.begin(),
                                 verdict.details.end());
    add("details", b.getStrArrayAttr(texts));
  }
  return VerdictAttr::get(context, verdict.kind, verdict.stage, verdict.message,
                          b.getDictionaryAttr(details));
}

CertificateAttr klineage::certify(MLIRContext *context,
                                  ArrayRef<AppliedStep> steps,
                                  ArrayRef<ClauseResult> kernels,
                                  const Verdict &verdict) {
  Builder b(context);
  CertificateLevel level = CertificateLevel::proved;
  llvm::SetVector<Attribute> domain;
  for (const ClauseResult &clause : kernels)
    for (const std::string &assumption : clause.assumptions)
      domain.insert(b.getStringAttr(assumption));
  for (const AppliedStep &step : steps) {
    if (step.guarded)
      level = CertificateLevel::guarded;
    for (const ClauseResult &clause : step.clauses)
      for (const std::string &assumption : clause.assumptions)
        domain.insert(b.getStringAttr(assumption));
  }
  if (conjunction(kernels) != Truth::proved)
    level = compose(level, CertificateLevel::tested);
  for (const std::string &text : verdict.domain)
    domain.insert(b.getStringAttr(text));
  return CertificateAttr::get(context, level,
                              b.getArrayAttr(domain.getArrayRef()));
}

EvidenceAttr klineage::evidenceOf(LineageOp lineage, CertificateLevel level,
                                  const Verdict &verdict) {
  if (!verdict.profile)
    return {};
  const Profile &profile = *verdict.profile;
  Builder b(lineage.getContext());
  return EvidenceAttr::get(lineage.getContext(), lineage.getTarget().getChip(),
                           (lineage.getSymName() + " " + profile.sizes).str(),
                           b.getF64FloatAttr(profile.baselineUs),
                           b.getF64FloatAttr(profile.candidateUs),
                           profile.device + ", CUDA driver " + profile.driver,
                           level);
}

bool klineage::isReversible(ModuleOp candidate, ArrayRef<AppliedStep> steps,
                            const StepContext &context) {
  ScopedDiagnosticHandler quiet(candidate.getContext(),
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy = candidate.clone();
  for (const AppliedStep &step : llvm::reverse(steps))
    if (failed(undoStep(*copy, step, context)))
      return false;
  return true;
}
