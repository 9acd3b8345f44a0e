//===- Launch.cpp - Checking a launch against the kernel and the device
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Cuda/CudaRuntime.h"
#include <cstring>

using namespace klineage;
using namespace klineage::cuda;
using namespace llvm;

static Error overLimit(const KernelImage &image, const Twine &need,
                       int64_t limit, const Twine &whichLimit) {
  return makeError(ErrorKind::resource_limit,
                   "cuda: kernel '" + image.name + "' needs " + need +
                       ", the limit is " + Twine(limit) + " (" + whichLimit +
                       ")");
}

static Error refuse(const KernelImage &image, const Twine &why) {
  return makeError(ErrorKind::usage,
                   "cuda: kernel '" + image.name + "': " + why);
}

static std::string text(const Dim3 &dim) {
  return (Twine(dim.x) + " x " + Twine(dim.y) + " x " + Twine(dim.z)).str();
}

Error CudaRuntime::checkShape(const Kernel &kernel,
                              const LaunchRequest &request) {
  const KernelImage &image = kernel.image;
  const DeviceFacts &facts = device->facts();
  const int64_t grid[] = {request.grid.x, request.grid.y, request.grid.z};
  const int64_t block[] = {request.block.x, request.block.y, request.block.z};
  const char *const axis[] = {"x", "y", "z"};
  int64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (grid[i] < 0)
      return refuse(image, "a grid of " + text(request.grid) +
                               " blocks cannot be launched");
    if (block[i] < 1)
      return refuse(image, "a block of " + text(request.block) +
                               " threads cannot be launched");
    if (grid[i] > facts.maxGridDim[i])
      return overLimit(image, Twine(grid[i]) + " blocks in grid." + axis[i],
                       facts.maxGridDim[i],
                       Twine("device: grid size in ") + axis[i]);
    if (block[i] > facts.maxBlockDim[i])
      return overLimit(image, Twine(block[i]) + " threads in block." + axis[i],
                       facts.maxBlockDim[i],
                       Twine("device: block size in ") + axis[i]);
    if (image.blockDim[i] && image.blockDim[i] != block[i])
      return refuse(image, "launched with a block of " + text(request.block) +
                               ", compiled for " +
                               text({image.blockDim[0], image.blockDim[1],
                                     image.blockDim[2]}));
    threads *= block[i]; // each at most 1024: no overflow
  }
  if (threads > facts.maxThreadsPerBlock)
    return overLimit(image, Twine(threads) + " threads a block",
                     facts.maxThreadsPerBlock, "device: threads per block");
  int64_t allowed = kernel.resources.maxThreadsPerBlock;
  if (threads > allowed)
    return overLimit(image, Twine(threads) + " threads a block", allowed,
                     "kernel: " + Twine(kernel.resources.registers) +
                         " registers a thread, or its declared maximum");
  return Error::success();
}

Error CudaRuntime::checkArguments(const Kernel &kernel,
                                  const LaunchRequest &request) {
  const KernelImage &image = kernel.image;
  if (request.args.size() != image.params.size())
    return refuse(image, "takes " + Twine(image.params.size()) +
                             " parameters, the launch has " +
                             Twine(request.args.size()));
  for (size_t i = 0, e = image.params.size(); i < e; ++i) {
    const KernelParam &param = image.params[i];
    if (!request.args[i])
      return refuse(image, "parameter " + Twine(i) + " has no value");
    if (!param.isPointer || param.alignment <= 1)
      continue;
    uint64_t value = 0;
    std::memcpy(&value, request.args[i], sizeof(value));
    if (value % param.alignment)
      return refuse(image, "parameter " + Twine(i) + " ('" + param.name +
                               "') is 0x" + Twine::utohexstr(value) +
                               ", the code was promised an alignment of " +
                               Twine(param.alignment));
  }
  return Error::success();
}

Error CudaRuntime::launchChecked(const LaunchRequest &request) {
  auto it = kernels.find(request.kernel);
  if (it == kernels.end())
    return makeError(ErrorKind::usage,
                     "cuda: no kernel '" + request.kernel + "' in the module");
  Kernel &kernel = it->second;
  if (Error error = checkShape(kernel, request))
    return error;
  if (Error error = checkArguments(kernel, request))
    return error;
  if (Error error = grantShared(kernel, request.dynamicSharedBytes))
    return error;
  if (!request.grid.x || !request.grid.y || !request.grid.z)
    return Error::success();
  device->noteLaunch(request.kernel);
  int result = device->api().cuLaunchKernel(
      kernel.function, request.grid.x, request.grid.y, request.grid.z,
      request.block.x, request.block.y, request.block.z,
      request.dynamicSharedBytes, device->stream(),
      const_cast<void **>(request.args.data()), nullptr);
  if (Error error =
          device->check(result, "launching kernel '" + request.kernel + "'"))
    return error;
  if (!options.synchronizeLaunches)
    return Error::success();
  return device->synchronize("running kernel '" + request.kernel + "'");
}
