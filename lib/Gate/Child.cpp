//===- Child.cpp - Judging in a child process with a watchdog
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Gate.h"
#include "KLineage/Support/Interrupt.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Error.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace klineage;

static void childMain(int output, const GateRequest &request,
                      const mlir::DialectRegistry &registry) {
  // Crash handlers of the tool would print a stack that is not the tool's.
  for (int signal : {SIGSEGV, SIGFPE, SIGILL, SIGBUS, SIGABRT, SIGINT, SIGTERM})
    std::signal(signal, SIG_DFL);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  std::string text = toJson(judgeHere(request, registry));
  size_t done = 0;
  while (done < text.size()) {
    ssize_t count = write(output, text.data() + done, text.size() - done);
    if (count <= 0 && errno != EINTR)
      break;
    done += std::max<ssize_t>(count, 0);
  }
  close(output);
  _exit(0);
}

/// Reads until the child closes its end, the deadline is over, or somebody
/// interrupts.
static bool readAll(int input, double seconds, std::string &text) {
  auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (left.count() <= 0)
      return false;
    pollfd descriptor{input, POLLIN, 0};
    int ready = poll(&descriptor, 1, left.count());
    if (interrupted())
      return false;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return false;
    char buffer[65536];
    ssize_t count = read(input, buffer, sizeof(buffer));
    if (count == 0)
      return true;
    if (count > 0)
      text.append(buffer, count);
    else if (errno != EINTR)
      return true;
  }
}

static Verdict failure(VerdictKind kind, std::string message) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.stage = "harness";
  verdict.message = std::move(message);
  return verdict;
}

Verdict klineage::judge(const GateRequest &request,
                        const mlir::DialectRegistry &registry) {
  int ends[2];
  if (pipe(ends) != 0)
    return failure(VerdictKind::harness_error,
                   std::string("cannot make a pipe: ") + std::strerror(errno));
  pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return failure(VerdictKind::harness_error,
                   std::string("cannot start a child: ") +
                       std::strerror(errno));
  }
  if (child == 0) {
    setpgid(0, 0);
    close(ends[0]);
    childMain(ends[1], request, registry);
  }
  close(ends[1]);
  std::string text;
  bool finished = readAll(ends[0], request.timeoutSeconds, text);
  close(ends[0]);
  if (!finished) {
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (interrupted())
    return failure(VerdictKind::harness_error, "interrupted");
  if (!finished)
    return failure(VerdictKind::timeout,
                   "no answer within " +
                       std::to_string(int64_t(request.timeoutSeconds)) +
                       " seconds");
  if (WIFSIGNALED(status))
    return failure(VerdictKind::unsafe,
                   std::string("the candidate ended its process: ") +
                       strsignal(WTERMSIG(status)));
  if (auto verdict = verdictFromJson(text))
    return *verdict;
  else
    llvm::consumeError(verdict.takeError());
  return failure(VerdictKind::compile_error,
                 "the compiler ended its process with code " +
                     std::to_string(WEXITSTATUS(status)));
}
