//===- CorrectnessStage.cpp - Differential runs on the simt executor
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Simt/SimtRuntime.h"
#include "SelfCheck.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <tuple>

using namespace mlir;
using namespace klineage;

namespace {

/// One way to run a state on the CPU.
struct Way {
  simt::Mode mode;
  simt::Order order;
  uint8_t privatePoison;
  const char *name;
};

/// Values of one run, and what checked mode saw.
struct SimtRun {
  std::vector<HostBuffer> buffers;
  std::vector<std::string> findings;
  std::map<std::string, int64_t> counts;
};

/// Judges the cases. States are compiled when they are first needed, so that
/// failures come in the order of the runs, and kept for the other fills.
class Correctness {
public:
  explicit Correctness(Judgement &judgement) : judgement(judgement) {}

  bool run() { return plan() && check() && judgeRuns(); }

private:
  llvm::Expected<RunnableState *> state(const std::string &text, bool wide);
  llvm::Expected<simt::Program *> program(const std::string &text, bool wide,
                                          const Way &way);
  llvm::Expected<SimtRun> execute(const std::string &text, bool wide,
                                  const Way &way,
                                  const std::vector<HostBuffer> &buffers,
                                  std::optional<uint8_t> poison);
  bool plan();
  bool check();
  bool judgeRuns();
  bool expect(const GateCase &gateCase, Fill fill, Expectation &expected);
  bool fits(const RunnableState &state, const GateCase &gateCase);
  bool expectNative(const GateCase &gateCase, Expectation &expected);
  bool judgeWay(const GateCase &gateCase, const Way &way,
                const Expectation &expected);
  bool harnessError(const Twine &what, llvm::Error error) {
    return judgement.stop(
        VerdictKind::harness_error, "harness",
        (what + judgement.failureText(std::move(error))).str());
  }

  Judgement &judgement;
  std::vector<PlannedRun> planned;
  std::map<std::pair<std::string, bool>, std::unique_ptr<RunnableState>> states;
  std::map<std::tuple<std::string, bool, simt::Mode, simt::Order>,
           std::unique_ptr<simt::Program>>
      programs;
};

} // namespace

static constexpr Way kPlain{simt::Mode::fast, simt::Order::forward, 0xCB,
                            "plain"};
static constexpr Way kWays[] = {
    {simt::Mode::checked, simt::Order::forward, 0xFF, "checked"},
    {simt::Mode::fast, simt::Order::reverse, 0x7F, "reverse order"},
    {simt::Mode::fast, simt::Order::random, 0xCB, "random order"}};

llvm::Expected<RunnableState *> Correctness::state(const std::string &text,
                                                   bool wide) {
  std::unique_ptr<RunnableState> &entry = states[{text, wide}];
  if (entry)
    return entry.get();
  OwningOpRef<ModuleOp> module = judgement.parse(text);
  if (!module)
    return llvm::createStringError("invalid module");
  if (wide && failed(widenFloats(*module)))
    return llvm::createStringError("floats cannot be widened");
  auto created = RunnableState::create(*module, *judgement.request.target);
  if (!created)
    return created.takeError();
  entry = std::move(*created);
  return entry.get();
}

llvm::Expected<simt::Program *>
Correctness::program(const std::string &text, bool wide, const Way &way) {
  std::unique_ptr<simt::Program> &entry =
      programs[{text, wide, way.mode, way.order}];
  if (entry)
    return entry.get();
  auto runnable = state(text, wide);
  if (!runnable)
    return runnable.takeError();
  simt::Options options;
  options.mode = way.mode;
  options.order = way.order;
  options.seed = judgement.request.seed;
  options.privatePoison = way.privatePoison;
  auto created = simt::Program::create(*(*runnable)->compiled.device,
                                       (*runnable)->compiled.kernels, options);
  if (!created)
    return created.takeError();
  entry = std::move(*created);
  return entry.get();
}

llvm::Expected<SimtRun>
Correctness::execute(const std::string &text, bool wide, const Way &way,
                     const std::vector<HostBuffer> &buffers,
                     std::optional<uint8_t> poison) {
  auto code = program(text, wide, way);
  if (!code)
    return code.takeError();
  simt::SimtRuntime runtime(**code);
  SimtRun run;
  auto after = runState(*states[{text, wide}], runtime, buffers, poison);
  if (!after)
    return after.takeError();
  run.buffers = std::move(*after);
  for (const simt::Finding &finding : runtime.findings()) {
    std::string line;
    llvm::raw_string_ostream(line) << finding;
    run.findings.push_back(line);
  }
  for (const simt::Counts &count : runtime.counts()) {
    run.counts[count.kernel + ".barriers"] = count.barriers;
    run.counts[count.kernel + ".global_sectors"] =
        count.globalLoadSectors + count.globalStoreSectors;
    run.counts[count.kernel + ".shared_bank_conflicts"] = count.bankConflicts;
  }
  return run;
}

