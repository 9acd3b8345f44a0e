//===- SelfCheck.h - Can these runs tell right from wrong
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SELFCHECK_H
#define KLINEAGE_LIB_GATE_SELFCHECK_H

#include "Judgement.h"

namespace klineage {

/// What one run of the reference is used for: a case of the request, a fill.
struct PlannedRun {
  size_t gateCase;
  Fill fill;
  Expectation expected;
};

/// What the check found out. Nothing else is to be judged if it failed.
struct SelfCheck {
  std::string failure;            ///< one line, or empty
  int64_t told = 0;               ///< wrong answers that were told
  std::vector<std::string> notes; ///< wrong answers that this kernel exempts
};

/// Compares fabricated outputs with what is expected, by the rule that judges
/// candidates: state 0 in its own types must pass, a broken twin must fail in
/// each run, and zeros, an untouched buffer, a copy of an input, ... in one at
/// least. One that is the right answer in all runs is exempt.
SelfCheck selfCheck(const GateRequest &request,
                    llvm::ArrayRef<PlannedRun> runs);

} // namespace klineage

#endif // KLINEAGE_LIB_GATE_SELFCHECK_H
