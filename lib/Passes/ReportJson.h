//===- ReportJson.h - A lineage as JSON
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_PASSES_REPORTJSON_H
#define KLINEAGE_LIB_PASSES_REPORTJSON_H

#include "KLineage/Dialect/KLineage/KLineage.h"
#include <string>

namespace klineage {

/// All that the text report says, for programs: one JSON object with the keys
/// `lineage`, `chip`, `ended`, `states`, `transitions` and `trials`, in the
/// order of the file (docs/lineage.md). Ends with a newline.
std::string lineageToJson(LineageOp lineage);

} // namespace klineage

#endif // KLINEAGE_LIB_PASSES_REPORTJSON_H
