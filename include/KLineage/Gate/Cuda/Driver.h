//===- Driver.h - The CUDA driver, found and resolved at run time
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_GATE_CUDA_DRIVER_H
#define KLINEAGE_GATE_CUDA_DRIVER_H

#include "KLineage/Gate/Cuda/CudaError.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace klineage::cuda {

// The driver's ABI, as far as we use it. No CUDA header is needed.
using DevicePtr = unsigned long long; ///< CUdeviceptr
using Context = struct ContextHandle *;
using Module = struct ModuleHandle *;
using Function = struct FunctionHandle *;
using Stream = struct StreamHandle *;
using Event = struct EventHandle *;

constexpr int kSuccess = 0;
constexpr int kErrorOutOfMemory = 2;
constexpr int kErrorNotReady = 600;

/// The functions of the CUDA driver. Loading it initialises nothing: a process
/// that forks afterwards is still free to use CUDA in the child.
class Driver {
public:
  /// Opens the driver library and resolves all functions. `path` defaults to
  /// $KLINEAGE_CUDA_DRIVER, then libcuda.so.1. Errors are `unavailable`. The
  /// library stays loaded until the process ends: libcuda does not survive
  /// being unloaded.
  static llvm::Expected<std::shared_ptr<const Driver>>
  load(llvm::StringRef path = "");

  /// CUDA version of the driver: 13000 is 13.0.
  int version() const { return versionNumber; }
  llvm::StringRef path() const { return libraryPath; }

#define KLINEAGE_CUDA_FUNCTION(name, version, required, parameters)            \
  int(*name) parameters = nullptr;
#include "KLineage/Gate/Cuda/DriverFunctions.def"

private:
  Driver() = default;
  llvm::Error resolve();

  std::string libraryPath;
  int versionNumber = 0;
  int (*getProcAddress)(const char *, void **, int, uint64_t, int *) = nullptr;
};

/// "13.0" for 13000.
std::string versionText(int version);

/// Whether a device can be used, and one sentence that says which or why not.
struct ProbeResult {
  bool usable = false;
  std::string sentence;
};

/// Looks for a usable device in a short-lived child process (the driver and a
/// primary context are tried for real), so that this process stays free to
/// fork CUDA users and survives a driver that crashes or hangs. Costs one CUDA
/// start, some hundred milliseconds: keep the answer.
ProbeResult probe(int ordinal = 0, unsigned timeoutSeconds = 60);

/// The same in this process, which must not fork CUDA users afterwards.
ProbeResult probeHere(int ordinal = 0);

} // namespace klineage::cuda

#endif // KLINEAGE_GATE_CUDA_DRIVER_H
