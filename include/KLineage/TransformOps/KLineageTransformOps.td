//===- KLineageTransformOps.td - All transform operations
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_TRANSFORMOPS_TD
#define KLINEAGE_TRANSFORMOPS_TD

include "KLineage/TransformOps/ClauseOps.td"
include "KLineage/TransformOps/MatchOps.td"
include "KLineage/TransformOps/StepOps.td"

#endif // KLINEAGE_TRANSFORMOPS_TD
