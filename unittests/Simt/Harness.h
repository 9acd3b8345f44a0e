//===- Harness.h - Compiles a kernel, runs it, collects findings
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_UNITTESTS_SIMT_HARNESS_H
#define KLINEAGE_UNITTESTS_SIMT_HARNESS_H

#include "KLineage/Gate/Simt/SimtRuntime.h"
#include "Lowering.h"
#include "gtest/gtest.h"
#include <map>

namespace klineage::simt::test {

/// One kernel module with a runtime. Failures of the harness itself are test
/// failures at once.
class Harness {
public:
  enum class Language { mlir, ir };
  Harness(llvm::StringRef text, Language language, Mode mode,
          Order order = Order::forward, uint64_t seed = 1);

  template <typename T>
  T *buffer(const std::vector<T> &values, llvm::StringRef name) {
    void *device = allocate(values.size() * sizeof(T), name);
    llvm::Error error =
        runtime->copyToDevice(device, values.data(), values.size() * sizeof(T));
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    return static_cast<T *>(device);
  }
  void *allocate(int64_t bytes, llvm::StringRef name);
  template <typename T> std::vector<T> read(T *device, size_t count) {
    std::vector<T> values(count);
    llvm::Error error =
        runtime->copyToHost(values.data(), device, count * sizeof(T));
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    return values;
  }

  /// `args` are the values of the parameters. Returns the error text, empty
  /// on success.
  template <typename... Args>
  std::string launch(llvm::StringRef kernel, Dim3 grid, Dim3 block,
                     int64_t dynamicShared, Args... args) {
    void *pointers[] = {&args..., nullptr};
    LaunchRequest request;
    request.kernel = kernel;
    request.grid = grid;
    request.block = block;
    request.dynamicSharedBytes = dynamicShared;
    request.args = llvm::ArrayRef<void *>(pointers, sizeof...(Args));
    if (llvm::Error error = runtime->launch(request))
      return llvm::toString(std::move(error));
    return "";
  }

  /// Kinds of all findings with how many distinct ones there are.
  std::map<std::string, int> kinds() const;
  const Finding *first(FindingKind kind) const;
  std::string report() const;

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<Program> program;
  std::unique_ptr<SimtRuntime> runtime;
};

/// Replaces every occurrence; fails the test if there is none.
std::string replaced(std::string text, llvm::StringRef from,
                     llvm::StringRef to);

constexpr Order allOrders[] = {Order::forward, Order::reverse, Order::random};

} // namespace klineage::simt::test

#endif // KLINEAGE_UNITTESTS_SIMT_HARNESS_H
