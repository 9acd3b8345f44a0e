//===- Driver.cpp - Finding and resolving the CUDA driver
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Cuda/Driver.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace klineage::cuda;
using namespace llvm;

/// CU_GET_PROC_ADDRESS_LEGACY_STREAM: never the per-thread-stream variants.
static constexpr uint64_t kLegacyStream = 1;

std::string klineage::cuda::versionText(int version) {
  return (Twine(version / 1000) + "." + Twine(version % 1000 / 10)).str();
}

static std::string defaultPath() {
  const char *path = std::getenv("KLINEAGE_CUDA_DRIVER");
  return path && *path ? path : "libcuda.so.1";
}

Expected<std::shared_ptr<const Driver>> Driver::load(StringRef path) {
  std::shared_ptr<Driver> driver(new Driver());
  driver->libraryPath = path.empty() ? defaultPath() : path.str();
  // Never closed: libcuda starts threads that outlive its users.
  void *library = dlopen(driver->libraryPath.c_str(),
                         RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) {
    const char *why = dlerror();
    return makeError(ErrorKind::unavailable,
                     Twine("cuda: no driver: ") +
                         (why ? why : driver->libraryPath.c_str()) +
                         "; install the NVIDIA driver, or set "
                         "KLINEAGE_CUDA_DRIVER to the path of libcuda.so.1");
  }
  driver->getProcAddress = reinterpret_cast<decltype(driver->getProcAddress)>(
      dlsym(library, "cuGetProcAddress_v2"));
  if (!driver->getProcAddress)
    return makeError(ErrorKind::unavailable,
                     "cuda: '" + driver->libraryPath +
                         "' has no cuGetProcAddress_v2: a driver older than "
                         "CUDA 12.0 (525), install a newer one");
  if (Error error = driver->resolve())
    return std::move(error);
  if (int result = driver->cuDriverGetVersion(&driver->versionNumber))
    return makeError(ErrorKind::unavailable,
                     "cuda: cuDriverGetVersion: " + describeResult(result),
                     result);
  return driver;
}

Error Driver::resolve() {
  struct Entry {
    const char *name;
    int version;
    bool required;
    void **slot;
  };
  const Entry entries[] = {
#define KLINEAGE_CUDA_FUNCTION(name, version, required, parameters)            \
  {#name, version, required, reinterpret_cast<void **>(&this->name)},
#include "KLineage/Gate/Cuda/DriverFunctions.def"
  };
  for (const Entry &entry : entries) {
    int status = 0;
    void *address = nullptr;
    int result = getProcAddress(entry.name, &address, entry.version,
                                kLegacyStream, &status);
    if (result == kSuccess && status == 0 && address) {
      *entry.slot = address;
      continue;
    }
    if (entry.required)
      return makeError(ErrorKind::unavailable,
                       "cuda: '" + libraryPath + "' lacks " + entry.name +
                           " of CUDA " + versionText(entry.version) +
                           ": not a usable driver, install 525 or newer");
  }
  return Error::success();
}
