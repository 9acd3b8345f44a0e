//===- CorrectnessStage.cpp - Differential runs on the simt executor
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelfCheck.h"
#include "SimtRuns.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace klineage;

namespace {

/// Judges the cases.
class Correctness {
public:
  explicit Correctness(Judgement &judgement)
      : judgement(judgement), runs(judgement) {}

  bool run() { return plan() && check() && judgeRuns(); }

private:
  bool plan();
  bool check();
  bool judgeRuns();
  bool judgeWay(const GateCase &gateCase, const Way &way,
                const Expectation &expected);

  Judgement &judgement;
  SimtRuns runs;
  std::vector<PlannedRun> planned;
};

} // namespace

static constexpr Way kWays[] = {
    kCheckedWay,
    {simt::Mode::fast, simt::Order::reverse, 0x7F, "reverse order"},
    {simt::Mode::fast, simt::Order::random, 0xCB, "random order"}};

/// What is expected of every run. The reference comes first, alone: what goes
/// wrong here is no fault of the candidate.
bool Correctness::plan() {
  ArrayRef<GateCase> cases = judgement.request.cases;
  SmallVector<Fill> fills = {Fill::mixed, Fill::tiny, Fill::far, Fill::special};
  if (judgement.request.nan)
    fills.push_back(Fill::nan);
  for (size_t i = 0; i < cases.size(); ++i)
    for (Fill fill : fills) {
      planned.push_back({i, fill, {}});
      if (!runs.expect(cases[i], fill, planned.back().expected))
        return false;
    }
  return true;
}

bool Correctness::check() {
  enterPhase(Phase::harness);
  SelfCheck result = selfCheck(judgement.request, planned);
  judgement.verdict.selfChecks = result.told;
  llvm::append_range(judgement.verdict.details, result.notes);
  return result.failure.empty() || judgement.stop(VerdictKind::harness_error,
                                                  "self-check", result.failure);
}

bool Correctness::judgeRuns() {
  for (const PlannedRun &run : planned) {
    for (const Way &way : kWays)
      if (!judgeWay(judgement.request.cases[run.gateCase], way, run.expected))
        return false;
    if (run.fill == Fill::mixed)
      judgement.verdict.domain.push_back("simt " +
                                         sizesText(run.expected.given));
  }
  return true;
}

bool Correctness::judgeWay(const GateCase &gateCase, const Way &way,
                           const Expectation &expected) {
  std::string sizes = sizesText(expected.given);
  std::optional<SimtRun> run = runs.runCandidate(gateCase, way, expected);
  if (!run)
    return false;
  if (!run->findings.empty()) {
    judgement.verdict.details = run->findings;
    return judgement.stop(
        VerdictKind::unsafe, "correctness",
        llvm::formatv("{0} ({1})", run->findings.front(), sizes));
  }
  if (!agree(judgement, expected, run->buffers,
             llvm::formatv("{0}; {1}", way.name, sizes).str()))
    return false;
  if (way.mode == simt::Mode::checked)
    judgement.verdict.counts = run->counts;
  return true;
}

bool klineage::correctnessStage(Judgement &judgement) {
  return Correctness(judgement).run();
}
