//===- CudaDevice.h - One GPU: primary context, stream, memory, limits
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_GATE_CUDA_CUDADEVICE_H
#define KLINEAGE_GATE_CUDA_CUDADEVICE_H

#include "KLineage/Gate/Cuda/Driver.h"
#include <memory>
#include <string>

namespace klineage::cuda {

class MemoryPool;

/// Facts of a device, as its driver reports them. Sizes in bytes.
struct DeviceFacts {
  std::string name;
  int ordinal = 0;
  int64_t computeMajor = 0, computeMinor = 0; ///< 9, 0 on an H200
  int64_t multiprocessors = 0;
  int64_t maxThreadsPerBlock = 0;
  int64_t maxBlockDim[3] = {0, 0, 0};
  int64_t maxGridDim[3] = {0, 0, 0};
  int64_t sharedPerBlock = 0;      ///< without opt-in
  int64_t sharedPerBlockOptIn = 0; ///< static + dynamic, after opt-in
  int64_t registersPerBlock = 0;
  int64_t l2Bytes = 0;
  int64_t totalBytes = 0; ///< device memory
  int driverVersion = 0;  ///< 13000 is CUDA 13.0
};

/// Owns the primary context of one device, one stream that all work of this
/// process goes to, and the device memory. Runtimes share it. Not thread-safe,
/// but it may move between threads. After a device fault every call fails with
/// the first error.
class CudaDevice {
public:
  /// Initialises CUDA in this process. Errors: `unavailable`, `driver`.
  static llvm::Expected<std::shared_ptr<CudaDevice>>
  open(std::shared_ptr<const Driver> driver, int ordinal = 0);
  /// The same with the default driver.
  static llvm::Expected<std::shared_ptr<CudaDevice>> open(int ordinal = 0);
  /// Waits for the stream, then gives back memory, stream and context.
  ~CudaDevice();
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  const Driver &api() const { return *driver; }
  const DeviceFacts &facts() const { return deviceFacts; }
  Stream stream() const { return workStream; }
  MemoryPool &memory() { return *pool; }

  /// Makes the context current on the calling thread; fails if the device
  /// has failed. To be called before any driver call.
  llvm::Error enter();
  /// Turns the result of a driver call into an error: "cuda: <what>: <result>".
  /// Remembers results that end the context.
  llvm::Error check(int result, const llvm::Twine &what);
  llvm::Error synchronize(const llvm::Twine &what);

  /// Bytes of device memory that are free now, cached buffers not counted.
  llvm::Expected<int64_t> freeBytes();

  /// Named in the message of a fault that shows up later.
  void noteLaunch(llvm::StringRef kernel) { lastKernel = kernel.str(); }
  bool failed() const { return !fault.empty(); }

private:
  CudaDevice(std::shared_ptr<const Driver> driver, int ordinal);
  llvm::Error start();
  llvm::Error readFacts();

  std::shared_ptr<const Driver> driver;
  DeviceFacts deviceFacts;
  int device = 0;
  Context context = nullptr;
  Stream workStream = nullptr;
  std::unique_ptr<MemoryPool> pool;
  std::string lastKernel;
  std::string fault; ///< text of the first error that ended the context
  ErrorKind faultKind = ErrorKind::driver;
  int faultResult = 0;
};

} // namespace klineage::cuda

#endif // KLINEAGE_GATE_CUDA_CUDADEVICE_H
