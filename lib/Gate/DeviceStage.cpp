//===- DeviceStage.cpp - Correctness and profile on a GPU
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judgement.h"
#include "KLineage/Gate/Cuda/CudaRuntime.h"
#include "KLineage/Gate/Cuda/Profile.h"
#include "KLineage/State/State.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir;
using namespace klineage;

namespace {

/// A state on the GPU: host code, and its kernels loaded.
struct DeviceState {
  std::unique_ptr<RunnableState> state;
  std::unique_ptr<cuda::CudaRuntime> runtime;
};

/// The stage, on one device that it starts in this (the child's) process.
/// States are loaded when they are first needed, and kept for the other fills.
class DeviceStage {
public:
  explicit DeviceStage(Judgement &judgement) : judgement(judgement) {}
  bool run();

private:
  llvm::Expected<DeviceState> load(ModuleOp module);
  DeviceState *subject(StringRef text);
  DeviceState *reference(StringRef text);
  bool judgeAt(StringRef original, StringRef candidate, ArrayRef<int64_t> sizes,
               Fill fill);
  bool expect(StringRef text, ArrayRef<int64_t> sizes, Expectation &expected);
  std::vector<int64_t> realSizes(StringRef text);
  bool profile(ArrayRef<int64_t> sizes);
  bool refuse(llvm::Error error, const Twine &how);
  bool harnessError(const Twine &what, llvm::Error error) {
    return judgement.stop(
        VerdictKind::harness_error, "harness",
        (what + judgement.failureText(std::move(error))).str());
  }

  Judgement &judgement;
  std::shared_ptr<cuda::CudaDevice> device;
  std::map<std::string, DeviceState> subjects, references;
};

} // namespace

/// Bytes of all arguments that the GPU runs may take, f64 copies not counted.
static constexpr int64_t kMaxArgumentBytes = int64_t(2) << 30;

/// What an error of the device says about the candidate.
static VerdictKind verdictOf(cuda::ErrorKind kind) {
  switch (kind) {
  case cuda::ErrorKind::unavailable:
  case cuda::ErrorKind::out_of_memory:
    return VerdictKind::unsupported;
  case cuda::ErrorKind::compile:
    return VerdictKind::compile_error;
  case cuda::ErrorKind::resource_limit:
    return VerdictKind::illegal;
  case cuda::ErrorKind::device_fault:
    return VerdictKind::unsafe;
  case cuda::ErrorKind::timeout:
    return VerdictKind::timeout;
  case cuda::ErrorKind::implausible_time:
  case cuda::ErrorKind::usage:
  case cuda::ErrorKind::driver:
    return VerdictKind::harness_error;
  }
  return VerdictKind::harness_error;
}

bool DeviceStage::refuse(llvm::Error error, const Twine &how) {
  VerdictKind kind = VerdictKind::compile_error;
  std::string text;
  llvm::handleAllErrors(
      std::move(error),
      [&](const cuda::CudaError &failure) {
        kind = verdictOf(failure.getKind());
        text = failure.getMessage().str();
      },
      [&](const AssemblerError &broken) {
        kind = VerdictKind::harness_error;
        text = broken.message();
      },
      [&](const llvm::ErrorInfoBase &other) { text = other.message(); });
  return judgement.stop(kind, "correctness", (text + " (" + how + ")").str());
}

/// Machine code where ptxas is at hand; else the driver compiles the PTX.
llvm::Expected<DeviceState> DeviceStage::load(ModuleOp module) {
  const TargetInfo &target = *judgement.request.target;
  DeviceState result;
  auto state = RunnableState::create(module, target);
  if (!state)
    return state.takeError();
  result.state = std::move(*state);
  auto image = emitPTX(*result.state->compiled.device, target);
  if (!image)
    return image.takeError();
  if (!findPtxas().empty()) {
    auto assembled = runPtxas(*image, target);
    if (!assembled)
      return assembled.takeError();
    *image = std::move(assembled->cubin);
  }
  auto runtime = cuda::CudaRuntime::create(device, *image,
                                           result.state->compiled.kernels, {});
  if (!runtime)
    return runtime.takeError();
  result.runtime = std::move(*runtime);
  return result;
}

/// Null after `stop`.
DeviceState *DeviceStage::subject(StringRef text) {
  auto [entry, isNew] = subjects.try_emplace(text.str());
  if (!isNew)
    return &entry->second;
  OwningOpRef<ModuleOp> module = judgement.parse(text);
  if (!module) {
    judgement.stop(VerdictKind::compile_error, "compile",
                   judgement.diagnostics);
    return nullptr;
  }
  auto loaded = load(*module);
  if (!loaded) {
    refuse(loaded.takeError(), "loading it on the GPU");
    return nullptr;
  }
  entry->second = std::move(*loaded);
  return &entry->second;
}

