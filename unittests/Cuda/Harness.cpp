//===- Harness.cpp - Tests over the fake driver
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include <cstdlib>

using namespace klineage;
using namespace klineage::cuda;

const char klineage::cuda::kPtx[] = R"(.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(
  .param .u64 k_param_0,
  .param .u32 k_param_1
)
{ ret; }
.visible .entry other(
  .param .u64 other_param_0,
  .param .u32 other_param_1
)
{ ret; }
)";

std::vector<KernelImage> klineage::cuda::kernelImages() {
  std::vector<KernelImage> images(2);
  for (KernelImage &image : images) {
    image.params.resize(2);
    image.params[0].name = "A";
    image.params[0].isPointer = true;
    image.params[0].alignment = 16;
    image.params[1].name = "n";
    image.params[1].bytes = 4;
  }
  images[0].name = "k";
  images[1].name = "other";
  return images;
}

template <typename T> static T *symbol(void *library, const char *name) {
  return reinterpret_cast<T *>(dlsym(library, name));
}

void FakeDriverTest::SetUp() {
  setenv("KLINEAGE_CUDA_DRIVER", KLINEAGE_FAKE_DRIVER, 1);
  void *library = dlopen(KLINEAGE_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  resetFn = symbol<FakeResetFn>(library, "fakeReset");
  countsFn = symbol<FakeCountsFn>(library, "fakeCounts");
  kernelFn = symbol<FakeKernelFn>(library, "fakeKernel");
  logFn = symbol<FakeLogFn>(library, "fakeLog");
  ASSERT_TRUE(resetFn && countsFn && kernelFn && logFn);
  reset({});
}

void FakeDriverTest::TearDown() {
  FakeCounts left = counts();
  EXPECT_EQ(left.contexts, 0);
  EXPECT_EQ(left.streams, 0);
  EXPECT_EQ(left.events, 0);
  EXPECT_EQ(left.modules, 0);
  EXPECT_EQ(left.buffers, 0);
  EXPECT_EQ(left.badCalls, 0);
  unsetenv("KLINEAGE_CUDA_DRIVER");
}

std::shared_ptr<CudaDevice> FakeDriverTest::openDevice() {
  auto device = CudaDevice::open();
  if (device)
    return *device;
  ADD_FAILURE() << llvm::toString(device.takeError());
  return nullptr;
}

std::unique_ptr<CudaRuntime>
FakeDriverTest::openRuntime(RuntimeOptions options) {
  auto device = openDevice();
  if (!device)
    return nullptr;
  auto runtime = CudaRuntime::create(device, kPtx, kernelImages(), options);
  if (runtime)
    return std::move(*runtime);
  ADD_FAILURE() << llvm::toString(runtime.takeError());
  return nullptr;
}

Failure klineage::cuda::failureOf(llvm::Error error) {
  Failure failure;
  llvm::handleAllErrors(std::move(error), [&](const CudaError &found) {
    failure = {found.getMessage().str(), found.getKind()};
  });
  return failure;
}

FakeCounts FakeDriverTest::counts() {
  FakeCounts result;
  countsFn(result);
  return result;
}
