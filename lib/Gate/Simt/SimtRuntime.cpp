//===- SimtRuntime.cpp - DeviceRuntime over a Program
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Simt/SimtRuntime.h"
#include "Memory.h"
#include "Runner.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <atomic>
#include <cstring>
#include <numeric>
#include <thread>

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

struct SimtRuntime::Impl {
  explicit Impl(Program::Impl &program)
      : program(program), log(program.options.maxFindings) {
    const HostModule &host = program.host;
    for (auto [global, address] : zip(host.globals, program.globalAddresses))
      memory.adopt(global.name, address, global.bytes);
    counts.resize(host.kernels.size());
    if (program.options.mode == Mode::checked)
      checker = std::make_unique<Checker>(program, memory, log);
  }

  /// After the first error every call fails with it.
  Error remember(Error error) {
    if (error) {
      noMemory = error.isA<MemoryError>();
      failure = toString(std::move(error));
    }
    return failed();
  }
  Error failed() const {
    if (failure.empty())
      return Error::success();
    return noMemory ? make_error<MemoryError>(failure)
                    : createStringError(failure);
  }

  Error describe(const LaunchRequest &request, unsigned index, Launch &launch);
  void checkPointers(const Launch &launch);
  Error checkShared(const Launch &launch);
  Error runBlocks(const Launch &launch, unsigned index);
  Error runChecked(const Launch &launch, int64_t blocks,
                   function_ref<int64_t(int64_t)> blockAt, unsigned index);
  Error runFast(const Launch &launch, int64_t blocks,
                function_ref<int64_t(int64_t)> blockAt);
  void growRunners(unsigned count);

  Program::Impl &program;
  FindingLog log;
  DeviceMemory memory;
  std::unique_ptr<Checker> checker;
  std::vector<std::unique_ptr<BlockRunner>> runners;
  std::vector<Counts> counts; ///< per kernel; `launches` 0: never launched
  std::string failure;
  bool noMemory = false; ///< why it failed
};

SimtRuntime::SimtRuntime(Program &program)
    : pimpl(std::make_unique<Impl>(program.impl())) {}
SimtRuntime::~SimtRuntime() = default;

Expected<void *> SimtRuntime::allocate(int64_t bytes, StringRef name) {
  if (Error error = pimpl->failed())
    return std::move(error);
  auto buffer = pimpl->memory.allocate(bytes, name);
  if (!buffer)
    return pimpl->remember(buffer.takeError());
  return (*buffer)->base;
}

Error SimtRuntime::release(void *pointer) {
  if (Error error = pimpl->failed())
    return error;
  return pimpl->remember(pimpl->memory.release(pointer));
}

Error SimtRuntime::copyToDevice(void *dst, const void *src, int64_t bytes) {
  if (Error error = pimpl->failed())
    return error;
  if (Error error = pimpl->memory.checkRange(dst, bytes, "copy to the device"))
    return pimpl->remember(std::move(error));
  if (bytes > 0) // An empty buffer may be null.
    std::memcpy(dst, src, bytes);
  return Error::success();
}

Error SimtRuntime::copyToHost(void *dst, const void *src, int64_t bytes) {
  if (Error error = pimpl->failed())
    return error;
  if (Error error = pimpl->memory.checkRange(src, bytes, "copy to the host"))
    return pimpl->remember(std::move(error));
  if (bytes > 0) // An empty buffer may be null.
    std::memcpy(dst, src, bytes);
  return Error::success();
}

Error SimtRuntime::synchronize() {
  if (Error error = pimpl->failed())
    return error;
  return pimpl->remember(pimpl->memory.checkGuards());
}

const std::vector<Finding> &SimtRuntime::findings() const {
  return pimpl->log.list();
}

std::vector<Counts> SimtRuntime::counts() const {
  std::vector<Counts> result;
  for (auto [counts, kernel] : zip(pimpl->counts, pimpl->program.host.kernels))
    if (counts.launches) {
      result.push_back(counts);
      result.back().kernel = kernel.name;
    }
  return result;
}

