//===- Decompose.cpp - The pass klineage-decompose
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Passes/Passes.h"
#include "KLineage/State/State.h"
#include "KLineage/Support/Interrupt.h"
#include "PassDialects.h"
#include "Subject.h"
#include "Walk.h"

namespace klineage {
#define GEN_PASS_DEF_DECOMPOSEPASS
#include "KLineage/Passes/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {
struct Decompose : klineage::impl::DecomposePassBase<Decompose> {
  using DecomposePassBase::DecomposePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (budget < 1) {
      module.emitError("budget must be positive");
      return signalPassFailure();
    }
    FailureOr<GateOptions> gate =
        gateOptions(module, executor, {timeout, false, false, memory, false});
    if (failed(gate))
      return signalPassFailure();
    FailureOr<Subject> subject = selectSubject(module, state, chip);
    if (failed(subject))
      return signalPassFailure();
    OwningOpRef<ModuleOp> expert = subject->state.clone();
    if (failed(importState(*expert)))
      return signalPassFailure();
    FailureOr<func::FuncOp> entry = lookupEntry(*expert);
    if (failed(entry))
      return signalPassFailure();
    const TargetInfo *target = subject->target;
    module.getBody()->clear();
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
    LineageOp lineage = createLineage(module, *expert, entry->getSymName(),
                                      target->chip, DictionaryAttr());
    lineage->setLoc(entry->getLoc());
    Walk walk(lineage, *target, {*gate, budget, progress},
              getContext().getDialectRegistry());
    std::string ended = walk.run();
    lineage->setAttr("klineage.ended", StringAttr::get(&getContext(), ended));
    if (!StringRef(ended).starts_with("naive"))
      lineage.emitWarning("decompose: ") << ended;
  }
};
} // namespace
