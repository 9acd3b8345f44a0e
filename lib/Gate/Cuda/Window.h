//===- Window.h - One timed window on the device's stream
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_CUDA_WINDOW_H
#define KLINEAGE_LIB_GATE_CUDA_WINDOW_H

#include "KLineage/Gate/Cuda/Profile.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace klineage::cuda {

/// A buffer of the device's pool that goes back at the end of its scope.
class ScopedBuffer {
public:
  explicit ScopedBuffer(CudaDevice &device) : device(device) {}
  ~ScopedBuffer();
  ScopedBuffer(const ScopedBuffer &) = delete;
  llvm::Error allocate(int64_t size, llvm::StringRef name);
  DevicePtr get() const { return pointer; }
  int64_t bytes() const { return size; }

private:
  CudaDevice &device;
  DevicePtr pointer = 0;
  int64_t size = 0;
};

struct Sample {
  double microseconds = 0; ///< of the whole window
  bool hostBound = false;  ///< the device reached the window before its end
}; ///< was queued

/// Two events and the flush buffer.
class Window {
public:
  explicit Window(CudaDevice &device) : device(device), flush(device) {}
  ~Window();
  Window(const Window &) = delete;
  /// `flushBytes` 0: no flush buffer, samples take no flushes then.
  llvm::Error open(int64_t flushBytes);
  llvm::Expected<Sample> sample(llvm::function_ref<llvm::Error()> work,
                                int64_t flushes);

private:
  CudaDevice &device;
  ScopedBuffer flush;
  Event start = nullptr, end = nullptr;
  unsigned pattern = 0;
};

} // namespace klineage::cuda

#endif // KLINEAGE_LIB_GATE_CUDA_WINDOW_H
