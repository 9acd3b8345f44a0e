//===- SimtRuns.h - Runs of states on the CPU, and what is expected of them
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMTRUNS_H
#define KLINEAGE_LIB_GATE_SIMTRUNS_H

#include "Judgement.h"
#include "KLineage/Gate/Simt/SimtRuntime.h"
#include <map>
#include <tuple>

namespace klineage {

/// One way to run a state on the CPU.
struct Way {
  simt::Mode mode;
  simt::Order order;
  uint8_t privatePoison;
  const char *name;
};
inline constexpr Way kPlainWay{simt::Mode::fast, simt::Order::forward, 0xCB,
                               "plain"};
inline constexpr Way kCheckedWay{simt::Mode::checked, simt::Order::forward,
                                 0xFF, "checked"};

/// Values of one run, and what checked mode saw.
struct SimtRun {
  std::vector<HostBuffer> buffers;
  std::vector<std::string> findings;
  std::map<std::string, int64_t> counts;
};

/// States are compiled when they are first needed, so that failures come in the
/// order of the runs, and kept for the other fills.
class SimtRuns {
public:
  explicit SimtRuns(Judgement &judgement) : judgement(judgement) {}

  llvm::Expected<RunnableState *> state(const std::string &text, bool wide);
  llvm::Expected<simt::Program *> program(const std::string &text, bool wide,
                                          const Way &way);
  llvm::Expected<SimtRun> execute(const std::string &text, bool wide,
                                  const Way &way,
                                  const std::vector<HostBuffer> &buffers,
                                  std::optional<uint8_t> poison);
  /// Inputs of a case, and what its reference makes of them. False after
  /// `stop`.
  bool expect(const GateCase &gateCase, Fill fill, Expectation &expected);
  /// Compiles the candidate. False after `stop`.
  bool compiles(const GateCase &gateCase, const Way &way);
  /// The candidate on the inputs of `expected`. Nothing after `stop`: it ended
  /// by an error.
  std::optional<SimtRun> runCandidate(const GateCase &gateCase, const Way &way,
                                      const Expectation &expected);

private:
  bool fits(const RunnableState &state, const GateCase &gateCase);
  bool expectNative(const GateCase &gateCase, Expectation &expected);
  bool harnessError(const llvm::Twine &what, llvm::Error error);

  Judgement &judgement;
  std::map<std::pair<std::string, bool>, std::unique_ptr<RunnableState>> states;
  std::map<std::tuple<std::string, bool, simt::Mode, simt::Order>,
           std::unique_ptr<simt::Program>>
      programs;
};

} // namespace klineage

#endif // KLINEAGE_LIB_GATE_SIMTRUNS_H
