//===- SimtRuns.cpp - Runs of states on the CPU
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimtRuns.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace klineage;

bool SimtRuns::harnessError(const Twine &what, llvm::Error error) {
  return judgement.stop(VerdictKind::harness_error, "harness",
                        (what + judgement.failureText(std::move(error))).str());
}

llvm::Expected<RunnableState *> SimtRuns::state(const std::string &text,
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

llvm::Expected<simt::Program *> SimtRuns::program(const std::string &text,
                                                  bool wide, const Way &way) {
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
SimtRuns::execute(const std::string &text, bool wide, const Way &way,
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

bool SimtRuns::expect(const GateCase &gateCase, Fill fill,
                      Expectation &expected) {
  const std::string &text = gateCase.reference;
  enterPhase(Phase::reference);
  auto native = state(text, false);
  if (!native)
    return harnessError("the reference does not compile: ", native.takeError());
  if (!fits(**native, gateCase))
    return false;
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
  auto run = [&](const std::vector<HostBuffer> &buffers,
                 std::optional<uint8_t> poison)
      -> llvm::Expected<std::vector<HostBuffer>> {
    auto done = execute(text, wide, kPlainWay, buffers, poison);
    if (!done)
      return done.takeError();
    return std::move(done->buffers);
  };
  if (llvm::Error error =
          expectOutputs(expected, *states[{text, wide}], gateCase.sizes, run))
    return harnessError("the reference does not run: ", std::move(error));
  judgement.verdict.runs += 2;
  if (wide)
    return expectNative(gateCase, expected);
  expected.native = expected.outputs;
  return true;
}

/// Inputs, f64 copies and outputs of three fills are held at a time.
bool SimtRuns::fits(const RunnableState &state, const GateCase &gateCase) {
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
bool SimtRuns::expectNative(const GateCase &gateCase, Expectation &expected) {
  std::optional<uint8_t> poison;
  if (expected.poisonOutputs)
    poison = 0x11;
  auto run =
      execute(gateCase.reference, false, kPlainWay, expected.given, poison);
  if (!run)
    return harnessError("the reference does not run: ", run.takeError());
  expected.native = std::move(run->buffers);
  expected.ownErrors = ownErrorsOf(expected);
  return true;
}

bool SimtRuns::compiles(const GateCase &gateCase, const Way &way) {
  enterPhase(Phase::compile);
  auto code = program(gateCase.candidate, false, way);
  if (code)
    return true;
  llvm::Error error = code.takeError();
  bool unsupported = error.isA<simt::UnsupportedError>();
  return judgement.stop(unsupported ? VerdictKind::unsupported
                                    : VerdictKind::compile_error,
                        "compile", judgement.failureText(std::move(error)));
}

std::optional<SimtRun> SimtRuns::runCandidate(const GateCase &gateCase,
                                              const Way &way,
                                              const Expectation &expected) {
  if (!compiles(gateCase, way))
    return std::nullopt;
  std::optional<uint8_t> poison;
  if (expected.poisonOutputs)
    poison = 0x5A;
  enterPhase(Phase::candidate);
  auto run = execute(gateCase.candidate, false, way, expected.given, poison);
  enterPhase(Phase::harness);
  ++judgement.verdict.runs;
  if (run)
    return std::move(*run);
  judgement.stop(run.errorIsA<simt::MemoryError>() ? VerdictKind::unsupported
                                                   : VerdictKind::unsafe,
                 "correctness",
                 llvm::formatv("{0} ({1}; {2})",
                               llvm::toString(run.takeError()), way.name,
                               sizesText(expected.given)));
  return std::nullopt;
}
