//===- CudaRuntime.h - Running PTX or object code through the CUDA driver
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_GATE_CUDA_CUDARUNTIME_H
#define KLINEAGE_GATE_CUDA_CUDARUNTIME_H

#include "KLineage/Codegen/KernelImage.h"
#include "KLineage/Gate/Cuda/CudaDevice.h"
#include "KLineage/Gate/Executor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <memory>
#include <string>

namespace klineage::cuda {

/// What the loaded code of one kernel uses.
struct FunctionResources {
  int64_t registers = 0;         ///< per thread
  int64_t localBytes = 0;        ///< per thread: spills and stack
  int64_t staticSharedBytes = 0; ///< per block
  int64_t constantBytes = 0;
  int64_t maxThreadsPerBlock = 0; ///< what the registers leave
  int64_t binaryVersion = 0;      ///< 90 for sm_90
};

struct RuntimeOptions {
  /// Wait after each launch, so that a fault names the kernel that made it.
  /// For correctness runs; never while timing.
  bool synchronizeLaunches = false;
};

/// DeviceRuntime over one module on one device. Everything is ordered on the
/// device's stream; copies return when they are done. Memory that is released
/// is kept and handed out again in stream order, so that an entry which
/// allocates temporaries can be timed. Buffers of one runtime may be used by
/// another one on the same device. The first error of any call sticks.
class CudaRuntime : public DeviceRuntime {
public:
  /// Loads `image`, PTX text or an object file, and looks up `kernels`. The
  /// driver's log is part of a `compile` error. Shared memory beyond 48 KiB
  /// that an image asks for is granted here or refused with `resource_limit`.
  static llvm::Expected<std::unique_ptr<CudaRuntime>>
  create(std::shared_ptr<CudaDevice> device, llvm::StringRef image,
         llvm::ArrayRef<KernelImage> kernels, RuntimeOptions options = {});
  ~CudaRuntime() override;

  llvm::Expected<void *> allocate(int64_t bytes, llvm::StringRef name) override;
  llvm::Error release(void *pointer) override;
  llvm::Error copyToDevice(void *dst, const void *src, int64_t bytes) override;
  llvm::Error copyToHost(void *dst, const void *src, int64_t bytes) override;
  /// Shapes, shared memory, parameter count and promised alignment are checked
  /// against the kernel and the device before the driver is called.
  llvm::Error launch(const LaunchRequest &request) override;
  llvm::Error synchronize() override;

  /// Null for a kernel that is not in the module.
  const FunctionResources *resources(llvm::StringRef kernel) const;
  /// What the driver's compiler had to say (registers, spills, warnings).
  llvm::StringRef jitLog() const { return log; }
  CudaDevice &getDevice() { return *device; }

private:
  struct Kernel {
    KernelImage image;
    Function function = nullptr;
    FunctionResources resources;
    int64_t dynamicAllowed = 0; ///< dynamic shared bytes granted so far
  };

  CudaRuntime(std::shared_ptr<CudaDevice> device, RuntimeOptions options)
      : device(std::move(device)), options(options) {}
  llvm::Error loadModule(llvm::StringRef image);
  llvm::Error addKernel(const KernelImage &image);
  llvm::Error readResources(Kernel &kernel);
  llvm::Error checkParameters(const Kernel &kernel);
  llvm::Error grantShared(Kernel &kernel, int64_t dynamicBytes);
  llvm::Error checkShape(const Kernel &kernel, const LaunchRequest &request);
  llvm::Error checkArguments(const Kernel &kernel,
                             const LaunchRequest &request);
  llvm::Error launchChecked(const LaunchRequest &request);
  llvm::Error enter();
  llvm::Error remember(llvm::Error error);

  std::shared_ptr<CudaDevice> device;
  RuntimeOptions options;
  Module module = nullptr;
  llvm::StringMap<Kernel> kernels;
  std::map<DevicePtr, std::string> live; ///< buffers of this runtime
  std::string log;
  std::unique_ptr<CudaError> failure;
};

} // namespace klineage::cuda

#endif // KLINEAGE_GATE_CUDA_CUDARUNTIME_H