/// In f64 where that has a meaning and bits are not what is compared. Null
/// after `stop`.
DeviceState *DeviceStage::reference(StringRef text) {
  auto [entry, isNew] = references.try_emplace(text.str());
  if (!isNew)
    return &entry->second;
  OwningOpRef<ModuleOp> module = judgement.parse(text);
  if (!module) {
    judgement.stop(VerdictKind::harness_error, "harness",
                   "the reference is not valid: " + judgement.diagnostics);
    return nullptr;
  }
  if (judgement.request.numerics != Numerics::bit_exact) {
    OwningOpRef<ModuleOp> wide = module->clone();
    if (succeeded(widenFloats(*wide)))
      module = std::move(wide);
  }
  auto loaded = load(*module);
  if (!loaded) {
    harnessError("the reference does not load on the GPU: ",
                 loaded.takeError());
    return nullptr;
  }
  entry->second = std::move(*loaded);
  return &entry->second;
}

bool DeviceStage::expect(StringRef text, ArrayRef<int64_t> sizes,
                         Expectation &expected) {
  enterPhase(Phase::reference);
  DeviceState *original = reference(text);
  if (!original)
    return false;
  auto run = [&](const std::vector<HostBuffer> &buffers,
                 std::optional<uint8_t> poison) {
    return runState(*original->state, *original->runtime, buffers, poison);
  };
  llvm::Error error = expectOutputs(expected, *original->state, sizes, run);
  return !error || harnessError("the reference does not run on the GPU: ",
                                std::move(error));
}

bool DeviceStage::judgeAt(StringRef original, StringRef candidate,
                          ArrayRef<int64_t> sizes, Fill fill) {
  enterPhase(Phase::compile);
  DeviceState *state = subject(candidate);
  if (!state)
    return false;
  Expectation expected;
  expected.given = state->state->arguments(sizes);
  for (auto [index, buffer] : llvm::enumerate(expected.given))
    fillInput(buffer, fill, judgement.request.seed * 131 + index);
  if (!expect(original, sizes, expected))
    return false;
  std::optional<uint8_t> poison;
  if (expected.poisonOutputs)
    poison = 0x5A;
  std::string how = "cuda; " + sizesText(expected.given);
  enterPhase(Phase::candidate);
  auto found = runState(*state->state, *state->runtime, expected.given, poison);
  if (!found)
    return refuse(found.takeError(), how);
  ++judgement.verdict.runs;
  if (!agree(judgement, expected, *found, how))
    return false;
  if (fill == Fill::mixed)
    judgement.verdict.domain.push_back("cuda " + sizesText(expected.given) +
                                       " on " + device->facts().name);
  return true;
}

/// Sizes of the run at real extents: what is asked for, halved until the
/// arguments fit.
std::vector<int64_t> DeviceStage::realSizes(StringRef text) {
  OwningOpRef<ModuleOp> module = judgement.parse(text);
  if (!module)
    return {};
  auto bytes = [&](ArrayRef<int64_t> sizes) {
    double total = 0;
    for (Type type : (*lookupEntry(*module)).getArgumentTypes()) {
      auto memref = dyn_cast<MemRefType>(type);
      double count = memref ? 8 : 0;
      for (int64_t dim = 0; memref && dim < memref.getRank(); ++dim) {
        bool dynamic = memref.isDynamicDim(dim);
        count *= dynamic ? double(sizes.front()) : memref.getDimSize(dim);
        sizes = dynamic ? sizes.drop_front() : sizes;
      }
      total += count;
    }
    return total;
  };
  int64_t extent = judgement.request.deviceExtent;
  std::vector<int64_t> sizes = uniformSizes(*module, extent);
  while (extent > 1 && bytes(sizes) > kMaxArgumentBytes)
    sizes = uniformSizes(*module, extent /= 2);
  return sizes;
}

/// Bytes of the arguments that an execution cannot do without: outputs, and
/// inputs that a linalg operation of the reference reads as they are.
static cuda::Traffic trafficOf(ModuleOp reference,
                               ArrayRef<HostBuffer> arguments) {
  cuda::Traffic traffic;
  func::FuncOp entry = *lookupEntry(reference);
  for (auto [arg, buffer] : llvm::zip_equal(entry.getArguments(), arguments)) {
    bool read = false, written = false;
    for (OpOperand &use : arg.getUses())
      if (auto op = dyn_cast<linalg::LinalgOp>(use.getOwner())) {
        written |= op.isDpsInit(&use);
        read |= op.isDpsInput(&use) &&
                op.getMatchingIndexingMap(&use).isProjectedPermutation();
      }
    if (written)
      traffic.bytesWritten += buffer.bytes.size();
    else if (read)
      traffic.bytesRead += buffer.bytes.size();
  }
  return traffic;
}

