//===- Judge.cpp - The judgement, stage by stage
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Data.h"
#include "KLineage/Gate/Gate.h"
#include "KLineage/Gate/HostRunner.h"
#include "KLineage/Gate/Simt/SimtRuntime.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace klineage;

namespace {

/// A state compiled for the simt executor, in its two modes.
struct Runnable {
  CompiledState compiled;
  std::unique_ptr<simt::Program> program;
};

/// Outputs of one run, or what went wrong.
struct RunResult {
  std::vector<HostBuffer> buffers;
  std::vector<std::string> findings;
  std::map<std::string, int64_t> counts;
};

class Judge {
public:
  Judge(const GateRequest &request, const DialectRegistry &registry)
      : request(request), context(registry, MLIRContext::Threading::DISABLED),
        handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            diagnostics += (diagnostics.empty() ? "" : "; ") + diagnostic.str();
          return success();
        }) {
    context.loadAllAvailableDialects();
  }

  Verdict run() {
    if (!request.obstacle.empty())
      return finish(VerdictKind::unsupported, "harness", request.obstacle);
    if (request.cases.empty())
      return finish(VerdictKind::harness_error, "harness", "no case to judge");
    if (!request.subject.empty() && !inspect(request.subject))
      return verdict;
    std::string lastCandidate;
    for (const GateCase &gateCase : request.cases) {
      if (request.subject.empty() && gateCase.candidate != lastCandidate &&
          !inspect(gateCase.candidate))
        return verdict;
      lastCandidate = gateCase.candidate;
      for (Fill fill : {Fill::mixed, Fill::negative, Fill::special})
        if (!judgeCase(gateCase, fill))
          return verdict;
    }
    return finish(VerdictKind::accepted, "correctness",
                  llvm::formatv("all {0} runs agree", verdict.runs));
  }

