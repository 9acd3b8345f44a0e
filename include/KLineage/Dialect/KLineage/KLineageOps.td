//===- KLineageOps.td - All operations of the dialect
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_DIALECT_OPS_TD
#define KLINEAGE_DIALECT_OPS_TD

include "KLineage/Dialect/KLineage/LineageOps.td"
include "KLineage/Dialect/KLineage/SkillOps.td"

#endif // KLINEAGE_DIALECT_OPS_TD