Error SimtRuntime::launch(const LaunchRequest &request) {
  if (Error error = pimpl->failed())
    return error;
  auto it = pimpl->program.kernelIndex.find(request.kernel);
  if (it == pimpl->program.kernelIndex.end())
    return pimpl->remember(
        createStringError("simt: no kernel '" + request.kernel + "'"));
  Launch launch;
  if (Error error = pimpl->describe(request, it->second, launch))
    return pimpl->remember(std::move(error));
  if (launch.grid.x == 0 || launch.grid.y == 0 || launch.grid.z == 0)
    return Error::success();
  return pimpl->remember(pimpl->runBlocks(launch, it->second));
}

static std::string text(const Dim3 &dim) {
  return (Twine(dim.x) + " x " + Twine(dim.y) + " x " + Twine(dim.z)).str();
}

static Error refuse(const KernelInfo &kernel, const Twine &why) {
  return createStringError("simt: kernel '" + kernel.name + "': " + why);
}

Error SimtRuntime::Impl::describe(const LaunchRequest &request, unsigned index,
                                  Launch &launch) {
  const KernelInfo &kernel = program.host.kernels[index];
  Dim3 grid = request.grid, block = request.block;
  if (grid.x < 0 || grid.x > INT32_MAX || grid.y < 0 || grid.y > 65535 ||
      grid.z < 0 || grid.z > 65535)
    return refuse(kernel,
                  "a grid of " + text(grid) + " blocks cannot be launched");
  if (block.x < 1 || block.y < 1 || block.z < 1 || block.x > 1024 ||
      block.y > 1024 || block.z > 64 || block.count() > maxThreadsPerBlock)
    return refuse(kernel,
                  "a block of " + text(block) + " threads cannot be launched");
  int64_t asked[3] = {block.x, block.y, block.z};
  for (int i = 0; i < 3; ++i)
    if (kernel.blockDim[i] && kernel.blockDim[i] != asked[i])
      return refuse(kernel, "launched with a block of " + text(block) +
                                ", compiled for " +
                                text({kernel.blockDim[0], kernel.blockDim[1],
                                      kernel.blockDim[2]}));
  if (request.args.size() != kernel.params.size())
    return refuse(kernel, "takes " + Twine(kernel.params.size()) +
                              " parameters, the launch has " +
                              Twine(request.args.size()));
  launch.kernel = &kernel;
  launch.entry = program.entries[index];
  launch.args = const_cast<void **>(request.args.data());
  launch.grid = grid;
  launch.block = block;
  launch.numThreads = block.count();
  launch.dynamicShared = request.dynamicSharedBytes;
  launch.arenaUsed = kernel.dynamicOffset
                         ? kernel.dynamicOffset + launch.dynamicShared
                         : kernel.arenaBytes;
  return checkShared(launch);
}

/// The context of a fault that no thread has, but the launch itself.
static ThreadCtx launchContext(const Launch &launch) {
  ThreadCtx ctx = {};
  ctx.ntid[0] = launch.block.x;
  ctx.ntid[1] = launch.block.y;
  ctx.ntid[2] = launch.block.z;
  return ctx;
}

Error SimtRuntime::Impl::checkShared(const Launch &launch) {
  const KernelInfo &kernel = *launch.kernel;
  if (launch.dynamicShared < 0)
    return refuse(kernel, "a negative amount of dynamic shared memory");
  auto total = checkedAdd(kernel.staticShared, launch.dynamicShared);
  if (total && *total <= program.options.sharedLimitBytes &&
      launch.arenaUsed <= arenaBytes)
    return Error::success();
  std::string why = ("needs " + Twine(kernel.staticShared) + " static and " +
                     Twine(launch.dynamicShared) +
                     " dynamic bytes of shared memory, the limit is " +
                     Twine(program.options.sharedLimitBytes))
                        .str();
  if (Finding *finding = log.report(FindingKind::shared_overflow, kernel.name,
                                    nullptr, 0, launchContext(launch))) {
    finding->detail = why;
    finding->location = "launch of " + kernel.name;
  }
  return refuse(kernel, why);
}

