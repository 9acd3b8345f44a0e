//===- LiftVerify.cpp - Count what stayed in the llvm dialect
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lift/Passes.h"
#include "Utils.h"

namespace klineage {
#define GEN_PASS_DEF_LIFTVERIFYPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {
struct LiftVerify : klineage::impl::LiftVerifyPassBase<LiftVerify> {
  using LiftVerifyPassBase::LiftVerifyPassBase;

  void runOnOperation() override {
    int64_t left = 0;
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      kernel.walk([&](Operation *op) {
        if (op->getName().getDialectNamespace() != "llvm")
          return;
        ++left;
        if (strict)
          op->emitError("'") << op->getName() << "' is left after lifting";
      });
    });
    getOperation()->setAttr("klineage.lift.llvm_left",
                            Builder(&getContext()).getI64IntegerAttr(left));
    if (strict && left > 0)
      signalPassFailure();
  }
};
} // namespace