private:
  Verdict finish(VerdictKind kind, StringRef stage, std::string message) {
    verdict.kind = kind;
    verdict.stage = stage.str();
    verdict.message = std::move(message);
    return verdict;
  }
  bool stop(VerdictKind kind, StringRef stage, std::string message) {
    finish(kind, stage, std::move(message));
    return false;
  }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    diagnostics.clear();
    return parseSourceString<ModuleOp>(text, &context);
  }

  std::string failureText(llvm::Error error) {
    std::string text = llvm::toString(std::move(error));
    return diagnostics.empty() ? text : text + ": " + diagnostics;
  }

  /// Compiles to PTX, where that is possible, and looks at what comes out.
  bool inspect(const std::string &text) {
    OwningOpRef<ModuleOp> module = parse(text);
    if (!module)
      return stop(VerdictKind::compile_error, "compile",
                  "the candidate is not valid: " + diagnostics);
    auto compiled = compileState(*module, *request.target);
    if (!compiled)
      return stop(VerdictKind::compile_error, "compile",
                  failureText(compiled.takeError()));
    auto ptx = emitPTX(*compiled->device, *request.target);
    if (!ptx) {
      std::string reason = llvm::toString(ptx.takeError());
      // Without libdevice there is no PTX of exp(), but the rest can be judged.
      if (!StringRef(reason).contains("no libdevice"))
        return stop(VerdictKind::compile_error, "compile", reason);
      verdict.details.push_back("no PTX: " + reason);
      return true;
    }
    if (!checkMechanism(*ptx))
      return false;
    if (findPtxas().empty()) {
      verdict.details.push_back("ptxas not found: no registers or spills");
      return true;
    }
    auto assembled = runPtxas(*ptx, *request.target);
    if (!assembled)
      return stop(VerdictKind::compile_error, "compile",
                  llvm::toString(assembled.takeError()));
    for (auto &[name, kernel] : assembled->kernels) {
      verdict.resources[name + ".registers"] = kernel.registers;
      verdict.resources[name + ".spill_stores"] = kernel.spillStores;
      verdict.resources[name + ".shared_bytes"] = kernel.sharedBytes;
    }
    return true;
  }

  bool checkMechanism(StringRef ptx) {
    PtxFacts total;
    for (auto &[kernel, facts] : parsePtx(ptx))
      for (auto &[name, count] : facts)
        total[name] += count;
    for (auto &[name, bounds] : request.mechanism) {
      int64_t found = total[name];
      if (found < bounds.first || (bounds.second >= 0 && found > bounds.second))
        return stop(
            VerdictKind::compile_error, "compile",
            llvm::formatv("mechanism check: {0} {1} in the PTX, expected "
                          "{2} to {3}",
                          found, name, bounds.first,
                          bounds.second < 0 ? std::string("any")
                                            : std::to_string(bounds.second)));
    }
    return true;
  }

  llvm::Expected<Runnable> prepare(ModuleOp module, simt::Options options) {
    auto compiled = compileState(module, *request.target);
    if (!compiled)
      return compiled.takeError();
    Runnable runnable;
    runnable.compiled = std::move(*compiled);
    auto program = simt::Program::create(*runnable.compiled.device,
                                         runnable.compiled.kernels, options);
    if (!program)
      return program.takeError();
    runnable.program = std::move(*program);
    return runnable;
  }

  /// Shapes of the arguments for one choice of sizes.
  std::vector<HostBuffer> shapes(const CompiledState &compiled,
                                 ArrayRef<int64_t> sizes) {
    std::vector<HostBuffer> buffers;
    for (const EntryParam &param : compiled.params) {
      HostBuffer buffer;
      buffer.type = param.elementType;
      for (int64_t extent : param.shape) {
        if (ShapedType::isDynamic(extent)) {
          buffer.shape.push_back(sizes.empty() ? 1 : sizes.front());
          sizes = sizes.empty() ? sizes : sizes.drop_front();
        } else {
          buffer.shape.push_back(extent);
        }
      }
      buffer.bytes.resize(buffer.count() * elementBytes(buffer.type));
      buffers.push_back(std::move(buffer));
    }
    return buffers;
  }

  llvm::Expected<RunResult>
  execute(Runnable &runnable, std::vector<HostBuffer> buffers, uint8_t poison) {
    simt::SimtRuntime runtime(*runnable.program);
    std::vector<EntryArgument> arguments;
    for (size_t i = 0; i < buffers.size(); ++i) {
      EntryArgument argument;
      HostBuffer &buffer = buffers[i];
      if (!runnable.compiled.params[i].isBuffer) {
        std::memcpy(&argument.bits, buffer.bytes.data(),
                    std::min<size_t>(8, buffer.bytes.size()));
        arguments.push_back(argument);
        continue;
      }
      argument.bytes = buffer.bytes.size();
      argument.shape = buffer.shape;
      auto pointer =
          runtime.allocate(argument.bytes, "argument " + std::to_string(i));
      if (!pointer)
        return pointer.takeError();
      argument.pointer = *pointer;
      // Yesterday's right answer must not be lying there.
      if (runnable.compiled.params[i].noAlias && poisonOutputs)
        std::memset(*pointer, poison, buffer.bytes.size());
      else
        llvm::cantFail(runtime.copyToDevice(*pointer, buffer.bytes.data(),
                                            buffer.bytes.size()));
      arguments.push_back(argument);
    }
    if (llvm::Error error = runEntry(runnable.compiled, runtime, arguments))
      return error;
    for (size_t i = 0; i < buffers.size(); ++i)
      if (arguments[i].pointer)
        llvm::cantFail(runtime.copyToHost(buffers[i].bytes.data(),
                                          arguments[i].pointer,
                                          buffers[i].bytes.size()));
    RunResult result;
    result.buffers = std::move(buffers);
    for (const simt::Finding &finding : runtime.findings()) {
      std::string text;
      llvm::raw_string_ostream os(text);
      os << finding;
      result.findings.push_back(text);
    }
    for (const simt::Counts &count : runtime.counts()) {
      result.counts[count.kernel + ".barriers"] = count.barriers;
      result.counts[count.kernel + ".global_sectors"] =
          count.globalLoadSectors + count.globalStoreSectors;
      result.counts[count.kernel + ".shared_bank_conflicts"] =
          count.bankConflicts;
    }
    ++verdict.runs;
    return result;
  }

  std::vector<HostBuffer> inputs(std::vector<HostBuffer> buffers, Fill fill) {
    for (size_t i = 0; i < buffers.size(); ++i)
      fillInput(buffers[i], fill, request.seed * 131 + i);
    return buffers;
  }

  static std::string sizesText(ArrayRef<HostBuffer> buffers) {
    std::string text;
    for (const HostBuffer &buffer : buffers)
      text += (text.empty() ? "" : ", ") +
              llvm::join(
                  llvm::map_range(buffer.shape,
                                  [](int64_t e) { return std::to_string(e); }),
                  "x") +
              (buffer.shape.empty() ? "" : "x") + buffer.type;
    return text;
  }

  bool judgeCase(const GateCase &gateCase, Fill fill);
  bool runReference(const GateCase &gateCase, Fill fill, RunResult &native,
                    std::vector<HostBuffer> &given);
  bool agree(const RunResult &reference, const RunResult &candidate,
             const std::vector<HostBuffer> &given,
             const CompiledState &compiled, StringRef how);

  const GateRequest &request;
  MLIRContext context;
  std::string diagnostics;
  ScopedDiagnosticHandler handler;
  Verdict verdict;
  bool poisonOutputs = true;
  std::vector<bool> isOutput;
};