/// Codegen relied on the alignment of the arguments.
void SimtRuntime::Impl::checkPointers(const Launch &launch) {
  for (auto [index, param] : enumerate(launch.kernel->params)) {
    uint64_t value = 0;
    if (!param.isPointer || param.align <= 1)
      continue;
    std::memcpy(&value, launch.args[index], sizeof(value));
    if (value % param.align == 0)
      continue;
    if (Finding *finding =
            log.report(FindingKind::misaligned, launch.kernel->name, nullptr,
                       index, launchContext(launch))) {
      finding->detail = ("parameter " + Twine(index) + " needs alignment " +
                         Twine(param.align))
                            .str();
      finding->location = "launch of " + launch.kernel->name;
    }
  }
}

void SimtRuntime::Impl::growRunners(unsigned count) {
  while (runners.size() < count)
    runners.push_back(
        std::make_unique<BlockRunner>(program, log, checker.get()));
}

Error SimtRuntime::Impl::runBlocks(const Launch &launch, unsigned index) {
  // Both products of 32-bit extents fit; the third factor may not.
  auto blocks = checkedMul(launch.grid.x * launch.grid.y, launch.grid.z);
  if (!blocks)
    return refuse(*launch.kernel, "the grid has too many blocks");
  Order order = program.options.order;
  std::vector<int64_t> shuffled;
  if (order == Order::random) {
    shuffled.resize(*blocks);
    std::iota(shuffled.begin(), shuffled.end(), 0);
    std::mt19937_64 random(program.options.seed);
    std::shuffle(shuffled.begin(), shuffled.end(), random);
  }
  int64_t last = *blocks - 1;
  auto blockAt = [&, order](int64_t i) {
    return order == Order::forward   ? i
           : order == Order::reverse ? last - i
                                     : shuffled[i];
  };
  return checker ? runChecked(launch, *blocks, blockAt, index)
                 : runFast(launch, *blocks, blockAt);
}

static Error deadlock(const Launch &launch) {
  return refuse(*launch.kernel, "deadlock: every live thread of a block waits");
}

Error SimtRuntime::Impl::runChecked(const Launch &launch, int64_t blocks,
                                    function_ref<int64_t(int64_t)> blockAt,
                                    unsigned index) {
  growRunners(1);
  BlockRunner &runner = *runners.front();
  if (Error error = runner.prepare(launch))
    return error;
  checkPointers(launch);
  checker->beginLaunch(launch, counts[index]);
  bool alive = true;
  for (int64_t i = 0; i < blocks && alive; ++i)
    alive = runner.run(launch, blockAt(i), i);
  checker->endLaunch();
  return alive ? Error::success() : deadlock(launch);
}

Error SimtRuntime::Impl::runFast(const Launch &launch, int64_t blocks,
                                 function_ref<int64_t(int64_t)> blockAt) {
  unsigned cores = program.options.osThreads
                       ? program.options.osThreads
                       : std::max(1u, std::thread::hardware_concurrency());
  unsigned workers = std::min<int64_t>(cores, blocks);
  growRunners(workers);
  std::atomic<int64_t> next{0};
  std::atomic<bool> alive{true};
  std::mutex mutex;
  std::string failures;
  auto work = [&](unsigned worker) {
    if (Error error = runners[worker]->prepare(launch)) {
      std::lock_guard<std::mutex> lock(mutex);
      failures = toString(std::move(error));
      alive = false;
      return;
    }
    for (int64_t i; alive && (i = next++) < blocks;)
      if (!runners[worker]->run(launch, blockAt(i), i))
        alive = false;
  };
  std::vector<std::thread> others;
  for (unsigned worker = 1; worker < workers; ++worker)
    others.emplace_back(work, worker);
  work(0);
  for (std::thread &thread : others)
    thread.join();
  if (!failures.empty())
    return createStringError(failures);
  return alive ? Error::success() : deadlock(launch);
}
