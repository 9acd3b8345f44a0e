//===- CudaRuntime.cpp - Memory and life of a loaded module
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Cuda/CudaRuntime.h"
#include "MemoryPool.h"

using namespace klineage;
using namespace klineage::cuda;
using namespace llvm;

static DevicePtr toDevice(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

Expected<std::unique_ptr<CudaRuntime>>
CudaRuntime::create(std::shared_ptr<CudaDevice> device, StringRef image,
                    ArrayRef<KernelImage> kernels, RuntimeOptions options) {
  std::unique_ptr<CudaRuntime> runtime(
      new CudaRuntime(std::move(device), options));
  if (Error error = runtime->device->enter())
    return std::move(error);
  if (Error error = runtime->loadModule(image))
    return std::move(error);
  for (const KernelImage &kernel : kernels)
    if (Error error = runtime->addKernel(kernel))
      return std::move(error);
  return runtime;
}

CudaRuntime::~CudaRuntime() {
  // Also on a dead context: the handles are given back, whatever the answer.
  const Driver &api = device->api();
  consumeError(device->enter());
  if (module)
    (void)api.cuStreamSynchronize(device->stream());
  for (auto &[pointer, name] : live)
    consumeError(device->memory().release(pointer));
  if (module)
    (void)api.cuModuleUnload(module);
}

/// Every call starts here: the first error of this runtime or its device wins.
Error CudaRuntime::enter() {
  if (failure)
    return makeError(failure->getKind(), failure->getMessage(),
                     failure->getResult());
  return remember(device->enter());
}

Error CudaRuntime::remember(Error error) {
  if (!error)
    return Error::success();
  handleAllErrors(std::move(error), [&](const CudaError &found) {
    failure = std::make_unique<CudaError>(
        found.getKind(), found.getMessage().str(), found.getResult());
  });
  return makeError(failure->getKind(), failure->getMessage(),
                   failure->getResult());
}

Expected<void *> CudaRuntime::allocate(int64_t bytes, StringRef name) {
  if (Error error = enter())
    return std::move(error);
  auto pointer = device->memory().allocate(bytes, name);
  if (!pointer)
    return remember(pointer.takeError());
  live[*pointer] = name.str();
  return reinterpret_cast<void *>(static_cast<uintptr_t>(*pointer));
}

Error CudaRuntime::release(void *pointer) {
  if (Error error = enter())
    return error;
  live.erase(toDevice(pointer));
  return remember(device->memory().release(toDevice(pointer)));
}

Error CudaRuntime::copyToDevice(void *dst, const void *src, int64_t bytes) {
  if (Error error = enter())
    return error;
  DevicePtr target = toDevice(dst);
  if (Error error =
          device->memory().checkRange(target, bytes, "copy to the device"))
    return remember(std::move(error));
  if (bytes == 0)
    return Error::success();
  int result =
      device->api().cuMemcpyHtoDAsync(target, src, bytes, device->stream());
  if (Error error = device->check(result, "copying to the device"))
    return remember(std::move(error));
  return remember(device->synchronize("copying to the device"));
}

Error CudaRuntime::copyToHost(void *dst, const void *src, int64_t bytes) {
  if (Error error = enter())
    return error;
  DevicePtr source = toDevice(src);
  if (Error error =
          device->memory().checkRange(source, bytes, "copy to the host"))
    return remember(std::move(error));
  if (bytes == 0)
    return Error::success();
  int result =
      device->api().cuMemcpyDtoHAsync(dst, source, bytes, device->stream());
  if (Error error = device->check(result, "copying to the host"))
    return remember(std::move(error));
  return remember(device->synchronize("copying to the host"));
}

Error CudaRuntime::launch(const LaunchRequest &request) {
  if (Error error = enter())
    return error;
  return remember(launchChecked(request));
}

Error CudaRuntime::synchronize() {
  if (Error error = enter())
    return error;
  return remember(device->synchronize("waiting for the device"));
}

const FunctionResources *CudaRuntime::resources(StringRef kernel) const {
  auto it = kernels.find(kernel);
  return it == kernels.end() ? nullptr : &it->second.resources;
}