/// State 0 in f64 where floats can be widened, at its own precision otherwise.
bool Judge::runReference(const GateCase &gateCase, Fill fill, RunResult &result,
                         std::vector<HostBuffer> &given) {
  OwningOpRef<ModuleOp> module = parse(gateCase.reference);
  if (!module)
    return stop(VerdictKind::harness_error, "harness",
                "the reference is not valid: " + diagnostics);
  auto native = prepare(*module, {});
  if (!native)
    return stop(VerdictKind::harness_error, "harness",
                "the reference does not compile: " +
                    failureText(native.takeError()));
  given = inputs(shapes(native->compiled, gateCase.sizes), fill);
  isOutput.clear();
  for (const EntryParam &param : native->compiled.params)
    isOutput.push_back(param.isBuffer && param.noAlias);
  OwningOpRef<ModuleOp> wide = module->clone();
  bool widened =
      request.numerics != Numerics::bit_exact && succeeded(widenFloats(*wide));
  auto runnable = widened ? prepare(*wide, {}) : std::move(native);
  if (!runnable)
    return stop(VerdictKind::harness_error, "harness",
                "the wider reference does not compile: " +
                    failureText(runnable.takeError()));
  std::vector<HostBuffer> buffers = shapes(runnable->compiled, gateCase.sizes);
  for (size_t i = 0; i < buffers.size(); ++i)
    for (int64_t e = 0; e < buffers[i].count(); ++e)
      buffers[i].set(e, given[i].get(e));
  auto first = execute(*runnable, buffers, 0xCB);
  auto second = first ? execute(*runnable, buffers, 0x11) : std::move(first);
  if (!second)
    return stop(VerdictKind::harness_error, "harness",
                "the reference does not run: " +
                    failureText(second.takeError()));
  // Identity first: the reference must agree with itself, and must write all of
  // its outputs, whatever they held before.
  for (size_t i = 0; i < buffers.size(); ++i)
    if (isOutput[i] && first->buffers[i].bytes != second->buffers[i].bytes) {
      poisonOutputs = false; // An output that is also read, such as C += A * B.
      second = execute(*runnable, buffers, 0);
      if (!second)
        return stop(VerdictKind::harness_error, "harness",
                    failureText(second.takeError()));
      break;
    }
  result = std::move(*second);
  return true;
}

