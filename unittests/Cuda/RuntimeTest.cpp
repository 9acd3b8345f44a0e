//===- RuntimeTest.cpp - Modules, memory, launches, faults
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include <cstring>

using namespace klineage;
using namespace klineage::cuda;

namespace {

class RuntimeTest : public FakeDriverTest {};

/// A[0] = n, on host memory.
void storeN(void **args) {
  float *a = *static_cast<float **>(args[0]);
  *a = static_cast<float>(*static_cast<int32_t *>(args[1]));
}

TEST_F(RuntimeTest, RunsAKernel) {
  kernel("k", {storeN});
  auto runtime = openRuntime();
  ASSERT_TRUE(runtime);
  auto a = runtime->allocate(1000, "A");
  ASSERT_TRUE(bool(a));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(*a) % 256, 0u);
  float value = 7;
  EXPECT_OK(runtime->copyToDevice(*a, &value, 4));
  Launch launch("k", *a, 42);
  EXPECT_OK(runtime->launch(launch.request));
  EXPECT_OK(runtime->synchronize());
  EXPECT_OK(runtime->copyToHost(&value, *a, 4));
  EXPECT_EQ(value, 42.0f);
  EXPECT_OK(runtime->release(*a));
}

TEST_F(RuntimeTest, Resources) {
  FakeKernel facts;
  facts.staticShared = 2048;
  kernel("k", facts);
  auto runtime = openRuntime();
  const FunctionResources *resources = runtime->resources("k");
  ASSERT_NE(resources, nullptr);
  EXPECT_EQ(resources->registers, 32);
  EXPECT_EQ(resources->localBytes, 8);
  EXPECT_EQ(resources->staticSharedBytes, 2048);
  EXPECT_EQ(resources->maxThreadsPerBlock, 1024);
  EXPECT_EQ(resources->binaryVersion, 90);
  EXPECT_EQ(runtime->resources("nothing"), nullptr);
  EXPECT_EQ(runtime->jitLog(), "ptxas info : Used 32 registers");
}

TEST_F(RuntimeTest, ModuleLoadFailureHasTheLog) {
  FakeConfig config;
  config.moduleResult = 218;
  config.moduleLog = "line 5; error : Unknown symbol 'x'\n fatal : no entry\n";
  reset(config);
  Failure failure =
      failureOf(CudaRuntime::create(openDevice(), kPtx, kernelImages()));
  EXPECT_EQ(failure.kind, ErrorKind::compile);
  EXPECT_CONTAINS(failure.message, "CUDA_ERROR_INVALID_PTX (218)");
  EXPECT_CONTAINS(
      failure.message,
      "driver's log: line 5; error : Unknown symbol 'x' | fatal : no entry");
}

TEST_F(RuntimeTest, EmptyModule) {
  Failure failure = failureOf(CudaRuntime::create(openDevice(), " \n", {}));
  EXPECT_EQ(failure.kind, ErrorKind::compile);
}

TEST_F(RuntimeTest, MissingKernelGivesTheModuleBack) {
  auto images = kernelImages();
  images[1].name = "absent";
  Failure failure = failureOf(CudaRuntime::create(openDevice(), kPtx, images));
  EXPECT_CONTAINS(failure.message, "looking up kernel 'absent': "
                                   "CUDA_ERROR_NOT_FOUND (500)");
}

TEST_F(RuntimeTest, ParameterSizesMustMatch) {
  auto images = kernelImages();
  images[0].params[1].bytes = 8;
  Failure failure = failureOf(CudaRuntime::create(openDevice(), kPtx, images));
  EXPECT_EQ(failure.kind, ErrorKind::usage);
  EXPECT_CONTAINS(failure.message, "parameter 1 ('n') has 8 bytes in the "
                                   "launch facts and 4 in the code");
  images = kernelImages();
  images[0].params.pop_back();
  failure = failureOf(CudaRuntime::create(openDevice(), kPtx, images));
  EXPECT_CONTAINS(failure.message, "have 1 parameters, the code has more");
  images[0].params.resize(3, {"m", false, 4});
  images[0].params[1].bytes = 4;
  failure = failureOf(CudaRuntime::create(openDevice(), kPtx, images));
  EXPECT_CONTAINS(failure.message, "have 3 parameters, the code has 2");
}

TEST_F(RuntimeTest, SharedMemoryIsOptedIn) {
  auto images = kernelImages();
  images[0].dynamicSharedBytes = 200 * 1024;
  auto runtime = CudaRuntime::create(openDevice(), kPtx, images);
  ASSERT_TRUE(bool(runtime));
  Launch launch("k");
  launch.request.dynamicSharedBytes = 200 * 1024;
  EXPECT_OK((*runtime)->launch(launch.request));
  launch.request.dynamicSharedBytes = 227 * 1024;
  EXPECT_OK((*runtime)->launch(launch.request));
}

