//===- Match.h - Kinds of operations, and producers through buffers
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_TRANSFORMOPS_MATCH_H
#define KLINEAGE_TRANSFORMOPS_MATCH_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace klineage {

/// True if `op` is of the kind; kinds as in `transform.klineage.match_kind`,
/// and "barrier", "shared".
bool isOfKind(mlir::Operation *op, llvm::StringRef kind);

/// Operations before `op` in its block that write the buffer of `value`.
llvm::SmallVector<mlir::Operation *> writersBefore(mlir::Operation *op,
                                                   mlir::Value value);

/// True if an operation after `op` in its block reads a buffer `op` writes.
bool isReadLater(mlir::Operation *op);

} // namespace klineage

#endif // KLINEAGE_TRANSFORMOPS_MATCH_H
