//===- Register.h - Parts of the registration
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_REGISTER_REGISTER_H
#define KLINEAGE_LIB_REGISTER_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace klineage {

/// Bufferization, tiling, sub-view and inliner interfaces.
void registerExternalModels(mlir::DialectRegistry &registry);
/// Conversion to LLVM, translation to LLVM IR, upstream transform extensions.
void registerConversions(mlir::DialectRegistry &registry);

} // namespace klineage

#endif // KLINEAGE_LIB_REGISTER_REGISTER_H
