//===- CudaDevice.cpp - One GPU: primary context, stream, memory, limits
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Cuda/CudaDevice.h"
#include "MemoryPool.h"

using namespace klineage::cuda;
using namespace llvm;

/// CU_STREAM_NON_BLOCKING: no ordering with the null stream.
static constexpr unsigned kStreamNonBlocking = 1;

CudaDevice::CudaDevice(std::shared_ptr<const Driver> driver, int ordinal)
    : driver(std::move(driver)) {
  deviceFacts.ordinal = ordinal;
}

Expected<std::shared_ptr<CudaDevice>> CudaDevice::open(int ordinal) {
  auto driver = Driver::load();
  if (!driver)
    return driver.takeError();
  return open(*driver, ordinal);
}

Expected<std::shared_ptr<CudaDevice>>
CudaDevice::open(std::shared_ptr<const Driver> driver, int ordinal) {
  std::shared_ptr<CudaDevice> device(
      new CudaDevice(std::move(driver), ordinal));
  if (Error error = device->start())
    return std::move(error);
  return device;
}

Error CudaDevice::start() {
  if (Error error = check(driver->cuInit(0), "starting the driver"))
    return error;
  int count = 0;
  if (Error error = check(driver->cuDeviceGetCount(&count), "counting devices"))
    return error;
  int ordinal = deviceFacts.ordinal;
  if (count == 0)
    return makeError(ErrorKind::unavailable,
                     "cuda: the driver sees no GPU; check nvidia-smi, "
                     "CUDA_VISIBLE_DEVICES and the container's device access");
  if (ordinal < 0 || ordinal >= count)
    return makeError(ErrorKind::unavailable,
                     "cuda: no device " + Twine(ordinal) + ", there are " +
                         Twine(count) + "; see nvidia-smi -L");
  if (Error error = check(driver->cuDeviceGet(&device, ordinal),
                          "opening device " + Twine(ordinal)))
    return error;
  if (Error error = readFacts())
    return error;
  // The handle is set on success only, which is what the destructor looks at.
  Context retained = nullptr;
  if (Error error = check(driver->cuDevicePrimaryCtxRetain(&retained, device),
                          "creating a context on " + deviceFacts.name))
    return error;
  context = retained;
  if (Error error = enter())
    return error;
  if (Error error =
          check(driver->cuStreamCreate(&workStream, kStreamNonBlocking),
                "creating a stream"))
    return error;
  pool = std::make_unique<MemoryPool>(*this);
  return Error::success();
}

CudaDevice::~CudaDevice() {
  if (!context)
    return;
  // On a dead context these calls fail, and the driver has already cleaned up.
  (void)driver->cuCtxSetCurrent(context);
  if (workStream)
    (void)driver->cuStreamSynchronize(workStream);
  pool.reset();
  if (workStream)
    (void)driver->cuStreamDestroy(workStream);
  (void)driver->cuCtxSetCurrent(nullptr);
  (void)driver->cuDevicePrimaryCtxRelease(device);
}

Error CudaDevice::readFacts() {
  char name[256] = {};
  if (Error error =
          check(driver->cuDeviceGetName(name, sizeof(name) - 1, device),
                "reading the device's name"))
    return error;
  DeviceFacts &facts = deviceFacts;
  facts.name = name;
  facts.driverVersion = driver->version();
  // Values of CUdevice_attribute.
  const std::pair<int, int64_t *> attributes[] = {
      {1, &facts.maxThreadsPerBlock}, {2, &facts.maxBlockDim[0]},
      {3, &facts.maxBlockDim[1]},     {4, &facts.maxBlockDim[2]},
      {5, &facts.maxGridDim[0]},      {6, &facts.maxGridDim[1]},
      {7, &facts.maxGridDim[2]},      {8, &facts.sharedPerBlock},
      {12, &facts.registersPerBlock}, {16, &facts.multiprocessors},
      {38, &facts.l2Bytes},           {75, &facts.computeMajor},
      {76, &facts.computeMinor},      {97, &facts.sharedPerBlockOptIn}};
  for (auto [attribute, slot] : attributes) {
    int value = 0;
    if (Error error =
            check(driver->cuDeviceGetAttribute(&value, attribute, device),
                  "reading device attribute " + Twine(attribute)))
      return error;
    *slot = value;
  }
  size_t total = 0;
  if (Error error = check(driver->cuDeviceTotalMem(&total, device),
                          "reading the size of device memory"))
    return error;
  facts.totalBytes = total;
  return Error::success();
}

Error CudaDevice::enter() {
  if (failed())
    return makeError(faultKind, fault, faultResult);
  return check(driver->cuCtxSetCurrent(context), "making the context current");
}

Error CudaDevice::check(int result, const Twine &what) {
  if (result == kSuccess)
    return Error::success();
  if (failed())
    return makeError(faultKind, fault, faultResult);
  std::string text = ("cuda: " + what + ": " + describeResult(result)).str();
  ErrorKind kind = kindOfResult(result);
  if (isSticky(result)) {
    if (!lastKernel.empty())
      text += "; last kernel launched: '" + lastKernel + "'";
    fault = text;
    faultKind = kind;
    faultResult = result;
  }
  return makeError(kind, text, result);
}

Error CudaDevice::synchronize(const Twine &what) {
  if (Error error = enter())
    return error;
  return check(driver->cuStreamSynchronize(workStream), what);
}

Expected<int64_t> CudaDevice::freeBytes() {
  if (Error error = enter())
    return std::move(error);
  size_t available = 0, total = 0;
  if (Error error = check(driver->cuMemGetInfo(&available, &total),
                          "asking for free memory"))
    return std::move(error);
  return static_cast<int64_t>(available);
}
