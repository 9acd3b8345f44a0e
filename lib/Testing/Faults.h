//===- Faults.h - Faults that can be planted in a state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_TESTING_FAULTS_H
#define KLINEAGE_LIB_TESTING_FAULTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace klineage::testing {

/// One kind of fault. It fits some operations of a state, its sites; planting
/// changes one of them, and may erase it.
struct FaultKind {
  const char *name;
  const char *what; ///< "a barrier is missing"
  bool (*fits)(mlir::Operation *op);
  /// The builder stands before `op`.
  void (*plant)(mlir::OpBuilder &b, mlir::Operation *op);
};

/// Loops, grids, guards, barriers.
llvm::ArrayRef<FaultKind> controlFaults();
/// Indices, strides, layouts, stores.
llvm::ArrayRef<FaultKind> memoryFaults();
/// Operands, operations, constants, casts, lanes.
llvm::ArrayRef<FaultKind> valueFaults();

/// `value` + `by`, for indices and integers.
mlir::Value shifted(mlir::OpBuilder &b, mlir::Value value, int64_t by);
/// The constant that `value` is, if it is one.
std::optional<int64_t> constantOf(mlir::Value value);
/// In global memory: not shared, not private.
bool isGlobal(mlir::Value memref);
bool isPrivate(mlir::Value memref);

} // namespace klineage::testing

#endif // KLINEAGE_LIB_TESTING_FAULTS_H
