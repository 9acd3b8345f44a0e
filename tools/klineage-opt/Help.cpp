//===- Help.cpp - What --help and --version print
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Help.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

static constexpr llvm::StringLiteral kOverview =
    R"help(KLineage: learns when a GPU-kernel optimization is sound, and replays it

  klineage-opt k.mlir --klineage-apply="skills=skills chip=sm_90a" -o l.mlir
  klineage-opt l.mlir --klineage-report
  klineage-opt l.mlir --klineage-replay="on=other.mlir" -o other_lineage.mlir
  klineage-opt l.mlir --klineage-undo -o shorter.mlir
  klineage-opt l.mlir --klineage-emit="state=last format=ptx"
  scripts/lift.sh kernel.cu -o k.mlir      (clang, import and --klineage-lift)

Passes compose as in mlir-opt. Reports and emitted code replace the module in
the output. Exit code 0 means that everything asked for was done.
)help";

/// Passes and pipelines in the order of use; scripts/check-td-docs.py compares
/// with Passes.td. Those that a pipeline is made of are in --help-hidden.
static constexpr llvm::StringLiteral kPasses[] = {
    "klineage-import",     "klineage-apply",     "klineage-report",
    "klineage-diff",       "klineage-replay",    "klineage-undo",
    "klineage-prove",      "klineage-summarize", "klineage-equivalent",
    "klineage-decompose",  "klineage-emit",      "klineage-lift",
    "klineage-check-lift",
};

static constexpr llvm::StringLiteral kOptions =
    R"help(
General options:
  -o <file>                 Where the output goes (default: standard output)
  --pass-pipeline=<text>    Passes in order, e.g. "builtin.module(klineage-report)"
  --split-input-file        Each part between "// -----" lines on its own
  --verify-diagnostics      Compare diagnostics with "expected-error" comments
  --emit-bytecode           Output as MLIR bytecode
  --mlir-print-ir-after-all Show the module after each pass
  --help-hidden             Everything: upstream passes and all options of MLIR
  --version                 Versions of this tool and of MLIR

Environment: KLINEAGE_PTXAS, KLINEAGE_LIBDEVICE, KLINEAGE_CUDA_DRIVER, CUDA_HOME
)help";

bool klineage::asksForHelp(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef word(argv[i]);
    if (word == "--help" || word == "-help" || word == "-h")
      return true;
    if (word == "--")
      return false;
  }
  return false;
}

void klineage::printHelp() {
  llvm::outs() << kOverview << "\nPasses of KLineage and their options:\n";
  for (llvm::StringRef name : kPasses) {
    if (const mlir::PassInfo *pass = mlir::PassInfo::lookup(name))
      pass->printHelpStr(/*indent=*/2, /*descIndent=*/30);
    else if (const auto *pipeline = mlir::PassPipelineInfo::lookup(name))
      pipeline->printHelpStr(/*indent=*/2, /*descIndent=*/30);
  }
  llvm::outs() << kOptions;
}

void klineage::printVersion(llvm::raw_ostream &os) {
  os << "klineage-opt " KLINEAGE_VERSION " with MLIR " LLVM_VERSION_STRING "\n";
}
