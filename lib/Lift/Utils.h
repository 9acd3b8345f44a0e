//===- Utils.h - What lifting passes share
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_LIFT_UTILS_H
#define KLINEAGE_LIB_LIFT_UTILS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"

namespace klineage {

constexpr llvm::StringLiteral kLaunchAttr = "klineage.launch";
constexpr llvm::StringLiteral kAssumedAttr = "klineage.assumed";
constexpr llvm::StringLiteral kOpsBeforeAttr = "klineage.lift.ops";
constexpr llvm::StringLiteral kCommandAttr = "klineage.lift.command";

/// The one way to say that an operation stays.
inline void reportKept(mlir::Operation *op, const llvm::Twine &why) {
  op->emitRemark("not lifted: ") << why;
}

inline std::optional<int64_t> constantOf(mlir::Value value) {
  llvm::APInt number;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&number)) &&
      number.getBitWidth() <= 64)
    return number.getSExtValue();
  return std::nullopt;
}

/// Notes on the kernel that something was assumed.
inline void stampAssumption(mlir::Operation *op, llvm::StringRef what) {
  auto kernel = op->getParentOfType<mlir::gpu::GPUFuncOp>();
  llvm::SmallVector<mlir::Attribute> list;
  if (auto old = kernel->getAttrOfType<mlir::ArrayAttr>(kAssumedAttr))
    list.assign(old.begin(), old.end());
  auto name = mlir::StringAttr::get(op->getContext(), what);
  if (!llvm::is_contained(list, mlir::Attribute(name)))
    list.push_back(name);
  kernel->setAttr(kAssumedAttr, mlir::ArrayAttr::get(op->getContext(), list));
}

} // namespace klineage

#endif // KLINEAGE_LIB_LIFT_UTILS_H
