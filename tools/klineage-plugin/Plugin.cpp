//===- Plugin.cpp - KLineage for mlir-opt
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Passes/Passes.h"
#include "KLineage/RegisterAll.h"
#include "KLineage/Steps/TestPasses.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/Compiler.h"

/// Dialect, interface implementations and transform operations.
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT ::mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "KLineage", KLINEAGE_VERSION,
          [](mlir::DialectRegistry *registry) {
            klineage::registerAllDialects(*registry);
          }};
}

/// Our passes only: the host has registered the upstream ones.
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT ::mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "KLineage", KLINEAGE_VERSION, [] {
            klineage::registerKLineagePasses();
            klineage::registerStepTestPasses();
          }};
}
