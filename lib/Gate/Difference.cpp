//===- Difference.cpp - An input on which two states differ
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimtRuns.h"
#include "llvm/Support/FormatVariadic.h"

using namespace klineage;

/// "output 2 at [1, 3]: expected 4, found 5".
static std::string elementText(size_t argument, const HostBuffer &expected,
                               const HostBuffer &found, int64_t element) {
  std::string at;
  int64_t rest = element;
  for (int64_t extent : llvm::reverse(expected.shape)) {
    at = std::to_string(rest % extent) + (at.empty() ? "" : ", ") + at;
    rest /= extent;
  }
  return llvm::formatv("argument {0} at [{1}]: expected {2}, found {3}",
                       argument, at, expected.get(element), found.get(element));
}

namespace {
class Search {
public:
  Search(Judgement &judgement, bool checked)
      : judgement(judgement), runs(judgement), checked(checked) {}
  bool run();

private:
  bool compareRun(const GateCase &gateCase, const char *fill,
                  const Expectation &expected);
  std::string firstDifference(const Expectation &expected,
                              const std::vector<HostBuffer> &found);

  Judgement &judgement;
  SimtRuns runs;
  bool checked;
};
} // namespace

std::string Search::firstDifference(const Expectation &expected,
                                    const std::vector<HostBuffer> &found) {
  const GateRequest &request = judgement.request;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!expected.isOutput[i]) {
      Difference kept = compare(expected.given[i], found[i], 0);
      if (!kept.equal)
        return elementText(i, expected.given[i], found[i], kept.first);
      continue;
    }
    bool exact = request.numerics == Numerics::bit_exact;
    double allowed =
        exact ? 0
              : allowedError(
                    toleranceOf(request.numerics, found[i].type,
                                request.reductionLength),
                    expected.ownErrors.empty() ? 0 : expected.ownErrors[i]);
    Difference difference =
        compare(expected.outputs[i], found[i], allowed, &expected.native[i]);
    judgement.verdict.tolerance =
        std::max(judgement.verdict.tolerance, allowed);
    if (!difference.equal)
      return elementText(i, expected.outputs[i], found[i], difference.first);
    judgement.verdict.maxError =
        std::max(judgement.verdict.maxError, difference.maxError);
  }
  return "";
}

bool Search::compareRun(const GateCase &gateCase, const char *fill,
                        const Expectation &expected) {
  std::optional<SimtRun> run = runs.runCandidate(gateCase, kPlainWay, expected);
  if (!run)
    return false;
  std::string text = firstDifference(expected, run->buffers);
  if (text.empty())
    return true;
  judgement.verdict.details.push_back(
      llvm::formatv("{0}, {1} values by seed {2}", sizesText(expected.given),
                    fill, judgement.request.seed));
  // Two runs of a racy state may differ as well.
  if (auto again = checked ? runs.runCandidate(gateCase, kCheckedWay, expected)
                           : std::nullopt)
    if (!again->findings.empty())
      judgement.verdict.details.push_back(again->findings.front());
  return judgement.stop(VerdictKind::wrong, "correctness", text);
}

bool Search::run() {
  static constexpr std::pair<Fill, const char *> fills[] = {
      {Fill::mixed, "mixed"},
      {Fill::tiny, "tiny"},
      {Fill::far, "far"},
      {Fill::special, "special"}};
  const std::vector<GateCase> &cases = judgement.request.cases;
  if (!cases.empty() && !runs.compiles(cases.front(), kPlainWay))
    return false;
  for (const GateCase &gateCase : cases)
    for (auto [fill, name] : fills) {
      Expectation expected;
      if (!runs.expect(gateCase, fill, expected) ||
          !compareRun(gateCase, name, expected))
        return false;
      if (fill == Fill::mixed)
        judgement.verdict.domain.push_back(sizesText(expected.given));
    }
  return true;
}

Verdict klineage::findDifference(const GateRequest &request,
                                 const mlir::DialectRegistry &registry,
                                 bool checked) {
  return judgeInChild(request, [&] {
    Judgement judgement(request, registry);
    if (Search(judgement, checked).run())
      judgement.stop(
          VerdictKind::accepted, "correctness",
          llvm::formatv("no difference in {0} runs", judgement.verdict.runs));
    return judgement.verdict;
  });
}
