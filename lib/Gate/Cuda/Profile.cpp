//===- Profile.cpp - Interleaved rounds of timed windows
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Cuda/Profile.h"
#include "Window.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

using namespace klineage::cuda;
using namespace llvm;

using Clock = std::chrono::steady_clock;

/// Rounds that are made even if the time budget is used up.
static constexpr int64_t kLeastRounds = 5;

namespace {
/// State of one profile: the window, and what was found out per variant.
class Profiler {
public:
  Profiler(CudaDevice &device, ArrayRef<Variant> variants,
           const ProfileOptions &options)
      : device(device), variants(variants), options(options), window(device),
        times(variants.size()), batch(variants.size(), 1),
        hostBound(variants.size(), 0), random(options.seed) {}

  Expected<ProfileReport> run();

private:
  Expected<Sample> sample(size_t index);
  Error warmUp(size_t index);
  Error measureEmptyWindow();
  Error round(bool counted);
  Error checkTimes();
  bool outOfTime(double part) const {
    std::chrono::duration<double> spent = Clock::now() - begin;
    return spent.count() > options.budgetSeconds * part;
  }

  CudaDevice &device;
  ArrayRef<Variant> variants;
  const ProfileOptions &options;
  Window window;
  std::vector<std::vector<double>> times; ///< per variant, by round
  std::vector<int64_t> batch, hostBound;
  std::mt19937_64 random;
  int64_t runAhead = 1;
  Clock::time_point begin;
  ProfileReport report;
};
} // namespace

Expected<Sample> Profiler::sample(size_t index) {
  if (options.pauseUs > 0)
    std::this_thread::sleep_for(std::chrono::microseconds(options.pauseUs));
  auto work = [&]() -> Error {
    for (int64_t i = 0; i < batch[index]; ++i)
      if (Error error = variants[index].run())
        return error;
    return Error::success();
  };
  return window.sample(work, options.coldCache ? runAhead : 0);
}

/// Warms up one variant, and finds out how to keep host time out of its window.
Error Profiler::warmUp(size_t index) {
  while (true) {
    Sample last;
    for (int64_t i = 0; i < std::max<int64_t>(options.warmups, 1); ++i) {
      auto taken = sample(index);
      if (!taken)
        return taken.takeError();
      last = *taken;
      if (outOfTime(0.2))
        break;
    }
    if (options.coldCache) {
      if (!last.hostBound || runAhead * 2 > options.maxRunAhead ||
          outOfTime(0.2))
        return Error::success();
      runAhead *= 2;
      continue;
    }
    if (last.microseconds >= options.minWindowUs ||
        batch[index] >= options.maxBatch)
      return Error::success();
    double calls =
        batch[index] * options.minWindowUs / std::max(last.microseconds, 1e-3);
    // At least double, so that this ends.
    batch[index] = std::min<int64_t>(
        options.maxBatch,
        std::max<int64_t>(batch[index] * 2, std::ceil(calls)));
  }
}

Error Profiler::measureEmptyWindow() {
  std::vector<double> empty;
  for (int i = 0; i < 5; ++i) {
    auto taken = window.sample([] { return Error::success(); },
                               options.coldCache ? runAhead : 0);
    if (!taken)
      return taken.takeError();
    empty.push_back(taken->microseconds);
  }
  report.emptyWindowUs = summarize(empty).medianUs;
  return Error::success();
}

Error Profiler::round(bool counted) {
  std::vector<size_t> order(variants.size());
  std::iota(order.begin(), order.end(), 0);
  // Not std::shuffle: its result differs between standard libraries.
  for (size_t left = order.size(); left > 1; --left)
    std::swap(order[left - 1], order[random() % left]);
  for (size_t index : order) {
    auto taken = sample(index);
    if (!taken)
      return taken.takeError();
    if (!counted)
      continue;
    times[index].push_back(taken->microseconds / batch[index]);
    hostBound[index] += taken->hostBound;
  }
  return Error::success();
}

