//===- ProfileTest.cpp - Timing protocol on the fake driver's clock
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Cuda/Profile.h"
#include "Harness.h"
#include <set>
#include <sstream>

using namespace klineage;
using namespace klineage::cuda;

namespace {

class ProfileTest : public FakeDriverTest {
protected:
  /// Small buffers: the fake's L2 has 1 MiB.
  static ProfileOptions fastOptions() {
    ProfileOptions options;
    options.pauseUs = 0;
    options.flushBytes = 3 << 20;
    options.copyBytes = 4 << 20;
    options.repetitions = 12;
    options.warmups = 2;
    return options;
  }

  void open(double usK, double usOther, FakeConfig config = {}) {
    config.bytesPerUs = 1e5; // a flush takes 31 us, a copy 100 GB/s each way
    reset(config);
    FakeKernel facts;
    facts.us = usK;
    kernel("k", facts);
    facts.us = usOther;
    kernel("other", facts);
    runtime = openRuntime();
    ASSERT_TRUE(runtime);
  }

  TimedCall call(const char *name, int times = 1) {
    return [this, name, times]() -> llvm::Error {
      for (int i = 0; i < times; ++i) {
        Launch launch(name);
        if (llvm::Error error = runtime->launch(launch.request))
          return error;
      }
      return llvm::Error::success();
    };
  }

  llvm::Expected<PairProfile> pair(const ProfileOptions &options,
                                   Traffic traffic = {}) {
    return profilePair(runtime->getDevice(), call("k"), call("other"), options,
                       traffic);
  }

  void TearDown() override {
    runtime.reset();
    FakeDriverTest::TearDown();
  }

  std::unique_ptr<CudaRuntime> runtime;
};

TEST_F(ProfileTest, MeasuresDeviceTimeOnly) {
  open(40, 10);
  auto result = pair(fastOptions());
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_NEAR(result->baseline.medianUs, 40, 1e-2);
  EXPECT_NEAR(result->candidate.medianUs, 10, 1e-2);
  EXPECT_NEAR(result->speedup, 4, 1e-2);
  EXPECT_NEAR(result->candidate.spreadUs, 0, 1e-2);
  EXPECT_EQ(result->candidate.samples, 12);
  EXPECT_EQ(result->candidate.dropped, 1);
  EXPECT_EQ(result->candidate.hostBound, 0);
  EXPECT_NEAR(result->emptyWindowUs, 0, 1e-2);
  // Read plus written, at 100 GB/s each: the fake counts one direction.
  EXPECT_NEAR(result->copyBytesPerSecond, 200e9, 1e9);
}

TEST_F(ProfileTest, InterleavesInRandomOrderWithTheFlushOutside) {
  open(40, 10);
  ProfileOptions options = fastOptions();
  auto result = pair(options);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  std::vector<std::string> words;
  std::istringstream stream(callLog());
  for (std::string word; stream >> word;)
    words.push_back(word);
  std::string order;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "k" && words[i] != "other")
      continue;
    // flush record <kernel> record
    ASSERT_TRUE(i >= 2 && i + 1 < words.size());
    EXPECT_EQ(words[i - 2], "flush");
    EXPECT_EQ(words[i - 1], "record");
    EXPECT_EQ(words[i + 1], "record");
    order += words[i] == "k" ? 'b' : 'c';
  }
  EXPECT_EQ(order.substr(0, 4), "bbcc"); // warm-ups
  std::string rounds = order.substr(4);
  ASSERT_EQ(rounds.size(), 2u * (1 + options.repetitions));
  std::set<std::string> seen;
  for (size_t i = 0; i < rounds.size(); i += 2)
    seen.insert(rounds.substr(i, 2));
  EXPECT_EQ(seen, (std::set<std::string>{"bc", "cb"}));
}

TEST_F(ProfileTest, RunsAheadOfTheDeviceForManyLaunches) {
  // 40 launches take the host 80 us to queue, one flush takes 31 us.
  open(1, 1);
  Variant many{"many", call("k", 40), {}};
  auto report = profile(runtime->getDevice(), many, fastOptions());
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->runAhead, 4);
  EXPECT_EQ(report->runs[0].hostBound, 0);
  EXPECT_NEAR(report->runs[0].medianUs, 40, 1e-2);
}

TEST_F(ProfileTest, CountsSamplesWithHostTime) {
  open(1, 1);
  ProfileOptions options = fastOptions();
  options.maxRunAhead = 1;
  Variant many{"many", call("k", 40), {}};
  auto report = profile(runtime->getDevice(), many, options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->runs[0].hostBound, options.repetitions);
  EXPECT_GT(report->runs[0].medianUs, 50);
}

