//===- Diff.cpp - The pass klineage-diff
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Lineage/LineageEditor.h"
#include "KLineage/Passes/Passes.h"
#include "KLineage/Passes/TextOutput.h"
#include "KLineage/State/State.h"
#include "KLineage/Support/LineDiff.h"
#include "PassDialects.h"
#include "Subject.h"

namespace klineage {
#define GEN_PASS_DEF_DIFFPASS
#include "KLineage/Passes/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {
/// One side: a state, named as in the header of the diff.
struct Side {
  std::string title, text;
};

struct Diff : klineage::impl::DiffPassBase<Diff> {
  using DiffPassBase::DiffPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (form != "state" && form != "kernels") {
      module.emitError("no such form '")
          << form << "'; known are state and kernels";
      return signalPassFailure();
    }
    OwningOpRef<ModuleOp> owned;
    ModuleOp other = module;
    if (!with.empty()) {
      owned = readModule(module, with);
      if (!owned)
        return signalPassFailure();
      other = *owned;
    }
    FailureOr<Side> before = side(module, from, "");
    FailureOr<Side> after = side(other, to, with);
    if (failed(before) || failed(after))
      return signalPassFailure();
    llvm::raw_ostream &os = textOutput();
    os << "--- " << before->title << "\n+++ " << after->title << "\n";
    printLineDiff(os, before->text, after->text, context);
  }

private:
  FailureOr<Side> side(ModuleOp module, StringRef name, StringRef file) {
    FailureOr<Subject> subject = selectSubject(module, name, chip);
    if (failed(subject))
      return failure();
    OwningOpRef<ModuleOp> copy = subject->state.clone();
    Side side;
    llvm::raw_string_ostream title(side.title);
    if (auto state = subject->state->getParentOfType<StateOp>())
      title << "@" << state.getSymName() << " ";
    title << StringRef(hashState(*copy)).take_front(12);
    if (!file.empty())
      title << " of " << file;
    if (form == "kernels" && failed(buildKernels(*copy, *subject->target)))
      return failure();
    llvm::raw_string_ostream text(side.text);
    copy->print(text);
    text << "\n";
    return side;
  }
};
} // namespace
