//===- TestExecutors.cpp - A test pass that runs a state on both executors
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Gate/StateRun.h"
#include "../Passes/PassDialects.h"
#include "KLineage/Gate/Cuda/CudaRuntime.h"
#include "KLineage/Gate/Simt/SimtRuntime.h"
#include "KLineage/Search/GateCases.h"
#include "KLineage/Testing/TestPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace klineage;

/// What docs/numerics.md compares with a tolerance between executors: the name
/// of the first such operation of the device code, or nothing.
static std::string toleratedOperation(const llvm::Module &device) {
  constexpr StringRef kApproximate[] = {
      "approx", ".ftz", "mma", "ex2",   "lg2", "exp",  "log",   "pow",
      "sin",    "cos",  "tan", "rsqrt", "rcp", "fadd", "atomic"};
  for (const llvm::Function &function : device)
    for (const llvm::Instruction &inst : llvm::instructions(function)) {
      if (auto *call = dyn_cast<llvm::CallBase>(&inst)) {
        const llvm::Function *callee = call->getCalledFunction();
        if (!callee)
          return "an indirect call";
        StringRef name = callee->getName();
        if (callee->isDeclaration() && !callee->isIntrinsic())
          return name.str();
        if (callee->isIntrinsic() &&
            llvm::any_of(kApproximate,
                         [&](StringRef word) { return name.contains(word); }))
          return name.str();
      }
      if (auto *atomic = dyn_cast<llvm::AtomicRMWInst>(&inst))
        if (atomic->isFloatingPointOperation())
          return "a float atomic";
      if (auto *math = dyn_cast<llvm::FPMathOperator>(&inst))
        if (math->hasAllowReassoc() || math->hasApproxFunc() ||
            math->hasAllowReciprocal())
          return std::string(inst.getOpcodeName()) + " with fast-math flags";
    }
  return "";
}

namespace {

/// Outputs of a state on one executor.
using Run = llvm::Expected<std::vector<HostBuffer>>;

/// Runs the module on the simt executor and on a GPU, over the same inputs, and
/// compares the outputs: bit for bit where docs/numerics.md promises bits, else
/// within twice the tolerance, which each of them keeps to the exact result.
class TestExecutorsPass
    : public PassWrapper<TestExecutorsPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestExecutorsPass)
  TestExecutorsPass() = default;
  TestExecutorsPass(const TestExecutorsPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-klineage-executors"; }
  StringRef getDescription() const override {
    return "Run a state on both executors; fail unless they agree";
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<affine::AffineDialect, bufferization::BufferizationDialect,
                cf::ControlFlowDialect, gpu::GPUDialect, linalg::LinalgDialect,
                LLVM::LLVMDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                nvgpu::NVGPUDialect, scf::SCFDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    target = lookupTarget(chip);
    std::optional<Numerics> declared = symbolizeNumerics(numerics);
    OwningOpRef<ModuleOp> state =
        parseSourceFile<ModuleOp>(reference, &getContext());
    if (!target || !declared || !state || (with != "cuda" && with != "simt")) {
      module.emitError(!target     ? "unknown chip"
                       : !declared ? "unknown numerics"
                       : !state    ? "cannot read the reference"
                                   : "expected with=cuda or with=simt");
      return signalPassFailure();
    }
    GateRequest request =
        makeRequest(*state, *state, module, {}, StepContext{*target}, {});
    request.numerics = *declared;
    if (llvm::Error error = compareAll(*state, request)) {
      module.emitError() << llvm::toString(std::move(error));
      return signalPassFailure();
    }
    llvm::errs() << report;
  }

private:
  llvm::Error compareAll(ModuleOp state, const GateRequest &request);
  llvm::Error compareAt(RunnableState &runnable, ArrayRef<int64_t> sizes,
                        Fill fill, const GateRequest &request);
  Run runSimt(RunnableState &runnable, const std::vector<HostBuffer> &given,
              simt::Order order);
  Run runCuda(RunnableState &runnable, const std::vector<HostBuffer> &given);
  Run runOther(RunnableState &runnable, const std::vector<HostBuffer> &given);

  const TargetInfo *target = nullptr;
  std::shared_ptr<cuda::CudaDevice> device;
  std::string image, tolerated, report;
  double largest = 0;

  Option<std::string> reference{*this, "reference",
                                llvm::cl::desc("File with state 0")};
  Option<std::string> numerics{*this, "numerics",
                               llvm::cl::init("reassociating"),
                               llvm::cl::desc("What the state declares")};
  Option<std::string> chip{*this, "chip", llvm::cl::init("sm_90a"),
                           llvm::cl::desc("Target chip")};
  Option<int64_t> tile{*this, "tile", llvm::cl::init(32),
                       llvm::cl::desc("Elements of the largest tile")};
  Option<std::string> with{*this, "with", llvm::cl::init("cuda"),
                           llvm::cl::desc("The second executor: cuda, or simt "
                                          "with threads in reverse order")};
};

} // namespace

