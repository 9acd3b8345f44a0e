//===- Bandwidth.cpp - Figures of samples, copy bandwidth, roofline
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryPool.h"
#include "Window.h"
#include <algorithm>
#include <cmath>

using namespace klineage::cuda;
using namespace llvm;

static constexpr int64_t kFlushBytes = int64_t(256) << 20;

/// Value at `part` (0 to 1) of sorted samples, linear between neighbours.
static double quantile(ArrayRef<double> sorted, double part) {
  double position = part * (sorted.size() - 1);
  size_t below = static_cast<size_t>(position);
  size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}

TimedRun klineage::cuda::summarize(ArrayRef<double> microseconds) {
  TimedRun run;
  if (microseconds.empty())
    return run;
  std::vector<double> sorted(microseconds.begin(), microseconds.end());
  std::sort(sorted.begin(), sorted.end());
  run.samples = sorted.size();
  run.medianUs = quantile(sorted, 0.5);
  run.p10Us = quantile(sorted, 0.1);
  run.p90Us = quantile(sorted, 0.9);
  run.minUs = sorted.front();
  for (double &value : sorted)
    value = std::abs(value - run.medianUs);
  std::sort(sorted.begin(), sorted.end());
  run.spreadUs = quantile(sorted, 0.5);
  return run;
}

double klineage::cuda::rooflineUs(const Traffic &traffic, int64_t l2Bytes,
                                  double peakBytesPerSecond,
                                  const ProfileOptions &options) {
  double read = traffic.bytesRead, written = traffic.bytesWritten;
  double fromMemory = options.coldCache
                          ? read + std::max(0.0, written - l2Bytes)
                          : std::max(0.0, read + written - l2Bytes);
  return fromMemory / (peakBytesPerSecond * options.rooflineSlack) * 1e6;
}

Expected<double> klineage::cuda::measureCopyBandwidth(CudaDevice &device,
                                                      int64_t bytes,
                                                      int64_t repetitions) {
  device.memory().trim();
  auto available = device.freeBytes();
  if (!available)
    return available.takeError();
  bytes = std::min(bytes, *available / 4) / 256 * 256;
  if (bytes <= 0 || repetitions < 1)
    return makeError(ErrorKind::out_of_memory,
                     "cuda: no memory to measure the copy bandwidth with");
  std::vector<double> times;
  {
    ScopedBuffer from(device), to(device);
    Window window(device);
    if (Error error = from.allocate(bytes, "copy source"))
      return std::move(error);
    if (Error error = to.allocate(bytes, "copy target"))
      return std::move(error);
    // A flush in front keeps host time out of the window.
    if (Error error = window.open(std::min<int64_t>(bytes, kFlushBytes)))
      return std::move(error);
    auto copy = [&] {
      return device.check(device.api().cuMemcpyDtoDAsync(
                              to.get(), from.get(), bytes, device.stream()),
                          "copying on the device");
    };
    // The first two pay for page tables and clocks.
    for (int64_t i = -2; i < repetitions; ++i) {
      auto sample = window.sample(copy, /*flushes=*/1);
      if (!sample)
        return sample.takeError();
      if (i >= 0)
        times.push_back(sample->microseconds);
    }
  }
  device.memory().trim();
  double median = summarize(times).medianUs;
  if (!(median > 0))
    return makeError(ErrorKind::implausible_time,
                     "cuda: a copy of " + Twine(bytes) +
                         " bytes took no time at all: events do not work");
  return 2.0 * bytes / (median * 1e-6);
}
