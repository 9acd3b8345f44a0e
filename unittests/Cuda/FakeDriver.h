//===- FakeDriver.h - Control of the fake CUDA driver
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_UNITTESTS_CUDA_FAKEDRIVER_H
#define KLINEAGE_UNITTESTS_CUDA_FAKEDRIVER_H

#include <cstdint>

/// How the fake behaves. Times are virtual microseconds.
struct FakeConfig {
  int deviceCount = 1;
  int driverVersion = 13000;
  int initResult = 0;
  bool crashInInit = false, hangInInit = false;
  int retainResult = 0;
  int streamResult = 0;
  int moduleResult = 0;
  const char *moduleLog = "";    ///< written when loading a module fails
  const char *missing = "";      ///< a function that the driver lacks
  int64_t memoryBytes = 1 << 30; ///< more gives CUDA_ERROR_OUT_OF_MEMORY
  int eventResult = 0;           ///< of cuEventCreate
  double hostCallUs = 2;         ///< host time of each call
  double bytesPerUs = 1e6;       ///< of copies (per direction) and fills
};

/// Handles that are alive, and calls that were made.
struct FakeCounts {
  int64_t contexts = 0, streams = 0, events = 0, modules = 0, buffers = 0;
  int64_t allocations = 0, launches = 0, badCalls = 0;
};

/// A kernel the fake can run: `run` may be null.
struct FakeKernel {
  void (*run)(void **args) = nullptr;
  double us = 10;      ///< device time of a launch
  double jitterUs = 0; ///< added, alternating 0, 1, 2, 3 times
  int fault = 0;       ///< result that sticks after a launch
  int maxThreads = 1024;
  int staticShared = 0;
};

using FakeResetFn = void(const FakeConfig &);
using FakeCountsFn = void(FakeCounts &);
using FakeKernelFn = void(const char *name, const FakeKernel &);
using FakeLogFn = const char *();

#endif // KLINEAGE_UNITTESTS_CUDA_FAKEDRIVER_H
