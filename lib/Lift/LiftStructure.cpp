//===- LiftStructure.cpp - Branches become scf.if and scf.while
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lift/Passes.h"
#include "Utils.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CFGToSCF.h"

namespace klineage {
#define GEN_PASS_DEF_LIFTSTRUCTUREPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {
/// Upstream's transformation ends an infinite loop with a func.return.
struct KernelStructure : ControlFlowToSCFTransformation {
  FailureOr<Operation *> createUnreachableTerminator(Location loc,
                                                     OpBuilder &builder,
                                                     Region &) override {
    return gpu::ReturnOp::create(builder, loc).getOperation();
  }
};

struct LiftStructure : klineage::impl::LiftStructurePassBase<LiftStructure> {
  void runOnOperation() override {
    KernelStructure structure;
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      if (!canLift(kernel))
        continue;
      DominanceInfo dominance(kernel);
      if (failed(transformCFGToSCF(kernel.getBody(), structure, dominance))) {
        kernel.emitError("cannot bring the control flow into loops and ifs");
        return signalPassFailure();
      }
    }
  }

  /// The transformation leaves rubble behind if it fails half way.
  static bool canLift(gpu::GPUFuncOp kernel) {
    for (Block &block : kernel.getBody())
      if (!isa<cf::BranchOp, cf::CondBranchOp, cf::SwitchOp, gpu::ReturnOp>(
              block.getTerminator())) {
        reportKept(block.getTerminator(), "the kernel keeps its branches");
        return false;
      }
    return true;
  }
};
} // namespace
