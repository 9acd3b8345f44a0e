//===- Gate.h - Graded judgement of a candidate against its reference
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_GATE_GATE_H
#define KLINEAGE_GATE_GATE_H

#include "KLineage/Support/Enums.h"
#include "KLineage/Support/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace klineage {

/// One pair of states to compare, with the sizes of the dynamic dimensions of
/// the entry's arguments, in order of arguments and dimensions.
struct GateCase {
  std::string reference, candidate; ///< module text
  std::vector<int64_t> sizes;
};

/// What a GPU measured of a candidate and of the state before it, interleaved
/// and with a cold L2. Times in microseconds, medians over rounds.
struct Profile {
  std::string device; ///< "NVIDIA H200"
  std::string driver; ///< CUDA version of the driver
  std::string sizes;  ///< of the arguments
  double baselineUs = 0, candidateUs = 0;
  double baselineSpreadUs = 0, candidateSpreadUs = 0; ///< median deviation
  double speedup = 0;       ///< median over rounds of baseline / candidate
  double noise = 0;         ///< part of a time that is not told apart
  int64_t samples = 0;      ///< rounds
  int64_t hostBound = 0;    ///< samples that may hold host time
  int64_t bytes = 0;        ///< arguments read and written, once each
  double copyGBps = 0;      ///< device-to-device copy, read plus written
  double candidateGBps = 0; ///< `bytes` over the candidate's time
};

/// Calls `field(name, member)` for each field of a profile: the one list, for
/// JSON and for attributes.
template <typename P, typename F> void forEachField(P &profile, F field) {
  field("device", profile.device);
  field("driver", profile.driver);
  field("sizes", profile.sizes);
  field("baseline_us", profile.baselineUs);
  field("candidate_us", profile.candidateUs);
  field("baseline_spread_us", profile.baselineSpreadUs);
  field("candidate_spread_us", profile.candidateSpreadUs);
  field("speedup", profile.speedup);
  field("noise", profile.noise);
  field("samples", profile.samples);
  field("host_bound", profile.hostBound);
  field("bytes", profile.bytes);
  field("copy_gbps", profile.copyGBps);
  field("candidate_gbps", profile.candidateGBps);
}

struct GateRequest {
  std::vector<GateCase> cases;
  /// State 0 at its own extents, for runs on a GPU. Empty: the cases'.
  std::string reference;
  /// The state before the candidate, which it is profiled against. Empty: the
  /// candidate is profiled against the reference.
  std::string baseline;
  /// Judge on the GPU, too: the cases, then `subject` at its own extents.
  bool onDevice = false;
  bool profile = true; ///< with `onDevice`: measure, and refuse what is slower
  /// Extent of dynamic dimensions on the GPU, or less where memory is short.
  int64_t deviceExtent = 4096;
  /// The candidate as it will be used, for compilation, resources and the
  /// mechanism check; the cases may have smaller extents. Empty: the cases'.
  std::string subject;
  const TargetInfo *target = nullptr;
  Numerics numerics = Numerics::bit_exact; ///< of the whole lineage so far
  int64_t reductionLength = 1;             ///< longest sum, for the tolerance
  /// Counts that must hold in the PTX of the candidate, summed over kernels.
  std::map<std::string, std::pair<int64_t, int64_t>> mechanism;
  /// Why the candidate cannot be judged here, or empty: verdict `unsupported`.
  std::string obstacle;
  double timeoutSeconds = 120;
  /// Of writable memory for the child; 0: three quarters of the machine's.
  int64_t memoryBytes = 0;
  bool nan = false; ///< one more fill, with NaN among the inputs
  uint64_t seed = 1;
};

/// The graded answer; never merged with another one.
struct Verdict {
  VerdictKind kind = VerdictKind::harness_error;
  /// compile, self-check, correctness, profile or harness.
  std::string stage;
  std::string message; ///< one line
  std::vector<std::string> details;
  double maxError = 0, tolerance = 0;
  int64_t runs = 0;
  /// Wrong answers that the gate told from the right one on this very kernel,
  /// before it looked at the candidate.
  int64_t selfChecks = 0;
  std::vector<std::string> domain;          ///< sizes, orders and executors
  std::map<std::string, int64_t> resources; ///< by ptxas, where found
  std::map<std::string, int64_t> counts;    ///< of the checked run; not time
  std::optional<Profile> profile;           ///< of a GPU, never of simt
};

/// Whether `executor` (auto, simt or cuda) asks for a GPU here: auto does if
/// one can be used. Fails for cuda without a usable GPU, and says why there is
/// none, and for any other word. Looks in a child process: this process does
/// not start CUDA.
llvm::Expected<bool> wantsDevice(llvm::StringRef executor);

std::string toJson(const Verdict &verdict);
llvm::Expected<Verdict> verdictFromJson(llvm::StringRef text);

/// Judges in a child process with a watchdog: whatever the candidate does, this
/// process goes on. Never throws; a broken harness is a verdict, too.
Verdict judge(const GateRequest &request,
              const mlir::DialectRegistry &registry);

/// The judgement itself, in this process; `judge` calls it in the child.
Verdict judgeHere(const GateRequest &request,
                  const mlir::DialectRegistry &registry);

/// Looks for an input on which the candidates of `request.cases` give something
/// else than their references, on the simt executor and by the tolerance of
/// `request.numerics`. `wrong`: there is one; the message has the first element
/// that differs, the first detail the input, and with `checked` the second one
/// what checked mode finds there. `accepted`: none was found. In a child
/// process.
Verdict findDifference(const GateRequest &request,
                       const mlir::DialectRegistry &registry, bool checked);

/// Sets of sizes for the dynamic dimensions of the entry's arguments: ones,
/// primes, tile sizes and their neighbours, and an empty extent; batches of at
/// most three. Dimensions that an operation forces to be equal get one size.
/// One empty set for a static entry.
std::vector<std::vector<int64_t>> chooseSizes(mlir::ModuleOp reference,
                                              llvm::ArrayRef<int64_t> hints);

/// The same with one extent for all dynamic dimensions that nothing fixes.
std::vector<int64_t> uniformSizes(mlir::ModuleOp reference, int64_t extent);

/// Turns all floats of a state into f64, in place. Fails, without a diagnostic,
/// on states where that has no meaning.
mlir::LogicalResult widenFloats(mlir::ModuleOp state);

} // namespace klineage

#endif // KLINEAGE_GATE_GATE_H
