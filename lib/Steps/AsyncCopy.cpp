//===- AsyncCopy.cpp - Copies to shared memory by cp.async
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/AsyncCopies.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "KLineage/Steps/Utils.h"

using namespace mlir;
using namespace klineage;

namespace {

/// The state keeps the copy with `klineage.async`, the bytes of one cp.async;
/// codegen makes the instructions, their group and the wait of it.
class AsyncCopy final : public StepKind {
public:
  AsyncCopy()
      : StepKind("async_copy",
                 "Copy to shared memory without passing registers") {}
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override {
    auto copy = targets.size() == 1 ? dyn_cast<linalg::CopyOp>(targets[0])
                                    : linalg::CopyOp();
    if (!copy || !copy.hasPureBufferSemantics())
      return targets[0]->emitError()
             << getName() << " takes one linalg.copy of buffers";
    int64_t bytes = intParam(params, "bytes");
    if (bytes != 4 && bytes != 8 && bytes != 16)
      return copy.emitError()
             << getName() << ": 'bytes' is 4, 8 or 16, not " << bytes;
    return success();
  }
  void clauses(ArrayRef<Operation *> targets, DictionaryAttr params,
               const StepContext &context,
               SmallVectorImpl<ClauseResult> &results) const override;
  FailureOr<StepOutcome> apply(RewriterBase &rewriter,
                               ArrayRef<Operation *> targets,
                               DictionaryAttr params, const StepContext &,
                               ArrayRef<ClauseResult>) const override {
    rewriter.modifyOpInPlace(targets[0], [&] {
      targets[0]->setAttr(
          kAsyncAttr, rewriter.getI64IntegerAttr(intParam(params, "bytes")));
    });
    StepOutcome outcome;
    outcome.locus = targets[0];
    outcome.handles = {{"copy", {targets[0]}}};
    return outcome;
  }
  FailureOr<SmallVector<Operation *>> undo(RewriterBase &rewriter,
                                           Operation *locus, DictionaryAttr,
                                           const StepContext &) const override {
    if (!locus->hasAttr(kAsyncAttr))
      return locus->emitError()
             << "undo of " << getName() << " expects an asynchronous copy";
    rewriter.modifyOpInPlace(locus, [&] { locus->removeAttr(kAsyncAttr); });
    return SmallVector<Operation *>{locus};
  }
  SmallVector<MechanismFact> mechanism(DictionaryAttr) const override {
    return {{"cp.async", 1, -1}, {"cp.async.wait", 1, -1}};
  }
};

constexpr int64_t kMaxCopies = 64;

bool isGlobal(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && !isWorkgroup(memref) && !isPrivate(memref);
}

/// layout: rows that whole copies of `bytes` make up, each aligned.
void rowClauses(Location loc, Value buffer, int64_t bytes,
                SmallVectorImpl<ClauseResult> &results) {
  auto type = cast<MemRefType>(buffer.getType());
  results.push_back(wholeBytes(loc, buffer));
  if (results.back().truth != Truth::proved)
    return;
  results.push_back(unitStrideInnermost(loc, buffer));
  int64_t row = type.getShape().back() * type.getElementTypeBitWidth() / 8;
  results.push_back(formClause(
      loc, "divisible", ClauseClass::layout, row > 0 && row % bytes == 0,
      "rows of a multiple of " + Twine(bytes) + " bytes",
      Twine(row) + " bytes"));
  results.push_back(alignedBase(loc, buffer, bytes));
}

/// pipeline: there is a barrier before which the copy can be waited for, and
/// nobody asks for its bytes, or changes what it reads, before.
void waitClauses(linalg::CopyOp copy, SmallVectorImpl<ClauseResult> &results) {
  Location loc = copy.getLoc();
  gpu::BarrierOp barrier = nextBarrier(copy);
  results.push_back(formClause(loc, "barrier_follows", ClauseClass::pipeline,
                               bool(barrier),
                               "a barrier that every thread reaches after the "
                               "copy, in the same iteration",
                               barrier ? "one" : "none"));
  if (!barrier)
    return;
  Value source = copy.getInputs()[0], target = copy.getOutputs()[0];
  Operation *touched =
      touchedWhileUnderWay(copy, barrier, source, target, [&](Operation *op) {
        return op == copy ||
               (isa<linalg::CopyOp>(op) && op->hasAttr(kAsyncAttr));
      });
  results.push_back(formClause(
      touched ? touched->getLoc() : loc, "untouched_in_flight",
      ClauseClass::pipeline, !touched,
      "no access to the target, and no write of the source, before the barrier",
      touched ? "'" + touched->getName().getStringRef() + "'" : Twine("none")));
}

} // namespace

void AsyncCopy::clauses(ArrayRef<Operation *> targets, DictionaryAttr params,
                        const StepContext &context,
                        SmallVectorImpl<ClauseResult> &results) const {
  auto copy = cast<linalg::CopyOp>(targets[0]);
  Location loc = copy.getLoc();
  results.push_back(inSimtForm(copy));
  results.push_back(chipFeature(loc, "cp_async", context.target));
  bool once = !copy->hasAttr(kAsyncAttr);
  results.push_back(formClause(loc, "not_async", ClauseClass::pipeline, once,
                               "a copy that is not asynchronous yet",
                               once ? "so" : "an asynchronous copy"));
  Value source = copy.getInputs()[0], target = copy.getOutputs()[0];
  bool spaces = isGlobal(source.getType()) && isWorkgroup(target.getType());
  results.push_back(formClause(loc, "global_to_shared", ClauseClass::storage,
                               spaces, "a copy from global to shared memory",
                               spaces ? "so" : "other memory spaces"));
  auto type = cast<MemRefType>(target.getType());
  bool same = type.getElementType() ==
              cast<MemRefType>(source.getType()).getElementType();
  results.push_back(formClause(loc, "same_type", ClauseClass::types, same,
                               "elements of one type",
                               same ? "so" : "a conversion"));
  bool fixed = type.hasStaticShape() && type.getRank() > 0 &&
               cast<MemRefType>(source.getType()).hasStaticShape();
  results.push_back(formClause(loc, "static_extent", ClauseClass::layout, fixed,
                               "a thread tile of constant size",
                               fixed ? "so" : "a dynamic size"));
  if (conjunction(results) != Truth::proved)
    return;
  int64_t bytes = intParam(params, "bytes");
  rowClauses(loc, source, bytes, results);
  rowClauses(loc, target, bytes, results);
  if (conjunction(results) != Truth::proved)
    return;
  int64_t copies =
      type.getNumElements() * type.getElementTypeBitWidth() / 8 / bytes;
  results.push_back(formClause(loc, "copy_count", ClauseClass::layout,
                               copies >= 1 && copies <= kMaxCopies,
                               "1 to " + Twine(kMaxCopies) + " copies a thread",
                               Twine(copies)));
  waitClauses(copy, results);
}

std::unique_ptr<StepKind> klineage::createAsyncCopy() {
  return std::make_unique<AsyncCopy>();
}
