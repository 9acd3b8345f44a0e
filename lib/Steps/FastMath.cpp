//===- FastMath.cpp - Approximate floating-point functions
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "KLineage/Steps/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace klineage;

namespace {

class FastMath final : public StepKind {
public:
  FastMath()
      : StepKind("fast_math", "Allow approximate floating-point functions",
                 Numerics::approximate) {}
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override {
    if (targets.size() != 1)
      return targets[0]->emitError() << getName() << " takes one target";
    auto flags = params.getAs<StringAttr>("flags");
    if (!flags || !arith::symbolizeFastMathFlags(flags.getValue()) ||
        flags.getValue() == "none")
      return targets[0]->emitError()
             << "parameter 'flags' is not a list of fast-math flags such as "
                "\"afn\" or \"afn,contract\"";
    return success();
  }
  void clauses(ArrayRef<Operation *> targets, DictionaryAttr,
               const StepContext &,
               SmallVectorImpl<ClauseResult> &results) const override {
    Operation *flagged = nullptr;
    int64_t count = 0;
    targets[0]->walk([&](arith::ArithFastMathInterface op) {
      if (!op.getFastMathFlagsAttr())
        return;
      ++count;
      if (op.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
        flagged = op;
    });
    results.push_back(formClause(targets[0]->getLoc(), "has_float_operations",
                                 ClauseClass::types, count > 0,
                                 "floating-point operations under the target",
                                 Twine(count) + " operations"));
    results.push_back(formClause(
        flagged ? flagged->getLoc() : targets[0]->getLoc(), "no_fast_math_yet",
        ClauseClass::types, !flagged, "no operation with flags already",
        flagged ? flagged->getName().getStringRef() : StringRef("none")));
  }
  FailureOr<StepOutcome> apply(RewriterBase &rewriter,
                               ArrayRef<Operation *> targets,
                               DictionaryAttr params, const StepContext &,
                               ArrayRef<ClauseResult>) const override {
    auto flags = arith::symbolizeFastMathFlags(
        params.getAs<StringAttr>("flags").getValue());
    setFlags(rewriter, targets[0], *flags);
    StepOutcome outcome;
    outcome.locus = targets[0];
    outcome.handles = {{"target", {targets[0]}}};
    return outcome;
  }
  FailureOr<SmallVector<Operation *>> undo(RewriterBase &rewriter,
                                           Operation *locus, DictionaryAttr,
                                           const StepContext &) const override {
    setFlags(rewriter, locus, arith::FastMathFlags::none);
    return SmallVector<Operation *>{locus};
  }

private:
  /// Conversions such as arith.extf have no flags unless they were written.
  static void setFlags(RewriterBase &rewriter, Operation *target,
                       arith::FastMathFlags flags) {
    target->walk([&](arith::ArithFastMathInterface op) {
      if (!op.getFastMathFlagsAttr())
        return;
      rewriter.modifyOpInPlace(op, [&] {
        op->setAttr(op.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(op.getContext(), flags));
      });
    });
  }
};

} // namespace

std::unique_ptr<StepKind> klineage::createFastMath() {
  return std::make_unique<FastMath>();
}
