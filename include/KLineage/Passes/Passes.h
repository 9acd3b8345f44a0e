//===- Passes.h - Passes of the project
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_PASSES_PASSES_H
#define KLINEAGE_PASSES_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace klineage {

#define GEN_PASS_DECL
#include "KLineage/Passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "KLineage/Passes/Passes.h.inc"

} // namespace klineage

#endif // KLINEAGE_PASSES_PASSES_H
