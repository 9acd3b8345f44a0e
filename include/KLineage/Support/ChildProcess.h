//===- ChildProcess.h - A child that may crash, hang or eat memory
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_SUPPORT_CHILDPROCESS_H
#define KLINEAGE_SUPPORT_CHILDPROCESS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <string>

namespace klineage {

/// Whose work a judgement does at the moment: who is to blame if it ends here.
enum class Phase : int32_t { harness, reference, compile, candidate };

/// Notes the phase where the parent of this process sees it, if it is a child.
void enterPhase(Phase phase);

struct ChildLimits {
  double seconds = 120;
  /// Of writable memory, in bytes; 0: no limit. Ignored under sanitizers, whose
  /// shadow memory is larger than any limit.
  int64_t memory = 0;
};

/// How a child ended.
struct ChildResult {
  enum Kind {
    answered,
    timed_out,
    interrupted, ///< by somebody: KLineage/Support/Interrupt.h
    out_of_memory,
    signaled,
    exited,
    failed
  };
  Kind kind = failed;
  std::string text; ///< the answer, or why there is no child
  int code = 0;     ///< number of the signal, or exit code
  Phase phase = Phase::harness;
};

/// Runs `body` in a forked child and returns the text that it gives. Whatever
/// it does, this process goes on; at the deadline, or when somebody interrupts,
/// the child and its children are killed.
ChildResult runInChild(const ChildLimits &limits,
                       llvm::function_ref<std::string()> body);

} // namespace klineage

#endif // KLINEAGE_SUPPORT_CHILDPROCESS_H
