//===- TestPasses.h - Passes for tests of the analyses
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_TESTPASSES_H
#define KLINEAGE_ANALYSIS_TESTPASSES_H

namespace klineage {

/// test-klineage-kernel-model and test-klineage-prove.
void registerAnalysisTestPasses();

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_TESTPASSES_H
