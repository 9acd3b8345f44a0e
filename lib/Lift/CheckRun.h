//===- CheckRun.h - Original and lifted kernel, side by side
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_LIFT_CHECKRUN_H
#define KLINEAGE_LIB_LIFT_CHECKRUN_H

#include "KLineage/Support/TargetInfo.h"
#include "Launch.h"
#include "mlir/IR/BuiltinOps.h"

namespace klineage {

struct LiftComparison {
  bool equal = false;
  std::string message; ///< the first difference or finding, one line
  int64_t runs = 0, bytes = 0, originalFindings = 0;
};

/// Runs both in the simt executor: all sizes of `launch`, three thread orders,
/// checked. Fails if one of them cannot be run at all.
llvm::Expected<LiftComparison> compareLift(llvm::StringRef originalFile,
                                           mlir::ModuleOp lifted,
                                           const LaunchDescription &launch,
                                           const TargetInfo &target);

} // namespace klineage

#endif // KLINEAGE_LIB_LIFT_CHECKRUN_H
