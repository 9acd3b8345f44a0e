//===- consumer.cpp - Applies skills from another project
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Dialect/KLineage/KLineage.h"
#include "KLineage/Passes/Passes.h"
#include "KLineage/RegisterAll.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

/// consumer KERNEL.mlir SKILLS: prints how many transitions apply recorded.
int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: consumer KERNEL.mlir SKILLS\n";
    return 2;
  }
  mlir::DialectRegistry registry;
  klineage::registerAllDialects(registry);
  klineage::registerAllPasses();
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  mlir::PassManager manager(&context);
  std::string pipeline = std::string("klineage-apply{skills=") + argv[2] +
                         " budget=2 executor=simt}";
  if (failed(mlir::parsePassPipeline(pipeline, manager)) ||
      failed(manager.run(*module)))
    return 1;
  int transitions = 0;
  module->walk([&](klineage::TransitionOp) { ++transitions; });
  llvm::outs() << "transitions: " << transitions << "\n";
  return transitions > 0 ? 0 : 1;
}
