//===- MemoryPool.h - Device memory with names, reuse and range checks
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_CUDA_MEMORYPOOL_H
#define KLINEAGE_LIB_GATE_CUDA_MEMORYPOOL_H

#include "KLineage/Gate/Cuda/CudaDevice.h"
#include <map>

namespace klineage::cuda {

/// All device memory of one CudaDevice. A released block is kept for the next
/// request of the same rounded size; since all work is on one stream, reuse is
/// ordered after the last use. Kept blocks go back when memory runs short.
class MemoryPool {
public:
  explicit MemoryPool(CudaDevice &device) : device(device) {}
  /// Gives everything back; the context must be current.
  ~MemoryPool();

  /// Zero bytes give an address that nothing is mapped at.
  llvm::Expected<DevicePtr> allocate(int64_t bytes, llvm::StringRef name);
  llvm::Error release(DevicePtr pointer);
  /// Fails unless `bytes` from `pointer` lie in one buffer.
  llvm::Error checkRange(DevicePtr pointer, int64_t bytes,
                         const llvm::Twine &what) const;
  /// Gives kept blocks back to the driver.
  void trim();

private:
  struct Buffer {
    int64_t bytes;   ///< asked for
    int64_t rounded; ///< 0: no memory behind it
    std::string name;
  };
  CudaDevice &device;
  std::map<DevicePtr, Buffer> live;
  std::multimap<int64_t, DevicePtr> kept; ///< by rounded size
  DevicePtr nextEmpty = 0;
};

} // namespace klineage::cuda

#endif // KLINEAGE_LIB_GATE_CUDA_MEMORYPOOL_H
