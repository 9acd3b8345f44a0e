//===- DriverTest.cpp - Finding a driver and a device, and saying why not
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

using namespace klineage;
using namespace klineage::cuda;

namespace {

class DriverTest : public FakeDriverTest {};

TEST_F(DriverTest, ProbeNamesTheDevice) {
  ProbeResult result = probe();
  EXPECT_TRUE(result.usable);
  EXPECT_EQ(result.sentence, "cuda: Fake GPU (compute capability 9.0, driver "
                             "for CUDA 13.0) can be used");
}

TEST_F(DriverTest, ProbeLeavesThisProcessAlone) {
  EXPECT_TRUE(probe().usable);
  // Nothing was initialised here: the fake would know.
  auto driver = Driver::load();
  ASSERT_TRUE(bool(driver));
  int count = 0;
  EXPECT_EQ((*driver)->cuDeviceGetCount(&count), 3);
  reset({});
}

TEST_F(DriverTest, ProbeSurvivesACrash) {
  FakeConfig config;
  config.crashInInit = true;
  reset(config);
  ProbeResult result = probe();
  EXPECT_FALSE(result.usable);
  EXPECT_CONTAINS(result.sentence, "ended the process that tried it (signal");
}

TEST_F(DriverTest, ProbeSurvivesAHang) {
  FakeConfig config;
  config.hangInInit = true;
  reset(config);
  ProbeResult result = probe(0, /*timeoutSeconds=*/1);
  EXPECT_FALSE(result.usable);
  EXPECT_CONTAINS(result.sentence, "did not start within 1 s");
}

TEST_F(DriverTest, NoLibrary) {
  setenv("KLINEAGE_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
  ProbeResult result = probe();
  EXPECT_FALSE(result.usable);
  EXPECT_CONTAINS(result.sentence, "cuda: no driver: /nowhere/libcuda.so.1");
  EXPECT_CONTAINS(result.sentence, "KLINEAGE_CUDA_DRIVER");
  EXPECT_EQ(failureOf(Driver::load()).kind, ErrorKind::unavailable);
}

TEST_F(DriverTest, TheDefaultDriverNeverCrashes) {
  unsetenv("KLINEAGE_CUDA_DRIVER");
  // With or without a GPU on this machine there is one sentence.
  ProbeResult result = probe();
  EXPECT_CONTAINS(result.sentence, "cuda: ");
  EXPECT_EQ(result.sentence.find('\n'), std::string::npos);
}

TEST_F(DriverTest, TooOld) {
  setenv("KLINEAGE_CUDA_DRIVER", KLINEAGE_FAKE_OLD_DRIVER, 1);
  Failure failure = failureOf(Driver::load());
  EXPECT_EQ(failure.kind, ErrorKind::unavailable);
  EXPECT_CONTAINS(failure.message, "older than CUDA 12.0");
}

TEST_F(DriverTest, MissingFunction) {
  FakeConfig config;
  config.missing = "cuEventRecord";
  reset(config);
  Failure failure = failureOf(Driver::load());
  EXPECT_EQ(failure.kind, ErrorKind::unavailable);
  EXPECT_CONTAINS(failure.message, "lacks cuEventRecord of CUDA 2.0");
}

TEST_F(DriverTest, OptionalFunctionMayBeMissing) {
  FakeConfig config;
  config.driverVersion = 12000; // cuFuncGetParamInfo came with 12.4
  reset(config);
  auto driver = Driver::load();
  ASSERT_TRUE(bool(driver));
  EXPECT_EQ((*driver)->cuFuncGetParamInfo, nullptr);
  EXPECT_EQ((*driver)->version(), 12000);
  EXPECT_TRUE(openRuntime() != nullptr);
}

TEST_F(DriverTest, NoDevice) {
  FakeConfig config;
  config.deviceCount = 0;
  reset(config);
  Failure failure = failureOf(CudaDevice::open());
  EXPECT_EQ(failure.kind, ErrorKind::unavailable);
  EXPECT_CONTAINS(failure.message, "the driver sees no GPU; check nvidia-smi");
}

TEST_F(DriverTest, NoDeviceByInit) {
  FakeConfig config;
  config.initResult = 100;
  reset(config);
  Failure failure = failureOf(CudaDevice::open());
  EXPECT_EQ(failure.kind, ErrorKind::unavailable);
  EXPECT_CONTAINS(failure.message, "CUDA_ERROR_NO_DEVICE (100): ");
}

TEST_F(DriverTest, NoSuchOrdinal) {
  Failure failure = failureOf(CudaDevice::open(3));
  EXPECT_EQ(failure.kind, ErrorKind::unavailable);
  EXPECT_CONTAINS(failure.message, "no device 3, there are 1");
}

TEST_F(DriverTest, ExclusiveDevice) {
  FakeConfig config;
  config.retainResult = 46;
  reset(config);
  Failure failure = failureOf(CudaDevice::open());
  EXPECT_EQ(failure.kind, ErrorKind::unavailable);
  EXPECT_CONTAINS(failure.message, "exclusive compute mode");
}

TEST_F(DriverTest, ContextGoesBackWhenTheStreamFails) {
  FakeConfig config;
  config.streamResult = 2;
  reset(config);
  Failure failure = failureOf(CudaDevice::open());
  EXPECT_EQ(failure.kind, ErrorKind::out_of_memory);
  EXPECT_CONTAINS(failure.message, "creating a stream");
}

TEST_F(DriverTest, Facts) {
  auto device = openDevice();
  ASSERT_TRUE(device);
  const DeviceFacts &facts = device->facts();
  EXPECT_EQ(facts.computeMajor, 9);
  EXPECT_EQ(facts.maxGridDim[1], 65535);
  EXPECT_EQ(facts.maxBlockDim[2], 64);
  EXPECT_EQ(facts.sharedPerBlockOptIn, 232448);
  EXPECT_EQ(facts.multiprocessors, 132);
  EXPECT_EQ(facts.l2Bytes, 1 << 20);
}

TEST(CudaErrorTest, EveryResultIsOneLine) {
  for (int result = 0; result <= 1000; ++result) {
    std::string text = describeResult(result);
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_CONTAINS(text, std::to_string(result));
  }
  EXPECT_CONTAINS(describeResult(700), "CUDA_ERROR_ILLEGAL_ADDRESS (700): ");
  EXPECT_CONTAINS(describeResult(7777), "does not know");
}

TEST(CudaErrorTest, KindsAndStickiness) {
  EXPECT_EQ(kindOfResult(2), ErrorKind::out_of_memory);
  EXPECT_EQ(kindOfResult(218), ErrorKind::compile);
  EXPECT_EQ(kindOfResult(716), ErrorKind::device_fault);
  EXPECT_EQ(kindOfResult(1), ErrorKind::driver);
  EXPECT_TRUE(isSticky(700));
  EXPECT_TRUE(isSticky(702));
  EXPECT_FALSE(isSticky(2));
  EXPECT_FALSE(isSticky(701));
}

} // namespace
