//===- KLineage.h - The klineage dialect
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_DIALECT_KLINEAGE_H
#define KLINEAGE_DIALECT_KLINEAGE_H

#include "KLineage/Support/Enums.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace klineage {
class StateOp;
class TransitionOp;
} // namespace klineage

#include "KLineage/Dialect/KLineage/KLineageDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "KLineage/Dialect/KLineage/KLineageAttrs.h.inc"

#define GET_OP_CLASSES
#include "KLineage/Dialect/KLineage/KLineageOps.h.inc"

namespace klineage {

/// States of `lineage` from a root to `state`, both included.
llvm::SmallVector<StateOp> pathTo(LineageOp lineage, StateOp state);

} // namespace klineage

#endif // KLINEAGE_DIALECT_KLINEAGE_H
