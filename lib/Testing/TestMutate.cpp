//===- TestMutate.cpp - A test pass that plants a fault
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Testing/TestPasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include <random>

using namespace mlir;
using namespace klineage;
using namespace klineage::testing;

namespace {

/// Plants one fault in a state, or lists the sites of all kinds.
class TestMutatePass
    : public PassWrapper<TestMutatePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestMutatePass)
  TestMutatePass() = default;
  TestMutatePass(const TestMutatePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-klineage-mutate"; }
  StringRef getDescription() const override {
    return "Plant a fault in a state; without a kind, list the sites";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<
        affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect,
        gpu::GPUDialect, LLVM::LLVMDialect, linalg::LinalgDialect,
        math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect,
        nvgpu::NVGPUDialect, scf::SCFDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (kernels && failed(buildKernels(module, *lookupTarget("sm_90a"))))
      return signalPassFailure();
    if (kind.empty())
      return list();
    for (ArrayRef<FaultKind> family :
         {controlFaults(), memoryFaults(), valueFaults()})
      for (const FaultKind &fault : family)
        if (fault.name == kind)
          return plant(fault);
    module.emitError("unknown kind of fault '") << kind << "'";
    signalPassFailure();
  }

private:
  /// Named linalg operations have a body that is not theirs to change.
  SmallVector<Operation *> sitesOf(const FaultKind &fault) {
    SmallVector<Operation *> sites;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (fault.fits(op))
        sites.push_back(op);
      bool named = isa<linalg::LinalgOp>(op) && !isa<linalg::GenericOp>(op);
      return named ? WalkResult::skip() : WalkResult::advance();
    });
    return sites;
  }

  void list() {
    for (ArrayRef<FaultKind> family :
         {controlFaults(), memoryFaults(), valueFaults()})
      for (const FaultKind &fault : family)
        llvm::errs() << fault.name << " " << sitesOf(fault).size() << " "
                     << fault.what << "\n";
  }

  void plant(const FaultKind &fault) {
    SmallVector<Operation *> sites = sitesOf(fault);
    if (sites.empty() || site >= int64_t(sites.size())) {
      getOperation().emitError("has ")
          << sites.size() << " sites for '" << fault.name << "'";
      return signalPassFailure();
    }
    int64_t chosen = site;
    if (site < 0)
      chosen = std::mt19937_64(seed)() % sites.size();
    OpBuilder builder(sites[chosen]);
    fault.plant(builder, sites[chosen]);
    if (failed(verify(getOperation())))
      signalPassFailure();
  }

  Option<std::string> kind{*this, "kind", llvm::cl::desc("Kind of fault")};
  Option<int64_t> site{*this, "site", llvm::cl::init(-1),
                       llvm::cl::desc("Number of the site; -1: by the seed")};
  Option<uint64_t> seed{*this, "seed", llvm::cl::init(1),
                        llvm::cl::desc("Chooses a site")};
  Option<bool> kernels{*this, "kernels", llvm::cl::init(false),
                       llvm::cl::desc("Build the kernels first")};
};

} // namespace

void klineage::registerTestingPasses() {
  PassRegistration<TestMutatePass>();
  registerTestExecutorsPass();
  registerTestGatePass();
  registerTestNormalFormPass();
  registerTestRunPass();
}