TEST_F(RuntimeTest, SharedMemoryOverTheLimit) {
  FakeKernel facts;
  facts.staticShared = 1024;
  kernel("k", facts);
  auto images = kernelImages();
  images[0].dynamicSharedBytes = 227 * 1024;
  Failure failure = failureOf(CudaRuntime::create(openDevice(), kPtx, images));
  EXPECT_EQ(failure.kind, ErrorKind::resource_limit);
  EXPECT_CONTAINS(failure.message,
                  "needs 1024 static and 232448 dynamic bytes of shared "
                  "memory, together more than the limit of 232448 (device: "
                  "shared memory per block after opt-in)");
}

struct BadShape {
  Dim3 grid, block;
  const char *message;
  ErrorKind kind = ErrorKind::resource_limit;
};

TEST_F(RuntimeTest, ShapesOverTheLimit) {
  FakeKernel facts;
  facts.maxThreads = 256;
  kernel("k", facts);
  const BadShape shapes[] = {
      {{1, 65536, 1},
       {32, 1, 1},
       "needs 65536 blocks in grid.y, the limit is 65535 (device: grid size in "
       "y)"},
      {{int64_t(1) << 31, 1, 1},
       {32, 1, 1},
       "needs 2147483648 blocks in grid.x, the limit is 2147483647"},
      {{1, 1, 1},
       {1, 1, 65},
       "needs 65 threads in block.z, the limit is 64 (device: block size in "
       "z)"},
      {{1, 1, 1},
       {64, 32, 1},
       "needs 2048 threads a block, the limit is 1024 (device: threads per "
       "block)"},
      {{1, 1, 1},
       {512, 1, 1},
       "needs 512 threads a block, the limit is 256 (kernel: 32 registers a "
       "thread, or its declared maximum)"},
      {{-1, 1, 1}, {32, 1, 1}, "grid of -1 x 1 x 1", ErrorKind::usage},
      {{1, 1, 1}, {32, 0, 1}, "block of 32 x 0 x 1", ErrorKind::usage}};
  for (const BadShape &shape : shapes) {
    auto runtime = openRuntime();
    ASSERT_TRUE(runtime);
    Launch launch("k");
    launch.request.grid = shape.grid;
    launch.request.block = shape.block;
    Failure failure = failureOf(runtime->launch(launch.request));
    EXPECT_EQ(failure.kind, shape.kind);
    EXPECT_CONTAINS(failure.message, shape.message);
  }
  EXPECT_EQ(counts().launches, 0);
}

TEST_F(RuntimeTest, EmptyGridDoesNothing) {
  auto runtime = openRuntime();
  Launch launch("k");
  launch.request.grid.y = 0;
  EXPECT_OK(runtime->launch(launch.request));
  EXPECT_EQ(counts().launches, 0);
}

TEST_F(RuntimeTest, LaunchFactsAreChecked) {
  auto images = kernelImages();
  images[0].blockDim[0] = 64;
  auto runtime = CudaRuntime::create(openDevice(), kPtx, images);
  ASSERT_TRUE(bool(runtime));
  Launch launch("k");
  EXPECT_CONTAINS(failureOf((*runtime)->launch(launch.request)).message,
                  "launched with a block of 32 x 1 x 1, compiled for 64");

  auto second = openRuntime();
  Launch few("k");
  few.request.args = llvm::ArrayRef<void *>(few.args, 1);
  EXPECT_CONTAINS(failureOf(second->launch(few.request)).message,
                  "takes 2 parameters, the launch has 1");

  auto third = openRuntime();
  Launch crooked("k", reinterpret_cast<void *>(0x1008));
  EXPECT_CONTAINS(failureOf(third->launch(crooked.request)).message,
                  "parameter 0 ('A') is 0x1008, the code was promised an "
                  "alignment of 16");

  auto fourth = openRuntime();
  Launch unknown("absent");
  EXPECT_CONTAINS(failureOf(fourth->launch(unknown.request)).message,
                  "no kernel 'absent'");
}

TEST_F(RuntimeTest, OutOfMemory) {
  FakeConfig config;
  config.memoryBytes = 1 << 20;
  reset(config);
  auto runtime = openRuntime();
  Failure failure = failureOf(runtime->allocate(2 << 20, "big"));
  EXPECT_EQ(failure.kind, ErrorKind::out_of_memory);
  EXPECT_CONTAINS(failure.message, "allocating 2097152 bytes for buffer 'big': "
                                   "CUDA_ERROR_OUT_OF_MEMORY (2): ");
  // The first error stays.
  EXPECT_EQ(failureOf(runtime->allocate(16, "small")).message, failure.message);
}

TEST_F(RuntimeTest, ReleasedMemoryIsUsedAgain) {
  FakeConfig config;
  config.memoryBytes = 1 << 20;
  reset(config);
  auto runtime = openRuntime();
  auto first = runtime->allocate(700000, "first");
  ASSERT_TRUE(bool(first));
  EXPECT_OK(runtime->release(*first));
  auto again = runtime->allocate(700000, "again");
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(*first, *again);
  EXPECT_EQ(counts().allocations, 1);
  // What is kept makes room for another size.
  EXPECT_OK(runtime->release(*again));
  EXPECT_OK(runtime->allocate(800000, "other size").takeError());
}