Run TestExecutorsPass::runSimt(RunnableState &runnable,
                               const std::vector<HostBuffer> &given,
                               simt::Order order) {
  simt::Options options;
  options.order = order;
  auto program = simt::Program::create(*runnable.compiled.device,
                                       runnable.compiled.kernels, options);
  if (!program)
    return program.takeError();
  simt::SimtRuntime runtime(**program);
  return runState(runnable, runtime, given, std::nullopt);
}

Run TestExecutorsPass::runCuda(RunnableState &runnable,
                               const std::vector<HostBuffer> &given) {
  auto runtime =
      cuda::CudaRuntime::create(device, image, runnable.compiled.kernels, {});
  if (!runtime)
    return runtime.takeError();
  return runState(runnable, **runtime, given, std::nullopt);
}

Run TestExecutorsPass::runOther(RunnableState &runnable,
                                const std::vector<HostBuffer> &given) {
  return with == "simt" ? runSimt(runnable, given, simt::Order::reverse)
                        : runCuda(runnable, given);
}

/// Nothing is poisoned: both executors start from the same bytes.
llvm::Error TestExecutorsPass::compareAt(RunnableState &runnable,
                                         ArrayRef<int64_t> sizes, Fill fill,
                                         const GateRequest &request) {
  std::vector<HostBuffer> given = runnable.arguments(sizes);
  for (auto [index, buffer] : llvm::enumerate(given))
    fillInput(buffer, fill, request.seed * 131 + index);
  Run cpu = runSimt(runnable, given, simt::Order::forward);
  if (!cpu)
    return cpu.takeError();
  Run other = runOther(runnable, given);
  if (!other)
    return other.takeError();
  for (auto [index, buffers] : llvm::enumerate(llvm::zip_equal(*cpu, *other))) {
    auto &[left, right] = buffers;
    std::string why = firstDifferentBits(left, right);
    if (why.empty())
      continue;
    Difference difference = compare(
        left, right,
        2 * toleranceOf(request.numerics, left.type, request.reductionLength));
    if (!tolerated.empty())
      why = difference.equal ? "" : difference.worst;
    if (!why.empty())
      return llvm::createStringError(
          llvm::formatv("executors disagree in argument {0} ({1}): {2}", index,
                        sizesText(given), why));
    largest = std::max(largest, difference.maxError);
  }
  return llvm::Error::success();
}

llvm::Error TestExecutorsPass::compareAll(ModuleOp state,
                                          const GateRequest &request) {
  auto runnable = RunnableState::create(getOperation(), *target);
  if (!runnable)
    return runnable.takeError();
  tolerated = toleratedOperation(*(*runnable)->compiled.device);
  if (with == "cuda") {
    auto opened = cuda::CudaDevice::open();
    if (!opened)
      return opened.takeError();
    device = std::move(*opened);
    auto ptx = emitPTX(*(*runnable)->compiled.device, *target);
    if (!ptx)
      return ptx.takeError();
    image = std::move(*ptx);
  }
  int64_t runs = 0;
  for (const std::vector<int64_t> &sizes : chooseSizes(state, {tile}))
    for (Fill fill : {Fill::mixed, Fill::tiny, Fill::special}) {
      if (llvm::Error error = compareAt(**runnable, sizes, fill, request))
        return error;
      ++runs;
    }
  if (tolerated.empty())
    report = llvm::formatv("executors agree bit for bit in {0} runs\n", runs);
  else
    report = llvm::formatv("executors agree within {0:e2} in {1} runs ({2} has "
                           "no promised bits)\n",
                           largest, runs, tolerated);
  return llvm::Error::success();
}

void klineage::registerTestExecutorsPass() {
  PassRegistration<TestExecutorsPass>();
}
