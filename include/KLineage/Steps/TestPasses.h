//===- TestPasses.h - Registration of test passes
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_STEPS_TESTPASSES_H
#define KLINEAGE_STEPS_TESTPASSES_H

namespace klineage {

/// Registers `klineage-test-step`.
void registerStepTestPasses();

} // namespace klineage

#endif // KLINEAGE_STEPS_TESTPASSES_H
