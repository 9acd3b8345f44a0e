//===- Child.cpp - Judging in a child process with a watchdog
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judgement.h"
#include "llvm/Support/FormatVariadic.h"
#include <csignal>
#include <cstring>
#include <unistd.h>

using namespace klineage;

static Verdict failure(VerdictKind kind, std::string message) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.stage = "harness";
  verdict.message = std::move(message);
  return verdict;
}

/// Three quarters of the machine's memory: its killer is not to choose for us.
int64_t klineage::memoryLimit(const GateRequest &request) {
  if (request.memoryBytes > 0)
    return request.memoryBytes;
  int64_t pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? pages / 4 * 3 * bytes : int64_t(4) << 30;
}

static const char *workOf(Phase phase) {
  switch (phase) {
  case Phase::harness:
    return "the gate";
  case Phase::reference:
    return "the reference";
  case Phase::compile:
    return "compiling the candidate";
  case Phase::candidate:
    return "the candidate";
  }
  return "the gate";
}

/// What the end of a child says about the candidate: nothing, if it was not
/// its turn.
static Verdict verdictOf(const ChildResult &child, const GateRequest &request) {
  const char *work = workOf(child.phase);
  switch (child.kind) {
  case ChildResult::failed:
    return failure(VerdictKind::harness_error, child.text);
  case ChildResult::timed_out:
    return failure(VerdictKind::timeout,
                   llvm::formatv("no answer within {0} seconds ({1})",
                                 int64_t(request.timeoutSeconds), work));
  case ChildResult::interrupted:
    return failure(VerdictKind::harness_error, "interrupted");
  case ChildResult::out_of_memory:
    return failure(VerdictKind::unsupported,
                   llvm::formatv("{0} needs more than {1} MiB of memory", work,
                                 memoryLimit(request) >> 20));
  case ChildResult::signaled:
  case ChildResult::exited:
    break;
  case ChildResult::answered:
    if (auto verdict = verdictFromJson(child.text))
      return *verdict;
    else
      return failure(VerdictKind::harness_error,
                     llvm::toString(verdict.takeError()));
  }
  std::string end = child.kind == ChildResult::signaled
                        ? strsignal(child.code)
                        : "exit code " + std::to_string(child.code);
  // Nothing in the gate kills with SIGKILL before the deadline.
  bool own = child.phase == Phase::candidate || child.phase == Phase::compile;
  if (!own || (child.kind == ChildResult::signaled && child.code == SIGKILL))
    return failure(VerdictKind::harness_error,
                   llvm::formatv("{0} ended its process: {1}", work, end));
  return failure(child.phase == Phase::compile ? VerdictKind::compile_error
                                               : VerdictKind::unsafe,
                 llvm::formatv("{0} ended its process: {1}", work, end));
}

Verdict klineage::judgeInChild(const GateRequest &request,
                               llvm::function_ref<Verdict()> body) {
  ChildLimits limits;
  limits.seconds = request.timeoutSeconds;
  // A driver maps the memory of the GPU, too.
  limits.memory = request.onDevice ? 0 : memoryLimit(request);
  ChildResult child = runInChild(limits, [&] { return toJson(body()); });
  return verdictOf(child, request);
}

Verdict klineage::judge(const GateRequest &request,
                        const mlir::DialectRegistry &registry) {
  return judgeInChild(request, [&] { return judgeHere(request, registry); });
}
