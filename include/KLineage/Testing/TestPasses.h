//===- TestPasses.h - Test passes that try the gate
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_TESTING_TESTPASSES_H
#define KLINEAGE_TESTING_TESTPASSES_H

namespace klineage {

/// test-klineage-mutate plants a fault, test-klineage-gate judges the module,
/// test-klineage-executors runs it on both executors,
/// test-klineage-normal-form shows that two modules compute the same,
/// test-klineage-run prints the data that a run makes.
void registerTestingPasses();
void registerTestExecutorsPass();
void registerTestGatePass();
void registerTestNormalFormPass();
void registerTestRunPass();

} // namespace klineage

#endif // KLINEAGE_TESTING_TESTPASSES_H
