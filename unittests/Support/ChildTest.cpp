//===- ChildTest.cpp - Whatever a child does, the parent goes on
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Support/ChildProcess.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemAlloc.h"
#include <csignal>
#include <gtest/gtest.h>
#include <unistd.h>
#include <vector>

using namespace klineage;

namespace {

ChildResult run(llvm::function_ref<std::string()> body, double seconds = 20,
                int64_t memory = 0) {
  return runInChild({seconds, memory}, body);
}

TEST(Child, answers) {
  std::string text(300000, 'x'); // more than a pipe holds
  ChildResult result = run([&] { return text; });
  EXPECT_EQ(result.kind, ChildResult::answered);
  EXPECT_EQ(result.text, text);
}

TEST(Child, endsBySegmentationFault) {
  ChildResult result = run([]() -> std::string {
    enterPhase(Phase::candidate);
    std::raise(SIGSEGV);
    return "";
  });
  EXPECT_EQ(result.kind, ChildResult::signaled);
  EXPECT_EQ(result.code, SIGSEGV);
  EXPECT_EQ(result.phase, Phase::candidate);
}

TEST(Child, aborts) {
  ChildResult result = run([]() -> std::string {
    enterPhase(Phase::reference);
    std::abort();
  });
  EXPECT_EQ(result.kind, ChildResult::signaled);
  EXPECT_EQ(result.code, SIGABRT);
  EXPECT_EQ(result.phase, Phase::reference);
}

TEST(Child, diesOfAFatalErrorOfLLVM) {
  ChildResult result = run([]() -> std::string {
    enterPhase(Phase::compile);
    close(2);
    llvm::report_fatal_error("cannot select", /*gen_crash_diag=*/false);
  });
  EXPECT_EQ(result.kind, ChildResult::exited);
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.phase, Phase::compile);
}

TEST(Child, hangs) {
  ChildResult result = run(
      []() -> std::string {
        while (true)
          pause();
      },
      0.2);
  EXPECT_EQ(result.kind, ChildResult::timed_out);
}

TEST(Child, leavesAChildOfItsOwn) {
  ChildResult result = run(
      []() -> std::string {
        if (fork() == 0)
          pause(); // It holds the pipe open.
        std::abort();
      },
      0.5);
  EXPECT_EQ(result.kind, ChildResult::timed_out);
}

TEST(Child, asksForMoreThanThereIs) {
  ChildResult result = run([]() -> std::string {
    auto *much = static_cast<volatile char *>(::operator new(1ull << 46));
    return std::string(1, *much);
  });
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_EQ(result.kind, ChildResult::out_of_memory);
#endif
}

TEST(Child, reachesItsLimit) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "there is no limit: shadow memory is larger";
#endif
  ChildResult result = run(
      []() -> std::string {
        std::vector<std::vector<char>> much;
        for (int i = 0; i < 4096; ++i)
          much.emplace_back(1 << 20);
        return "all of it";
      },
      20, int64_t(1) << 30);
  EXPECT_EQ(result.kind, ChildResult::out_of_memory);
}

TEST(Child, runsOutOfMemoryInsideLLVM) {
  ChildResult result = run([]() -> std::string {
    auto *much = static_cast<volatile char *>(llvm::safe_malloc(1ull << 46));
    return std::string(1, *much);
  });
  EXPECT_NE(result.kind, ChildResult::answered);
}

TEST(Child, changesNothingHere) {
  int value = 1;
  run([&] {
    value = 2;
    return "";
  });
  EXPECT_EQ(value, 1);
}

} // namespace
