//===- Extents.h - Which extents of an entry are equal in every call
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_GATE_EXTENTS_H
#define KLINEAGE_GATE_EXTENTS_H

#include "KLineage/Analysis/KernelModel.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

namespace klineage {

/// On a buffer of an entry: one name for each dimension, a string, empty for
/// none. Extents of the same name are equal, as whoever wrote the entry
/// promises. An attribute of another form ties nothing.
constexpr llvm::StringLiteral kExtentsAttr = "klineage.extents";

/// Extents that the operations of the entry of `reference` force to be equal;
/// no ties if it has no entry.
ExtentTies tiedExtents(mlir::ModuleOp reference);

} // namespace klineage

#endif // KLINEAGE_GATE_EXTENTS_H
