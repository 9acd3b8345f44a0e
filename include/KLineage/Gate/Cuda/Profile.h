//===- Profile.h - Timing variants against each other on one device
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_GATE_CUDA_PROFILE_H
#define KLINEAGE_GATE_CUDA_PROFILE_H

#include "KLineage/Gate/Cuda/CudaDevice.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace klineage::cuda {

/// Issues the launches of one execution through runtimes on the profiled
/// device. It must not wait for the device: a wait ends up in the time.
using TimedCall = std::function<llvm::Error()>;

/// What an execution has to move at least: each input read once, each output
/// written once.
struct Traffic {
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
};

struct Variant {
  std::string name;
  TimedCall run;
  Traffic traffic;
};

/// How to measure. A sample is: write the flush buffer, record an event, call
/// the variant, record an event, wait. Each round takes one sample of every
/// variant, in an order drawn anew.
///
/// Host time. While the device is still busy with the flush the host queues
/// the whole window, so that the events see device time only. Whether that
/// held is asked after each sample; when it did not, the flush is repeated
/// (doubled, up to `maxRunAhead` times), and samples where it still did not
/// hold are counted as `hostBound`. With a warm cache there is no flush: the
/// call is repeated within the window until that lasts `minWindowUs`, and the
/// time is divided by the number of calls.
struct ProfileOptions {
  int64_t repetitions = 40;
  int64_t warmups = 8;
  bool coldCache = true;
  int64_t flushBytes = 0;    ///< 0: the larger of 256 MiB and 2.5 times the L2
  int64_t maxRunAhead = 32;  ///< flushes before a window, at most
  double minWindowUs = 50;   ///< warm cache only
  int64_t maxBatch = 1000;   ///< warm cache only
  int64_t pauseUs = 1000;    ///< idle before each sample, against power limits
  double budgetSeconds = 20; ///< rounds stop early after it; five are kept
  uint64_t seed = 1;         ///< of the order within rounds
  /// Bandwidth for the roofline; 0: measured by a copy in the same run.
  double peakBytesPerSecond = 0;
  /// Reads alone go faster than a copy, by up to this factor.
  double rooflineSlack = 1.15;
  int64_t copyBytes = int64_t(1) << 30; ///< of the copy that is measured
};

/// Times of one variant, in microseconds a call.
struct TimedRun {
  double medianUs = 0;
  double spreadUs = 0; ///< median absolute deviation from the median
  double p10Us = 0, p90Us = 0, minUs = 0;
  int64_t samples = 0;   ///< in the figures above
  int64_t dropped = 0;   ///< taken, but not counted: the first one
  int64_t hostBound = 0; ///< samples whose time may have host time in it
  int64_t batch = 1;     ///< calls a sample
};

struct ProfileReport {
  std::vector<TimedRun> runs; ///< as the variants
  /// Median over rounds of (first variant / this one); 1 for the first.
  std::vector<double> speedups;
  double copyBytesPerSecond = 0; ///< read plus written
  double emptyWindowUs = 0;      ///< what the events alone take
  int64_t runAhead = 0;          ///< flushes before each window
};

struct PairProfile {
  TimedRun baseline, candidate;
  double speedup = 0; ///< median over rounds of baseline / candidate
  double copyBytesPerSecond = 0;
  double emptyWindowUs = 0;
};

/// Times all variants, interleaved. A time that beats the roofline, or is not
/// positive, is an error of kind `implausible_time`; an error of a variant is
/// returned as it is.
llvm::Expected<ProfileReport> profile(CudaDevice &device,
                                      llvm::ArrayRef<Variant> variants,
                                      const ProfileOptions &options);

/// The same for two variants that do the same work.
llvm::Expected<PairProfile> profilePair(CudaDevice &device, TimedCall baseline,
                                        TimedCall candidate,
                                        const ProfileOptions &options,
                                        Traffic bytesMoved);

/// Bytes read plus bytes written per second of a device-to-device copy of
/// `bytes`, or less if memory is short. Median of `repetitions`.
llvm::Expected<double> measureCopyBandwidth(CudaDevice &device,
                                            int64_t bytes = int64_t(1) << 30,
                                            int64_t repetitions = 9);

/// Figures of samples; all zero for none.
TimedRun summarize(llvm::ArrayRef<double> microseconds);

/// The shortest believable time of work with `traffic`, in microseconds: what
/// must come from memory, at `options`' slack over `peakBytesPerSecond`. The L2
/// may still hold written data at the end, and everything if it was warm.
double rooflineUs(const Traffic &traffic, int64_t l2Bytes,
                  double peakBytesPerSecond, const ProfileOptions &options);

} // namespace klineage::cuda

#endif // KLINEAGE_GATE_CUDA_PROFILE_H
