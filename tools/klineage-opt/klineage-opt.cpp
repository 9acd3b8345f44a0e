//===- klineage-opt.cpp - The driver
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Passes/TextOutput.h"
#include "KLineage/RegisterAll.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

static constexpr llvm::StringLiteral kOverview =
    "KLineage: learns when a GPU-kernel optimization is sound, and replays it\n"
    "\n"
    "  klineage-opt k.mlir --klineage-apply=\"skills=skills chip=sm_90a\" -o "
    "l.mlir\n"
    "  klineage-opt l.mlir --klineage-report\n"
    "  klineage-opt l.mlir --klineage-replay=\"on=other.mlir\"\n"
    "  klineage-opt l.mlir --klineage-undo\n"
    "  klineage-opt l.mlir --klineage-emit=\"state=last format=ptx\"\n"
    "\n"
    "Passes compose as in mlir-opt; reports and emitted code replace the "
    "module\n"
    "in the output.\n";

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
  auto result = openOutputFile(output, &error);
  if (!result) {
    llvm::errs() << error << "\n";
    return failure();
  }
  std::string text, module;
  llvm::raw_string_ostream textStream(text), moduleStream(module);
  klineage::setTextOutput(&textStream);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (failed(MlirOptMain(moduleStream, std::move(file), registry, config)))
    return failure();
  result->os() << (text.empty() ? module : text);
  result->os().flush();
  if (std::error_code code = result->os().error()) {
    result->os().clear_error();
    llvm::errs() << "cannot write '" << output << "': " << code.message()
                 << "\n";
    return failure();
  }
  result->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  klineage::registerAllDialects(registry);
  klineage::registerAllPasses();
  auto [input, output] =
      registerAndParseCLIOptions(argc, argv, kOverview, registry);
  return asMainReturnCode(run(input, output, registry));
}
