//===- TestStep.cpp - A test pass for one step
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/State/State.h"
#include "KLineage/Steps/StepKind.h"
#include "KLineage/Steps/TestPasses.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace klineage;

namespace {

constexpr StringLiteral kTarget = "klineage.target";

/// Applies one step kind to the operations marked `klineage.target = N : i64`,
/// in order of N, or to those that an option names, and checks R1 if asked to.
class TestStepPass : public PassWrapper<TestStepPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestStepPass)
  TestStepPass() = default;
  TestStepPass(const TestStepPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "klineage-test-step"; }
  StringRef getDescription() const override {
    return "Apply one step kind to marked operations";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<affine::AffineDialect, bufferization::BufferizationDialect,
                gpu::GPUDialect, linalg::LinalgDialect, memref::MemRefDialect,
                nvgpu::NVGPUDialect, scf::SCFDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const StepKind *step = lookupStepKind(kind);
    const TargetInfo *target = lookupTarget(chip);
    // The option parser takes one pair of braces away.
    std::string text = params;
    if (!StringRef(text).starts_with("{"))
      text = "{" + text + "}";
    auto parameters =
        dyn_cast_or_null<DictionaryAttr>(parseAttribute(text, &getContext()));
    if (!step || !target || !parameters) {
      module.emitError() << (!step     ? "unknown step kind"
                             : !target ? "unknown chip"
                                       : "parameters are no dictionary");
      return signalPassFailure();
    }
    if (failed(importState(module)))
      return signalPassFailure();
    SmallVector<Operation *> targets =
        names.empty() ? takeTargets(module) : findTestTargets(module, names);
    if (targets.empty()) {
      module.emitError(names.empty() ? "no operation carries klineage.target"
                                     : "no such targets");
      return signalPassFailure();
    }
    StepContext context{*target, guards};
    StepRefusal refusal;
    Location loc = targets[0]->getLoc();
    FailureOr<AppliedStep> applied =
        applyStep(module, *step, targets, parameters, context, refusal);
    if (failed(applied)) {
      InFlightDiagnostic diagnostic = emitError(loc) << refusal.message;
      return signalPassFailure();
    }
    if (checkUndo) {
      OwningOpRef<ModuleOp> copy = module.clone();
      if (failed(undoStep(*copy, *applied, context)))
        return signalPassFailure();
      emitRemark(loc) << "R1 holds";
    }
  }

private:
  static SmallVector<Operation *> takeTargets(ModuleOp module) {
    SmallVector<std::pair<int64_t, Operation *>> found;
    module.walk([&](Operation *op) {
      if (auto number = op->getAttrOfType<IntegerAttr>(kTarget)) {
        found.push_back({number.getInt(), op});
        op->removeAttr(kTarget);
      }
    });
    llvm::sort(found, llvm::less_first());
    return llvm::map_to_vector(found, [](auto &entry) { return entry.second; });
  }

  Option<std::string> kind{*this, "kind", llvm::cl::desc("Step kind")};
  Option<std::string> params{*this, "params",
                             llvm::cl::desc("Parameters, a dictionary")};
  Option<std::string> names{*this, "targets",
                            llvm::cl::desc("Targets, as in \"scf.for#1\"")};
  Option<std::string> chip{*this, "chip", llvm::cl::desc("Target chip"),
                           llvm::cl::init("sm_90a")};
  Option<bool> guards{*this, "guards", llvm::cl::init(true),
                      llvm::cl::desc("Guard unknown clauses")};
  Option<bool> checkUndo{*this, "check-undo", llvm::cl::init(false),
                         llvm::cl::desc("Check that undo restores the hash")};
};

} // namespace

static Operation *findTestTarget(ModuleOp module, StringRef name, int number) {
  Operation *found = nullptr;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    bool fits = name == "contraction"
                    ? structured && structured.getNumReductionLoops() > 0
                    : op->getName().getStringRef() == name;
    if (fits && number-- == 0)
      found = op;
  });
  return found;
}

SmallVector<Operation *> klineage::findTestTargets(ModuleOp module,
                                                   StringRef description) {
  SmallVector<StringRef> parts;
  description.split(parts, ' ', -1, /*KeepEmpty=*/false);
  SmallVector<Operation *> targets;
  for (StringRef part : parts) {
    auto [name, text] = part.split('#');
    int number = 0;
    Operation *op = !text.empty() && text.getAsInteger(10, number)
                        ? nullptr
                        : findTestTarget(module, name, number);
    if (!op)
      return {};
    targets.push_back(op);
  }
  return targets;
}

void klineage::registerStepTestPasses() { PassRegistration<TestStepPass>(); }
