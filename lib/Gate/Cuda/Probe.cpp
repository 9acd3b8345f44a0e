//===- Probe.cpp - Is there a device that works?
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Cuda/CudaDevice.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace klineage::cuda;
using namespace llvm;

ProbeResult klineage::cuda::probeHere(int ordinal) {
  auto device = CudaDevice::open(ordinal);
  if (!device)
    return {false, toString(device.takeError())};
  const DeviceFacts &facts = (*device)->facts();
  return {true, ("cuda: " + facts.name + " (compute capability " +
                 Twine(facts.computeMajor) + "." + Twine(facts.computeMinor) +
                 ", driver for CUDA " + versionText(facts.driverVersion) +
                 ") can be used")
                    .str()};
}

/// Writes '+' or '-' and the sentence.
static void answer(int pipe, const ProbeResult &result) {
  std::string text = (result.usable ? "+" : "-") + result.sentence;
  const char *next = text.data();
  size_t left = text.size();
  while (left) {
    ssize_t written = write(pipe, next, left);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return;
    next += written;
    left -= written;
  }
}

static int64_t nowMs() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// Reads until the other end closes. False if that takes too long.
static bool readAll(int pipe, int64_t deadlineMs, std::string &text) {
  char buffer[512];
  while (true) {
    int64_t left = deadlineMs - nowMs();
    if (left <= 0)
      return false;
    pollfd entry = {pipe, POLLIN, 0};
    int ready =
        poll(&entry, 1, static_cast<int>(std::min<int64_t>(left, 1000)));
    if (ready < 0 && errno != EINTR)
      return true;
    if (ready <= 0)
      continue;
    ssize_t count = read(pipe, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return true;
    text.append(buffer, count);
  }
}

static ProbeResult judge(bool ended, int status, StringRef text,
                         unsigned timeoutSeconds) {
  if (!ended)
    return {false, ("cuda: the driver did not start within " +
                    Twine(timeoutSeconds) + " s; look at nvidia-smi and dmesg")
                       .str()};
  if (text.consume_front("+"))
    return {true, text.str()};
  if (text.consume_front("-"))
    return {false, text.str()};
  std::string how = WIFSIGNALED(status)
                        ? std::string("signal ") + strsignal(WTERMSIG(status))
                        : "exit code " + std::to_string(WEXITSTATUS(status));
  return {false, "cuda: the driver ended the process that tried it (" + how +
                     "); reinstall the NVIDIA driver"};
}

ProbeResult klineage::cuda::probe(int ordinal, unsigned timeoutSeconds) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return {false, std::string("cuda: no pipe for the probe: ") +
                       std::strerror(errno)};
  pid_t child = fork();
  if (child < 0) {
    std::string why = std::strerror(errno);
    close(ends[0]);
    close(ends[1]);
    return {false, "cuda: no process for the probe: " + why};
  }
  if (child == 0) {
    // A crash is the parent's to report, not a handler's that we inherited.
    for (int number : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTERM})
      std::signal(number, SIG_DFL);
    close(ends[0]);
    answer(ends[1], probeHere(ordinal));
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  bool ended = readAll(ends[0], nowMs() + timeoutSeconds * int64_t(1000), text);
  close(ends[0]);
  if (!ended)
    kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return judge(ended, status, text, timeoutSeconds);
}
