//===- consumer.cpp - Applies skills from another project
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Dialect/KLineage/KLineage.h"
#include "KLineage/Lineage/LineageEditor.h"
#include "KLineage/Lineage/SkillLibrary.h"
#include "KLineage/RegisterAll.h"
#include "KLineage/Search/Search.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace klineage;

static int transitionsOf(mlir::ModuleOp module) {
  int transitions = 0;
  module->walk([&](TransitionOp) { ++transitions; });
  return transitions;
}

/// What the pass does, by calls: a lineage from the kernel, then the search.
static int search(mlir::ModuleOp module, llvm::StringRef folder,
                  const mlir::DialectRegistry &registry) {
  auto skills = loadSkills(folder, module.getContext());
  if (!skills) {
    llvm::errs() << llvm::toString(skills.takeError()) << "\n";
    return 0;
  }
  auto lineage = openLineage(module, "sm_90a");
  if (failed(lineage))
    return 0;
  StepContext context{*lookupTarget("sm_90a")};
  SearchOptions options;
  options.budget = 2;
  options.progress = [](llvm::StringRef line) { llvm::outs() << line << "\n"; };
  Search search(*lineage, *skills, context, options, registry);
  auto ended = search.run();
  if (!ended) {
    llvm::errs() << llvm::toString(ended.takeError()) << "\n";
    return 0;
  }
  llvm::outs() << "ended: " << *ended << "\n";
  return transitionsOf(module);
}

static int byPass(mlir::ModuleOp module, llvm::StringRef folder) {
  mlir::PassManager manager(module.getContext());
  std::string pipeline =
      ("klineage-apply{skills=" + folder + " budget=2 executor=simt}").str();
  if (failed(mlir::parsePassPipeline(pipeline, manager)) ||
      failed(manager.run(module)))
    return 0;
  return transitionsOf(module);
}

/// consumer KERNEL.mlir SKILLS: applies skills by the pass and by the library;
/// both must record the same number of transitions, and some.
int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: consumer KERNEL.mlir SKILLS\n";
    return 2;
  }
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  mlir::OwningOpRef<mlir::ModuleOp> copy = module->clone();
  int pass = byPass(*module, argv[2]),
      library = search(*copy, argv[2], registry);
  llvm::outs() << "transitions: " << pass << " by the pass, " << library
               << " by the library\n";
  return pass > 0 && pass == library ? 0 : 1;
}
