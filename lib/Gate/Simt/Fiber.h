//===- Fiber.h - Switching between the threads of a block
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMT_FIBER_H
#define KLINEAGE_LIB_GATE_SIMT_FIBER_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace klineage::simt {

/// A suspended or running execution on its own stack. The scheduler of one
/// block owns its fibers; they never move between OS threads.
struct Fiber {
  void *stackPointer = nullptr;
  char *low = nullptr, *high = nullptr; ///< usable stack
  void *sanitizerStack = nullptr;       ///< AddressSanitizer's own bookkeeping
};

/// Stacks with an inaccessible guard page below each, kept for reuse.
class StackPool {
public:
  explicit StackPool(int64_t bytes);
  ~StackPool();
  StackPool(const StackPool &) = delete;
  /// Makes at least `count` stacks available.
  llvm::Error grow(unsigned count);
  char *low(unsigned index) const { return stacks[index]; }
  char *high(unsigned index) const { return stacks[index] + stackBytes; }

private:
  int64_t stackBytes, guardBytes;
  std::vector<char *> stacks;
};

/// Prepares `fiber` so that the first switch to it calls entry(argument), which
/// must not return.
void prepareFiber(Fiber &fiber, char *low, char *high, void (*entry)(void *),
                  void *argument);

/// Suspends `from` (the running one) and continues `to`. `last`: `from` never
/// runs again.
void switchFiber(Fiber &from, Fiber &to, bool last = false);

/// To be called first by the entry function of a fiber.
void enteredFiber(Fiber &self);

} // namespace klineage::simt

#endif // KLINEAGE_LIB_GATE_SIMT_FIBER_H