TEST_F(RuntimeTest, EmptyBuffersAreUnique) {
  auto runtime = openRuntime();
  auto first = runtime->allocate(0, "first");
  auto second = runtime->allocate(0, "second");
  ASSERT_TRUE(bool(first));
  ASSERT_TRUE(bool(second));
  EXPECT_NE(*first, nullptr);
  EXPECT_NE(*first, *second);
  EXPECT_EQ(counts().allocations, 0);
  EXPECT_OK(runtime->copyToDevice(*first, nullptr, 0));
  EXPECT_OK(runtime->release(*first));
  EXPECT_OK(runtime->release(*second));
}

TEST_F(RuntimeTest, BadMemoryCalls) {
  char bytes[64] = {};
  auto use = [&](llvm::function_ref<llvm::Error(CudaRuntime &, char *)> call) {
    auto runtime = openRuntime();
    auto a = runtime->allocate(48, "A");
    EXPECT_TRUE(bool(a));
    return failureOf(call(*runtime, static_cast<char *>(*a))).message;
  };
  EXPECT_CONTAINS(use([&](CudaRuntime &runtime, char *a) {
                    return runtime.copyToDevice(a + 16, bytes, 33);
                  }),
                  "copy to the device: 33 bytes at offset 16 do not lie in "
                  "buffer 'A' of 48 bytes");
  EXPECT_CONTAINS(use([&](CudaRuntime &runtime, char *a) {
                    return runtime.copyToHost(bytes, a + 4096, 1);
                  }),
                  "is in no live buffer");
  EXPECT_CONTAINS(use([&](CudaRuntime &runtime, char *a) {
                    return runtime.copyToHost(bytes, a, -1);
                  }),
                  "-1 bytes at offset 0");
  EXPECT_CONTAINS(use([&](CudaRuntime &runtime, char *a) {
                    return runtime.release(a + 1);
                  }),
                  "not the start of a live buffer");
  EXPECT_CONTAINS(use([&](CudaRuntime &runtime, char *a) {
                    return runtime.allocate(-5, "B").takeError();
                  }),
                  "buffer 'B' of -5 bytes: not a size");
  EXPECT_CONTAINS(use([&](CudaRuntime &runtime, char *a) {
                    return runtime.allocate(INT64_MAX, "B").takeError();
                  }),
                  "not a size");
}

TEST_F(RuntimeTest, FaultSticksAndEverythingGoesBack) {
  FakeKernel facts;
  facts.fault = 700;
  kernel("k", facts);
  auto runtime = openRuntime();
  auto a = runtime->allocate(64, "A");
  ASSERT_TRUE(bool(a));
  Launch launch("k", *a);
  EXPECT_OK(runtime->launch(launch.request));
  Failure failure = failureOf(runtime->synchronize());
  EXPECT_EQ(failure.kind, ErrorKind::device_fault);
  EXPECT_CONTAINS(failure.message, "CUDA_ERROR_ILLEGAL_ADDRESS (700): ");
  EXPECT_CONTAINS(failure.message, "last kernel launched: 'k'");
  char byte = 0;
  EXPECT_EQ(failureOf(runtime->copyToHost(&byte, *a, 1)).message,
            failure.message);
  EXPECT_EQ(failureOf(runtime->allocate(1, "B")).message, failure.message);
  EXPECT_EQ(failureOf(runtime->launch(launch.request)).message,
            failure.message);
  EXPECT_EQ(failureOf(runtime->release(*a)).message, failure.message);
  // Another runtime on the device is just as dead.
  EXPECT_TRUE(runtime->getDevice().failed());
  EXPECT_EQ(failureOf(runtime->getDevice().synchronize("x")).message,
            failure.message);
}

TEST_F(RuntimeTest, SynchronizedLaunchNamesItsKernel) {
  FakeKernel facts;
  facts.fault = 716;
  kernel("other", facts);
  RuntimeOptions options;
  options.synchronizeLaunches = true;
  auto runtime = openRuntime(options);
  Launch good("k"), bad("other");
  EXPECT_OK(runtime->launch(good.request));
  Failure failure = failureOf(runtime->launch(bad.request));
  EXPECT_EQ(failure.kind, ErrorKind::device_fault);
  EXPECT_CONTAINS(failure.message,
                  "running kernel 'other': CUDA_ERROR_MISALIGNED_ADDRESS");
}

TEST_F(RuntimeTest, TwoRuntimesShareADevice) {
  kernel("k", {storeN});
  auto device = openDevice();
  auto first = CudaRuntime::create(device, kPtx, kernelImages());
  auto second = CudaRuntime::create(device, kPtx, kernelImages());
  ASSERT_TRUE(bool(first));
  ASSERT_TRUE(bool(second));
  auto a = (*first)->allocate(4, "A");
  ASSERT_TRUE(bool(a));
  Launch launch("k", *a, 5);
  EXPECT_OK((*second)->launch(launch.request));
  float value = 0;
  EXPECT_OK((*second)->copyToHost(&value, *a, 4));
  EXPECT_EQ(value, 5.0f);
  // The buffer goes back through the one that did not make it.
  EXPECT_OK((*second)->release(*a));
}

} // namespace
