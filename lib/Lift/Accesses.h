//===- Accesses.h - Loads, stores and atomics of lifted objects
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_LIFT_ACCESSES_H
#define KLINEAGE_LIB_LIFT_ACCESSES_H

#include "Offsets.h"
#include "Pointers.h"

namespace klineage {

/// A short copy is a load and a store of the same bytes.
void expandCopies(mlir::gpu::GPUFuncOp kernel);

/// Fails the base if an access to it can have no counterpart.
void checkAccesses(PointerBase &base);

/// A pointer to element `index` of `object`.
mlir::Value elementAddress(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value object, mlir::Value index,
                           mlir::Type element,
                           mlir::LLVM::LLVMPointerType type);

/// Replaces an access to element `index` of `object`. What no operation on
/// memrefs says (volatile, an order, compare and swap) stays as it is, on the
/// address of the element.
void liftAccess(mlir::Operation *access, mlir::Value object, mlir::Value index,
                mlir::Type element);

/// Equality of pointers into one object becomes equality of offsets.
void liftCompare(mlir::LLVM::ICmpOp compare, OffsetBuilder &offsets);

} // namespace klineage

#endif // KLINEAGE_LIB_LIFT_ACCESSES_H
