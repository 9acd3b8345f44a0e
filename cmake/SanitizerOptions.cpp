//===- SanitizerOptions.cpp - What holds because MLIR is not instrumented
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/// LLVM's allocators poison memory in headers that we instrument and unpoison
/// it in a library that nobody did. What MLIR keeps for its whole life is no
/// leak.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0";
}
