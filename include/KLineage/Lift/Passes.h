//===- Passes.h - Lifting LLVM IR of kernels into states
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIFT_PASSES_H
#define KLINEAGE_LIFT_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace klineage {

#define GEN_PASS_DECL
#include "KLineage/Lift/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "KLineage/Lift/Passes.h.inc"

/// Registers `klineage-lift`: all passes above, in order, with the options
/// `launch`, `fix`, `command`, `strict` and `assume-no-wrap`.
void registerLiftPipeline();

} // namespace klineage

#endif // KLINEAGE_LIFT_PASSES_H