/// Runs the reference twice, over different poison: it must agree with itself
/// and write all of its outputs, whatever they held before.
bool Correctness::expect(const GateCase &gateCase, Fill fill,
                         Expectation &expected) {
  const std::string &text = gateCase.reference;
  enterPhase(Phase::reference);
  auto native = state(text, false);
  if (!native)
    return harnessError("the reference does not compile: ", native.takeError());
  if (!fits(**native, gateCase))
    return false;
  expected.isOutput = (*native)->outputs();
  expected.given = (*native)->arguments(gateCase.sizes);
  for (auto [index, buffer] : llvm::enumerate(expected.given))
    fillInput(buffer, fill, judgement.request.seed * 131 + index);

  bool wide = judgement.request.numerics != Numerics::bit_exact;
  if (wide) {
    auto widened = state(text, true);
    if (!widened) {
      llvm::consumeError(widened.takeError());
      states.erase({text, true});
      wide = false;
    }
  }
  std::vector<HostBuffer> buffers =
      states[{text, wide}]->arguments(gateCase.sizes);
  for (auto [to, from] : llvm::zip_equal(buffers, expected.given))
    convert(from, to);
  auto first = execute(text, wide, kPlain, buffers, 0xCB);
  auto second =
      first ? execute(text, wide, kPlain, buffers, 0x11) : std::move(first);
  if (!second)
    return harnessError("the reference does not run: ", second.takeError());
  for (size_t i = 0; i < buffers.size() && expected.poisonOutputs; ++i)
    if (expected.isOutput[i] &&
        first->buffers[i].bytes != second->buffers[i].bytes)
      expected.poisonOutputs = false;
  if (!expected.poisonOutputs) {
    second = execute(text, wide, kPlain, buffers, std::nullopt);
    if (!second)
      return harnessError("the reference does not run: ", second.takeError());
  }
  judgement.verdict.runs += 2;
  expected.outputs = std::move(second->buffers);
  if (wide)
    return expectNative(gateCase, expected);
  expected.native = expected.outputs;
  return true;
}

/// Inputs, f64 copies and outputs of three fills are held at a time.
bool Correctness::fits(const RunnableState &state, const GateCase &gateCase) {
  constexpr int64_t kCopies = 16;
  int64_t limit = memoryLimit(judgement.request);
  std::optional<int64_t> bytes = state.argumentBytes(gateCase.sizes);
  if (bytes && *bytes <= limit / kCopies)
    return true;
  return judgement.stop(
      VerdictKind::unsupported, "harness",
      llvm::formatv("arguments of {0} bytes are too large to be judged within "
                    "{1} MiB of memory",
                    bytes ? std::to_string(*bytes) : "more than 2^63",
                    limit >> 20));
}

/// What state 0 gives in its own types: its error is the kernel's, not that of
/// a candidate.
bool Correctness::expectNative(const GateCase &gateCase,
                               Expectation &expected) {
  std::optional<uint8_t> poison;
  if (expected.poisonOutputs)
    poison = 0x11;
  auto run = execute(gateCase.reference, false, kPlain, expected.given, poison);
  if (!run)
    return harnessError("the reference does not run: ", run.takeError());
  expected.native = std::move(run->buffers);
  expected.ownErrors = ownErrorsOf(expected);
  return true;
}

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
      if (!expect(cases[i], fill, planned.back().expected))
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
  enterPhase(Phase::compile);
  if (auto code = program(gateCase.candidate, false, way); !code) {
    llvm::Error error = code.takeError();
    bool unsupported = error.isA<simt::UnsupportedError>();
    return judgement.stop(unsupported ? VerdictKind::unsupported
                                      : VerdictKind::compile_error,
                          "compile", judgement.failureText(std::move(error)));
  }
  std::optional<uint8_t> poison;
  if (expected.poisonOutputs)
    poison = 0x5A;
  enterPhase(Phase::candidate);
  auto run = execute(gateCase.candidate, false, way, expected.given, poison);
  enterPhase(Phase::harness);
  ++judgement.verdict.runs;
  if (!run)
    return judgement.stop(
        run.errorIsA<simt::MemoryError>() ? VerdictKind::unsupported
                                          : VerdictKind::unsafe,
        "correctness",
        llvm::formatv("{0} ({1}; {2})", llvm::toString(run.takeError()),
                      way.name, sizes));
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
