//===- ChildProcess.cpp - A child that may crash, hang or eat memory
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Support/ChildProcess.h"
#include "KLineage/Support/Interrupt.h"
#include "llvm/Support/ErrorHandling.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace klineage;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define KLINEAGE_SHADOW_MEMORY 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KLINEAGE_SHADOW_MEMORY 1
#endif

/// Exit code of a child that ran out of memory; no tool of LLVM uses it.
static constexpr int kOutOfMemory = 87;

/// Shared with the parent; null in a process that is no child.
static volatile Phase *sharedPhase = nullptr;

void klineage::enterPhase(Phase phase) {
  if (sharedPhase)
    *sharedPhase = phase;
}

static void endForMemory() { _exit(kOutOfMemory); }

static void limitMemory(int64_t bytes) {
#ifndef KLINEAGE_SHADOW_MEMORY
  if (bytes > 0) {
    rlimit limit{rlim_t(bytes), rlim_t(bytes)};
    setrlimit(RLIMIT_DATA, &limit);
  }
#endif
  std::set_new_handler(endForMemory);
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { endForMemory(); });
}

[[noreturn]] static void childMain(int output, const ChildLimits &limits,
                                   llvm::function_ref<std::string()> body) {
  // Crash handlers of the tool would print a stack that is not the tool's.
  for (int signal : {SIGSEGV, SIGFPE, SIGILL, SIGBUS, SIGABRT, SIGINT, SIGTERM})
    std::signal(signal, SIG_DFL);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  limitMemory(limits.memory);
  std::string text = body();
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

static ChildResult noChild(const char *what) {
  ChildResult result;
  result.text = std::string(what) + ": " + std::strerror(errno);
  return result;
}

/// One word that parent and child share, with the phase; null without memory.
static volatile Phase *sharePhase() {
  void *page = mmap(nullptr, sizeof(Phase), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? nullptr : static_cast<volatile Phase *>(page);
}

static void waitFor(pid_t child, bool finished, ChildResult &result) {
  if (!finished) {
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (!finished) {
    result.kind =
        interrupted() ? ChildResult::interrupted : ChildResult::timed_out;
  } else if (WIFSIGNALED(status)) {
    result.kind = ChildResult::signaled;
    result.code = WTERMSIG(status);
  } else {
    result.code = WEXITSTATUS(status);
    result.kind = result.code == 0              ? ChildResult::answered
                  : result.code == kOutOfMemory ? ChildResult::out_of_memory
                                                : ChildResult::exited;
  }
}

ChildResult klineage::runInChild(const ChildLimits &limits,
                                 llvm::function_ref<std::string()> body) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return noChild("cannot make a pipe");
  volatile Phase *phase = sharePhase();
  pid_t child = fork();
  if (child < 0) {
    ChildResult result = noChild("cannot start a child");
    close(ends[0]);
    close(ends[1]);
    return result;
  }
  if (child == 0) {
    setpgid(0, 0);
    close(ends[0]);
    sharedPhase = phase;
    childMain(ends[1], limits, body);
  }
  close(ends[1]);
  ChildResult result;
  bool finished = readAll(ends[0], limits.seconds, result.text);
  close(ends[0]);
  waitFor(child, finished, result);
  if (phase) {
    result.phase = *phase;
    munmap(const_cast<Phase *>(phase), sizeof(Phase));
  }
  return result;
}
