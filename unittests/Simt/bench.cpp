//===- bench.cpp - How fast the simt executor is on this machine
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "Kernels.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cmath>

using namespace klineage;
using namespace klineage::simt;
using namespace klineage::simt::test;

// A scalar matrix product in the order of the kernel, for comparison.
__attribute__((noinline)) static void
scalarMatmul(const float *a, const float *b, float *c, int n) {
#pragma clang loop vectorize(disable) interleave(disable)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

template <typename F> static double milliseconds(F run) {
  double best = 1e30;
  for (int i = 0; i < 5; ++i) {
    auto start = std::chrono::steady_clock::now();
    run();
    std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best;
}

static double timeKernel(const std::string &text, llvm::StringRef kernel,
                         Mode mode, unsigned osThreads, int64_t countedBlocks) {
  llvm::LLVMContext context;
  auto module = llvm::cantFail(lowerMlir(text, context));
  Options options;
  options.mode = mode;
  options.osThreads = osThreads;
  options.countedBlocks = countedBlocks;
  auto program = llvm::cantFail(Program::create(*module, {}, options));
  SimtRuntime runtime(*program);
  int64_t bytes = 256 * 256 * 4;
  void *buffers[3];
  void *args[3];
  for (int i = 0; i < 3; ++i) {
    buffers[i] = llvm::cantFail(runtime.allocate(bytes, "ABC"));
    std::vector<float> ones(256 * 256, 1.0f);
    llvm::cantFail(runtime.copyToDevice(buffers[i], ones.data(), bytes));
    args[i] = &buffers[i];
  }
  LaunchRequest request;
  request.kernel = kernel;
  request.grid = {16, 16, 1};
  request.block = {16, 16, 1};
  request.args = args;
  double best = milliseconds([&] { llvm::cantFail(runtime.launch(request)); });
  for (const Finding &finding : runtime.findings())
    llvm::outs() << finding << "\n";
  return best;
}

/// Of fast mode against the scalar loop, and of checked against fast mode.
struct Ratios {
  double fast, checked;
};

/// Prints times of one kernel beside the scalar loop.
static Ratios report(const char *name, const std::string &text) {
  std::vector<float> a(65536, 1.0f), b(65536, 1.0f), c(65536);
  double scalar =
      milliseconds([&] { scalarMatmul(a.data(), b.data(), c.data(), 256); });
  double one = timeKernel(text, name, Mode::fast, 1, 0);
  double all = timeKernel(text, name, Mode::fast, 0, 0);
  double checked = timeKernel(text, name, Mode::checked, 1, 2);
  // The machine may have been slower at first than it was for the kernel.
  scalar = std::min(scalar, milliseconds([&] {
                      scalarMatmul(a.data(), b.data(), c.data(), 256);
                    }));
  llvm::outs() << llvm::format(
      "%s: scalar C++ loop    %8.2f ms\n"
      "%s: fast, 1 OS thread  %8.2f ms = %.2f x scalar\n"
      "%s: fast, all cores    %8.2f ms = %.2f x scalar\n"
      "%s: checked            %8.2f ms = %.1f x fast on 1 OS thread\n",
      name, scalar, name, one, one / scalar, name, all, all / scalar, name,
      checked, checked / one);
  return {one / scalar, checked / one};
}

int main() {
  auto at256 = [](const char *text) {
    return replaced(replaced(text, "64x64", "256x256"), "constant 64 : index",
                    "constant 256 : index");
  };
  // Barriers cost two switches of fibers each; they have no limit.
  report("tiled", at256(tiledMatmul));
  Ratios naive = report("naive", at256(naiveMatmul));
  bool holds = naive.fast <= 2 && naive.checked <= 20;
  llvm::outs() << llvm::format(
      "simt-speed: %s: naive, fast mode takes %.2f x scalar (limit 2), checked "
      "mode %.1f x fast (limit 20)\n",
      holds ? "holds" : "FAILS", naive.fast, naive.checked);
  return holds ? 0 : 1;
}