bool Judge::agree(const RunResult &reference, const RunResult &candidate,
                  const std::vector<HostBuffer> &given,
                  const CompiledState &compiled, StringRef how) {
  for (size_t i = 0; i < given.size(); ++i) {
    if (!compiled.params[i].isBuffer)
      continue;
    if (!isOutput[i]) {
      if (candidate.buffers[i].bytes != given[i].bytes)
        return stop(VerdictKind::wrong, "correctness",
                    llvm::formatv("changes input {0} ({1})", i, how));
      continue;
    }
    if (request.numerics == Numerics::bit_exact) {
      if (candidate.buffers[i].bytes == reference.buffers[i].bytes)
        continue;
      Difference difference =
          compare(reference.buffers[i], candidate.buffers[i], 0);
      return stop(
          VerdictKind::wrong, "correctness",
          llvm::formatv("output {0} is not bit-exact ({1}): {2}", i, how,
                        difference.worst.empty() ? "bits of zeros or NaN"
                                                 : difference.worst));
    }
    double tolerance =
        toleranceOf(request.numerics, compiled.params[i].elementType,
                    request.reductionLength);
    Difference difference =
        compare(reference.buffers[i], candidate.buffers[i], tolerance);
    verdict.tolerance = std::max(verdict.tolerance, tolerance);
    if (!difference.equal)
      return stop(
          VerdictKind::wrong, "correctness",
          llvm::formatv("output {0} is wrong ({1}): {2}; relative error "
                        "{3:e2}, tolerance {4:e2}",
                        i, how, difference.worst, difference.maxError,
                        tolerance));
    verdict.maxError = std::max(verdict.maxError, difference.maxError);
  }
  return true;
}

bool Judge::judgeCase(const GateCase &gateCase, Fill fill) {
  RunResult reference;
  std::vector<HostBuffer> given;
  if (!runReference(gateCase, fill, reference, given))
    return false;
  OwningOpRef<ModuleOp> module = parse(gateCase.candidate);
  if (!module)
    return stop(VerdictKind::compile_error, "compile", diagnostics);
  std::string sizes = sizesText(given);
  struct Way {
    simt::Mode mode;
    simt::Order order;
    const char *name;
  };
  const Way ways[] = {{simt::Mode::checked, simt::Order::forward, "checked"},
                      {simt::Mode::fast, simt::Order::reverse, "reverse order"},
                      {simt::Mode::fast, simt::Order::random, "random order"}};
  for (const Way &way : ways) {
    simt::Options options;
    options.mode = way.mode;
    options.order = way.order;
    options.seed = request.seed;
    auto runnable = prepare(*module, options);
    if (!runnable) {
      llvm::Error error = runnable.takeError();
      bool unsupported = error.isA<simt::UnsupportedError>();
      return stop(unsupported ? VerdictKind::unsupported
                              : VerdictKind::compile_error,
                  "compile", failureText(std::move(error)));
    }
    auto result = execute(*runnable, given, 0x5A);
    if (!result)
      return stop(VerdictKind::unsafe, "correctness",
                  llvm::formatv("{0} ({1}; {2})",
                                llvm::toString(result.takeError()), way.name,
                                sizes));
    if (!result->findings.empty()) {
      verdict.details = result->findings;
      return stop(VerdictKind::unsafe, "correctness",
                  llvm::formatv("{0} ({1})", result->findings.front(), sizes));
    }
    if (!agree(reference, *result, given, runnable->compiled,
               llvm::formatv("{0}; {1}", way.name, sizes).str()))
      return false;
    if (way.mode == simt::Mode::checked)
      verdict.counts = result->counts;
  }
  if (fill == Fill::mixed)
    verdict.domain.push_back("simt " + sizes);
  return true;
}

} // namespace

Verdict klineage::judgeHere(const GateRequest &request,
                            const DialectRegistry &registry) {
  return Judge(request, registry).run();
}
