//===- LiftMath.h - Functions of libdevice and LLVM's math intrinsics
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_LIFT_LIFTMATH_H
#define KLINEAGE_LIB_LIFT_LIFTMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace klineage {

/// Flags of an LLVM operation; both enumerations have the same bits by name.
mlir::arith::FastMathFlags fastMathOf(mlir::Operation *op);

/// The `math` operation that lowers to the same function again, or null.
mlir::Value liftMath(mlir::OpBuilder &b, mlir::Operation *op);

} // namespace klineage

#endif // KLINEAGE_LIB_LIFT_LIFTMATH_H
