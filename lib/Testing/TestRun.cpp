//===- TestRun.cpp - A test pass that runs a state and prints its data
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Gate/StateRun.h"
#include "../Passes/PassDialects.h"
#include "../Passes/Subject.h"
#include "KLineage/Gate/Simt/SimtRuntime.h"
#include "KLineage/Passes/TextOutput.h"
#include "KLineage/Testing/TestPasses.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace mlir;
using namespace klineage;

/// One argument before and after the run; numbers that JSON has no form for
/// are text.
static void printArgument(llvm::json::OStream &json, const HostBuffer &before,
                          const HostBuffer &after, bool output) {
  auto values = [&](const HostBuffer &buffer) {
    for (int64_t index = 0; index < buffer.count(); ++index) {
      double value = buffer.get(index);
      if (std::isfinite(value))
        json.value(value);
      else
        json.value(std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    }
  };
  json.object([&] {
    json.attribute("type", before.type);
    json.attribute("output", output);
    json.attributeArray("shape", [&] {
      for (int64_t extent : before.shape)
        json.value(extent);
    });
    json.attributeArray("before", [&] { values(before); });
    json.attributeArray("after", [&] { values(after); });
  });
}

namespace {

/// Runs a state once in the checked mode of the simt executor.
class TestRunPass : public PassWrapper<TestRunPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestRunPass)
  TestRunPass() = default;
  TestRunPass(const TestRunPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-klineage-run"; }
  StringRef getDescription() const override {
    return "Run a state on the CPU; print its arguments before and after";
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<affine::AffineDialect, bufferization::BufferizationDialect,
                cf::ControlFlowDialect, gpu::GPUDialect, linalg::LinalgDialect,
                LLVM::LLVMDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                scf::SCFDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    FailureOr<Subject> subject = selectSubject(getOperation(), state, "");
    if (failed(subject))
      return signalPassFailure();
    if (llvm::Error error = run(*subject)) {
      getOperation().emitError() << llvm::toString(std::move(error));
      return signalPassFailure();
    }
  }

private:
  llvm::Error run(const Subject &subject) {
    auto runnable = RunnableState::create(subject.state, *subject.target);
    if (!runnable)
      return runnable.takeError();
    simt::Options options;
    options.mode = simt::Mode::checked;
    const CompiledState &compiled = (*runnable)->compiled;
    auto program =
        simt::Program::create(*compiled.device, compiled.kernels, options);
    if (!program)
      return program.takeError();
    std::vector<HostBuffer> given = (*runnable)->arguments(
        SmallVector<int64_t>(sizes.begin(), sizes.end()));
    for (auto [index, buffer] : llvm::enumerate(given))
      fillInput(buffer, Fill::mixed, seed * 131 + index);
    simt::SimtRuntime runtime(**program);
    auto after = runState(**runnable, runtime, given, std::nullopt);
    if (!after)
      return after.takeError();
    std::vector<bool> outputs = (*runnable)->outputs();
    llvm::json::OStream json(textOutput());
    json.object([&] {
      json.attributeArray("arguments", [&] {
        for (size_t index = 0; index < given.size(); ++index)
          printArgument(json, given[index], (*after)[index], outputs[index]);
      });
      json.attributeArray("findings", [&] {
        for (const simt::Finding &finding : runtime.findings()) {
          std::string line;
          llvm::raw_string_ostream(line) << finding;
          json.value(line);
        }
      });
    });
    textOutput() << "\n";
    return llvm::Error::success();
  }

  Option<std::string> state{*this, "state", llvm::cl::init("last"),
                            llvm::cl::desc("State of the lineage")};
  ListOption<int64_t> sizes{*this, "sizes",
                            llvm::cl::desc("Dynamic extents of the arguments")};
  Option<uint64_t> seed{*this, "seed", llvm::cl::init(1),
                        llvm::cl::desc("Seed of the data")};
};

} // namespace

void klineage::registerTestRunPass() { PassRegistration<TestRunPass>(); }
