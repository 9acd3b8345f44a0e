//===- Help.h - What --help and --version print
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_TOOLS_KLINEAGEOPT_HELP_H
#define KLINEAGE_TOOLS_KLINEAGEOPT_HELP_H

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace klineage {

/// True if an argument before `--` asks for help.
bool asksForHelp(int argc, char **argv);
/// One screen on standard output. The passes must be registered.
void printHelp();
void printVersion(llvm::raw_ostream &os);

} // namespace klineage

#endif // KLINEAGE_TOOLS_KLINEAGEOPT_HELP_H
