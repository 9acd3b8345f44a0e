//===- TestPasses.h - Registration of test passes
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_STEPS_TESTPASSES_H
#define KLINEAGE_STEPS_TESTPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace klineage {

/// Operations of `module` as tests name them: "name#number" separated by
/// spaces, outer operations first, the number 0 if left out; "contraction" is
/// any structured operation with a reduction. Empty if one is not there.
llvm::SmallVector<mlir::Operation *>
findTestTargets(mlir::ModuleOp module, llvm::StringRef description);

/// Registers `klineage-test-step`.
void registerStepTestPasses();

} // namespace klineage

#endif // KLINEAGE_STEPS_TESTPASSES_H