TEST_F(ProfileTest, WarmCacheRepeatsShortCalls) {
  open(8, 8);
  ProfileOptions options = fastOptions();
  options.coldCache = false;
  auto result = pair(options);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_GE(result->candidate.batch, 5);
  EXPECT_NEAR(result->candidate.medianUs, 8, 1.0);
}

TEST_F(ProfileTest, TimeUnderTheRooflineIsAnError) {
  open(40, 10);
  // 40 us at 200 GB/s are 8 MB, with the slack 9.2 MB.
  Traffic fits{2000000, 1 << 20};
  auto good = pair(fastOptions(), fits);
  EXPECT_TRUE(bool(good)) << llvm::toString(good.takeError());
  Traffic tooMuch{6000000, 0};
  Failure failure = failureOf(pair(fastOptions(), tooMuch));
  EXPECT_EQ(failure.kind, ErrorKind::implausible_time);
  EXPECT_CONTAINS(failure.message, "'candidate' took 10.000 us");
  EXPECT_CONTAINS(failure.message, "the time is wrong, or the work is not "
                                   "done");
}

TEST_F(ProfileTest, NoTimeIsAnError) {
  open(40, 0);
  Failure failure = failureOf(pair(fastOptions()));
  EXPECT_EQ(failure.kind, ErrorKind::implausible_time);
}

TEST_F(ProfileTest, FaultWhileTiming) {
  open(40, 10);
  FakeKernel facts;
  facts.fault = 719;
  kernel("other", facts);
  Failure failure = failureOf(pair(fastOptions()));
  EXPECT_EQ(failure.kind, ErrorKind::device_fault);
  EXPECT_CONTAINS(failure.message, "last kernel launched: 'other'");
}

TEST_F(ProfileTest, NoEvents) {
  FakeConfig config;
  config.eventResult = 2;
  open(40, 10, config);
  Failure failure = failureOf(pair(fastOptions()));
  EXPECT_EQ(failure.kind, ErrorKind::out_of_memory);
  EXPECT_CONTAINS(failure.message, "creating an event");
}

TEST_F(ProfileTest, NoMemoryForTheFlush) {
  FakeConfig config;
  config.memoryBytes = 2 << 20;
  open(40, 10, config);
  Failure failure = failureOf(pair(fastOptions()));
  EXPECT_EQ(failure.kind, ErrorKind::out_of_memory);
  EXPECT_CONTAINS(failure.message, "'L2 flush'");
}

TEST_F(ProfileTest, JitterShowsInTheSpread) {
  open(40, 10);
  FakeKernel facts;
  facts.us = 10;
  facts.jitterUs = 2; // 10, 12, 14, 16 by number of the launch
  kernel("k", facts);
  Variant one{"one", call("k"), {}};
  auto report = profile(runtime->getDevice(), one, fastOptions());
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_NEAR(report->runs[0].medianUs, 13, 1e-2);
  EXPECT_NEAR(report->runs[0].spreadUs, 2, 1e-2);
  EXPECT_NEAR(report->runs[0].minUs, 10, 1e-2);
}

TEST_F(ProfileTest, NothingToProfile) {
  open(1, 1);
  EXPECT_EQ(failureOf(profile(runtime->getDevice(), {}, fastOptions())).kind,
            ErrorKind::usage);
}

TEST(StatisticsTest, Figures) {
  TimedRun run = summarize({5, 1, 3, 2, 100});
  EXPECT_EQ(run.medianUs, 3);
  EXPECT_EQ(run.spreadUs, 2); // of 2, 2, 0, 1, 97
  EXPECT_EQ(run.minUs, 1);
  EXPECT_EQ(run.samples, 5);
  EXPECT_DOUBLE_EQ(run.p10Us, 1.4);
  EXPECT_DOUBLE_EQ(run.p90Us, 62);
  EXPECT_EQ(summarize({2, 4}).medianUs, 3);
  EXPECT_EQ(summarize({}).samples, 0);
}

TEST(StatisticsTest, Roofline) {
  ProfileOptions options;
  options.rooflineSlack = 1;
  // Cold: all reads, and writes beyond the L2.
  EXPECT_DOUBLE_EQ(rooflineUs({1000, 500}, 100, 1e9, options), 1.4);
  EXPECT_DOUBLE_EQ(rooflineUs({1000, 50}, 100, 1e9, options), 1.0);
  options.coldCache = false;
  EXPECT_DOUBLE_EQ(rooflineUs({1000, 500}, 100, 1e9, options), 1.4);
  EXPECT_DOUBLE_EQ(rooflineUs({40, 50}, 100, 1e9, options), 0.0);
}

} // namespace
