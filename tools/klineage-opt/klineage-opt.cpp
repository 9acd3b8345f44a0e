//===- klineage-opt.cpp - The driver
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Help.h"
#include "KLineage/Passes/TextOutput.h"
#include "KLineage/RegisterAll.h"
#include "KLineage/Support/Interrupt.h"
#include "KLineage/Support/OutputFile.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

/// A diagnostic is the line that says it: an operation is printed after it, a
/// whole module at times, only on demand (--mlir-print-op-on-diagnostic).
static void quietDiagnostics() {
  registerMLIRContextCLOptions();
  auto &options = llvm::cl::getRegisteredOptions();
  auto option = options.find("mlir-print-op-on-diagnostic");
  if (option != options.end())
    static_cast<llvm::cl::opt<bool> *>(option->second)->setInitialValue(false);
}

/// Runs as mlir-opt does, but text that passes produce (reports, PTX) takes the
/// place of the module in the output.
static LogicalResult run(StringRef input, StringRef output,
                         DialectRegistry &registry) {
  std::string error;
  auto file = openInputFile(input, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return failure();
  }
  std::string text, module;
  llvm::raw_string_ostream textStream(text), moduleStream(module);
  klineage::setTextOutput(&textStream);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (failed(MlirOptMain(moduleStream, std::move(file), registry, config)))
    return failure();
  if (llvm::Error failed =
          klineage::writeOutputFile(output, text.empty() ? module : text)) {
    llvm::errs() << llvm::toString(std::move(failed)) << "\n";
    return failure();
  }
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  klineage::registerAllDialects(registry);
  klineage::registerAllPasses();
  if (klineage::asksForHelp(argc, argv)) {
    klineage::printHelp();
    return 0;
  }
  llvm::cl::SetVersionPrinter(klineage::printVersion);
  quietDiagnostics();
  auto [input, output] =
      registerAndParseCLIOptions(argc, argv, "KLineage", registry);
  klineage::catchInterrupts();
  int code = asMainReturnCode(run(input, output, registry));
  // What was done until then is written; shells expect 128 + SIGINT.
  return klineage::interrupted() ? 130 : code;
}
