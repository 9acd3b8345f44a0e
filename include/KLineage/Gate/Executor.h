//===- Executor.h - Running a compiled state on the CPU or a GPU
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_GATE_EXECUTOR_H
#define KLINEAGE_GATE_EXECUTOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace klineage {

struct Dim3 {
  int64_t x = 1, y = 1, z = 1;
  int64_t count() const { return x * y * z; }
};

/// One kernel launch as the host code of an entry function asks for it.
/// `args` holds one pointer per kernel parameter, to its value (as
/// cuLaunchKernel takes it): a device pointer, or a scalar of `argBytes` bytes.
struct LaunchRequest {
  llvm::StringRef kernel;
  Dim3 grid, block;
  int64_t dynamicSharedBytes = 0;
  llvm::ArrayRef<void *> args;
};

/// The one interface that host code of an entry talks to; `simt` and `cuda`
/// implement it. Pointers are device pointers of that runtime. An error is one
/// clear line; after an error every further call fails with the same error.
class DeviceRuntime {
public:
  virtual ~DeviceRuntime() = default;

  /// At least 256-byte aligned. Zero bytes give a valid, unique, unusable
  /// pointer.
  virtual llvm::Expected<void *> allocate(int64_t bytes,
                                          llvm::StringRef name) = 0;
  virtual llvm::Error release(void *pointer) = 0;
  virtual llvm::Error copyToDevice(void *dst, const void *src,
                                   int64_t bytes) = 0;
  virtual llvm::Error copyToHost(void *dst, const void *src, int64_t bytes) = 0;
  /// A launch with a zero extent in the grid does nothing and succeeds.
  virtual llvm::Error launch(const LaunchRequest &request) = 0;
  virtual llvm::Error synchronize() = 0;
};

} // namespace klineage

#endif // KLINEAGE_GATE_EXECUTOR_H
