//===- RegisterAll.h - Everything that the tool and the plugin know
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_REGISTERALL_H
#define KLINEAGE_REGISTERALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace klineage {

/// Dialects of kernels and their interface implementations, the transform
/// dialect with its extensions, translation interfaces, and our own dialect.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Our passes, and the upstream ones that pipelines around them need.
void registerAllPasses();

} // namespace klineage

#endif // KLINEAGE_REGISTERALL_H
