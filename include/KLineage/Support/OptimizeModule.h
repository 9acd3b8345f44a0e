//===- OptimizeModule.h - LLVM's pipeline on one module
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_SUPPORT_OPTIMIZEMODULE_H
#define KLINEAGE_SUPPORT_OPTIMIZEMODULE_H

namespace llvm {
class Module;
class OptimizationLevel;
class TargetMachine;
} // namespace llvm

namespace klineage {

/// Runs LLVM's default pipeline of that level for that machine, which must be
/// the one that the module's data layout is of.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    llvm::OptimizationLevel level);

} // namespace klineage

#endif // KLINEAGE_SUPPORT_OPTIMIZEMODULE_H