Error Profiler::checkTimes() {
  for (auto [variant, run] : zip(variants, report.runs)) {
    double bound = rooflineUs(variant.traffic, device.facts().l2Bytes,
                              report.copyBytesPerSecond, options);
    if (run.medianUs > 0 && run.medianUs >= bound)
      continue;
    std::string text;
    raw_string_ostream os(text);
    os << "cuda: profile: '" << variant.name << "' took "
       << format("%.3f", run.medianUs) << " us, but "
       << variant.traffic.bytesRead << " bytes read and "
       << variant.traffic.bytesWritten << " written take at least "
       << format("%.3f", bound) << " us at the measured "
       << format("%.0f", report.copyBytesPerSecond * 1e-9)
       << " GB/s: the time is wrong, or the work is not done";
    return makeError(ErrorKind::implausible_time, text);
  }
  return Error::success();
}

static std::vector<double> speedups(ArrayRef<std::vector<double>> times) {
  std::vector<double> result;
  for (const std::vector<double> &own : times) {
    std::vector<double> ratios;
    for (auto [first, other] : zip(times.front(), own))
      if (other > 0)
        ratios.push_back(first / other);
    result.push_back(summarize(ratios).medianUs);
  }
  return result;
}

Expected<ProfileReport> Profiler::run() {
  report.copyBytesPerSecond = options.peakBytesPerSecond;
  if (report.copyBytesPerSecond <= 0) {
    auto measured = measureCopyBandwidth(device, options.copyBytes);
    if (!measured)
      return measured.takeError();
    report.copyBytesPerSecond = *measured;
  }
  int64_t flushBytes = 0;
  if (options.coldCache)
    flushBytes = options.flushBytes
                     ? options.flushBytes
                     : std::max<int64_t>(int64_t(256) << 20,
                                         device.facts().l2Bytes * 5 / 2);
  if (Error error = window.open(flushBytes))
    return std::move(error);
  begin = Clock::now();
  for (size_t i = 0; i < variants.size(); ++i)
    if (Error error = warmUp(i))
      return std::move(error);
  if (Error error = measureEmptyWindow())
    return std::move(error);
  if (Error error = round(/*counted=*/false))
    return std::move(error);
  for (int64_t i = 0; i < options.repetitions; ++i) {
    if (i >= kLeastRounds && outOfTime(1))
      break;
    if (Error error = round(/*counted=*/true))
      return std::move(error);
  }
  for (size_t i = 0; i < variants.size(); ++i) {
    TimedRun result = summarize(times[i]);
    result.dropped = 1;
    result.hostBound = hostBound[i];
    result.batch = batch[i];
    report.runs.push_back(result);
  }
  report.speedups = speedups(times);
  report.runAhead = options.coldCache ? runAhead : 0;
  if (Error error = checkTimes())
    return std::move(error);
  return std::move(report);
}

Expected<ProfileReport> klineage::cuda::profile(CudaDevice &device,
                                                ArrayRef<Variant> variants,
                                                const ProfileOptions &options) {
  if (variants.empty() || options.repetitions < 1)
    return makeError(ErrorKind::usage,
                     "cuda: profile: no variants or no repetitions");
  return Profiler(device, variants, options).run();
}

Expected<PairProfile> klineage::cuda::profilePair(CudaDevice &device,
                                                  TimedCall baseline,
                                                  TimedCall candidate,
                                                  const ProfileOptions &options,
                                                  Traffic bytesMoved) {
  const Variant variants[] = {{"baseline", std::move(baseline), bytesMoved},
                              {"candidate", std::move(candidate), bytesMoved}};
  auto report = profile(device, variants, options);
  if (!report)
    return report.takeError();
  return PairProfile{report->runs[0], report->runs[1], report->speedups[1],
                     report->copyBytesPerSecond, report->emptyWindowUs};
}
