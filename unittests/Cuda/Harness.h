//===- Harness.h - Tests over the fake driver
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_UNITTESTS_CUDA_HARNESS_H
#define KLINEAGE_UNITTESTS_CUDA_HARNESS_H

#include "FakeDriver.h"
#include "KLineage/Gate/Cuda/CudaRuntime.h"
#include "gtest/gtest.h"
#include <dlfcn.h>
#include <optional>

namespace klineage::cuda {

/// Points KLINEAGE_CUDA_DRIVER to the fake, and checks at the end of each test
/// that every handle was given back and no call was wrong.
class FakeDriverTest : public ::testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;

  void reset(const FakeConfig &config) { resetFn(config); }
  void kernel(const char *name, const FakeKernel &kernel) {
    kernelFn(name, kernel);
  }
  FakeCounts counts();
  std::string callLog() { return logFn(); }

  std::shared_ptr<CudaDevice> openDevice();
  /// A runtime with kernels "k" and "other", of one pointer and one i32.
  std::unique_ptr<CudaRuntime> openRuntime(RuntimeOptions options = {});

private:
  FakeResetFn *resetFn = nullptr;
  FakeCountsFn *countsFn = nullptr;
  FakeKernelFn *kernelFn = nullptr;
  FakeLogFn *logFn = nullptr;
};

extern const char kPtx[];
std::vector<KernelImage> kernelImages();

/// A launch of `kernel` on one block with a pointer and an i32.
struct Launch {
  explicit Launch(const char *kernel, void *pointer = nullptr, int32_t n = 1)
      : pointer(pointer), n(n) {
    request.kernel = kernel;
    request.args = args;
    request.block.x = 32;
  }
  Launch(const Launch &) = delete;
  void *pointer;
  int32_t n;
  void *args[2] = {&pointer, &n};
  LaunchRequest request;
};

/// Text of an error, and its kind.
struct Failure {
  std::string message;
  std::optional<ErrorKind> kind;
};
Failure failureOf(llvm::Error error);
template <typename T> Failure failureOf(llvm::Expected<T> value) {
  return value ? Failure() : failureOf(value.takeError());
}

} // namespace klineage::cuda

#define EXPECT_OK(error) EXPECT_EQ(failureOf(error).message, "")
#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE((text).find(part), std::string::npos) << (text)

#endif // KLINEAGE_UNITTESTS_CUDA_HARNESS_H
