//===- HostLowering.h - Host code of the entry
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_CODEGEN_HOSTLOWERING_H
#define KLINEAGE_LIB_CODEGEN_HOSTLOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

namespace klineage {

/// Lowers a copy of the entry of `state` to the LLVM dialect, as function
/// `klentry(ctx, slots)`; `kernels` numbers the kernels by name. Null after a
/// diagnostic.
mlir::OwningOpRef<mlir::ModuleOp>
lowerHost(mlir::ModuleOp state, const llvm::StringMap<unsigned> &kernels);

} // namespace klineage

#endif // KLINEAGE_LIB_CODEGEN_HOSTLOWERING_H