/// Above this part of a time two medians differ, given how they spread.
static double noiseOf(const cuda::TimedRun &a, const cuda::TimedRun &b) {
  return std::max(0.02,
                  2 * (a.spreadUs / a.medianUs + b.spreadUs / b.medianUs));
}

static Profile toProfile(const cuda::PairProfile &pair, int64_t bytes) {
  Profile profile;
  profile.baselineUs = pair.baseline.medianUs;
  profile.candidateUs = pair.candidate.medianUs;
  profile.baselineSpreadUs = pair.baseline.spreadUs;
  profile.candidateSpreadUs = pair.candidate.spreadUs;
  profile.speedup = pair.speedup;
  profile.noise = noiseOf(pair.baseline, pair.candidate);
  profile.samples = pair.candidate.samples;
  profile.hostBound = pair.baseline.hostBound + pair.candidate.hostBound;
  profile.bytes = bytes;
  profile.copyGBps = pair.copyBytesPerSecond * 1e-9;
  profile.candidateGBps = bytes / pair.candidate.medianUs * 1e-3;
  return profile;
}

bool DeviceStage::profile(ArrayRef<int64_t> sizes) {
  const GateRequest &request = judgement.request;
  DeviceState *baseline =
      subject(request.baseline.empty() ? request.reference : request.baseline);
  DeviceState *candidate = baseline ? subject(request.subject) : nullptr;
  if (!candidate)
    return false;
  std::vector<HostBuffer> given = candidate->state->arguments(sizes);
  for (auto [index, buffer] : llvm::enumerate(given))
    fillInput(buffer, Fill::mixed, request.seed * 131 + index);
  // Both work on the same buffers, so that neither has better addresses.
  DeviceArguments arguments(*candidate->runtime);
  if (llvm::Error error =
          arguments.upload(*candidate->state, given, std::nullopt))
    return refuse(std::move(error), "profile");
  for (DeviceState *state : {baseline, candidate})
    if (llvm::Error error =
            state->state->host->run(*state->runtime, arguments.get()))
      return refuse(std::move(error), "profile");
  OwningOpRef<ModuleOp> reference = judgement.parse(request.reference);
  cuda::Traffic traffic = trafficOf(*reference, given);
  auto timed = [&](DeviceState &state) {
    return [&] {
      return state.state->host->enqueue(*state.runtime, arguments.get());
    };
  };
  cuda::ProfileOptions options;
  options.seed = request.seed;
  auto pair = cuda::profilePair(*device, timed(*baseline), timed(*candidate),
                                options, traffic);
  if (!pair)
    return refuse(pair.takeError(), "profile");
  Profile profile = toProfile(*pair, traffic.bytesRead + traffic.bytesWritten);
  profile.device = device->facts().name;
  profile.driver = cuda::versionText(device->facts().driverVersion);
  profile.sizes = sizesText(given);
  judgement.verdict.profile = profile;
  if (profile.speedup < 1 - profile.noise)
    return judgement.stop(
        VerdictKind::slower, "profile",
        llvm::formatv("{0:f2} us, {1:f2} us before (speedup {2:f3}, noise "
                      "{3:f3})",
                      profile.candidateUs, profile.baselineUs, profile.speedup,
                      profile.noise));
  return true;
}

bool DeviceStage::run() {
  const GateRequest &request = judgement.request;
  auto opened = cuda::CudaDevice::open();
  if (!opened)
    return refuse(opened.takeError(), "starting the GPU");
  device = std::move(*opened);
  for (const GateCase &gateCase : request.cases)
    for (Fill fill : {Fill::mixed, Fill::special})
      if (!judgeAt(gateCase.reference, gateCase.candidate, gateCase.sizes,
                   fill))
        return false;
  if (request.reference.empty() || request.subject.empty())
    return true;
  std::vector<int64_t> sizes = realSizes(request.reference);
  return judgeAt(request.reference, request.subject, sizes, Fill::mixed) &&
         (!request.profile || profile(sizes));
}

bool klineage::deviceStage(Judgement &judgement) {
  return !judgement.request.onDevice || DeviceStage(judgement).run();
}

llvm::Expected<bool> klineage::wantsDevice(StringRef executor) {
  if (executor == "simt")
    return false;
  if (executor != "auto" && executor != "cuda")
    return llvm::createStringError("unknown executor '" + executor +
                                   "'; known are auto, simt, cuda");
  // One answer for the process: looking takes some hundred milliseconds.
  static const cuda::ProbeResult found = cuda::probe();
  if (!found.usable && executor == "cuda")
    return llvm::createStringError("executor=cuda: " + found.sentence);
  return found.usable;
}
