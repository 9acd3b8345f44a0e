//===- IndexFacts.h - What is known of an index where it is used
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_LIFT_INDEXFACTS_H
#define KLINEAGE_LIB_LIFT_INDEXFACTS_H

#include "mlir/IR/Operation.h"
#include <optional>
#include <string>

namespace klineage {

/// True if both are the same signed number, whatever integer type they have.
/// `noWrap`: sums and products of narrow integers are assumed not to wrap.
bool sameIndex(mlir::Value a, mlir::Value b, bool noWrap);

/// Why row * columns + column at `at` may not be element [row, column] of a
/// matrix of so many columns, or nothing: the column is from 0 to columns by
/// the loops and branches around `at`, and the sum wraps nowhere. Null is zero.
std::optional<std::string> whyNoColumn(mlir::Value row, mlir::Value column,
                                       mlir::Value columns,
                                       mlir::Operation *at);

} // namespace klineage

#endif // KLINEAGE_LIB_LIFT_INDEXFACTS_H
