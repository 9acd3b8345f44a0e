//===- Objects.h - The memref that takes the place of an object
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_LIFT_OBJECTS_H
#define KLINEAGE_LIB_LIFT_OBJECTS_H

#include "Launch.h"
#include "Pointers.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace klineage {

/// Makes the memref that takes the place of a base: a parameter, a shared or a
/// private array.
class ObjectBuilder {
public:
  explicit ObjectBuilder(mlir::gpu::GPUFuncOp kernel) : kernel(kernel) {}

  /// The element that the launch description gives a parameter, if it does.
  void useDeclaredElement(PointerBase &base) const;
  /// Fails the base, without a change, if it can have no memref.
  bool check(PointerBase &base) const;
  /// Of a base that passed check(). A parameter is an unrealized cast of the
  /// argument, which changes its type when the pointer has no other use left.
  mlir::Value build(PointerBase &base);

private:
  std::optional<LaunchDescription> launch() const;
  mlir::Value staticShared(mlir::OpBuilder &b, PointerBase &base,
                           mlir::LLVM::GlobalOp global);
  mlir::Value dynamicShared(mlir::OpBuilder &b, PointerBase &base);

  mlir::gpu::GPUFuncOp kernel;
};

} // namespace klineage

#endif // KLINEAGE_LIB_LIFT_OBJECTS_H
