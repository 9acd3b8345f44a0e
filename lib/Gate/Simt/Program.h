//===- Program.h - A device module made executable on this CPU
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMT_PROGRAM_H
#define KLINEAGE_LIB_GATE_SIMT_PROGRAM_H

#include "Hostify.h"
#include "llvm/ADT/StringMap.h"

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace klineage::simt {

using EntryFunction = void (*)(ThreadCtx *, void **);

struct Program::Impl {
  Options options;
  HostModule host;
  std::unique_ptr<llvm::orc::LLJIT> jit; ///< owns the code; goes first
  llvm::StringMap<unsigned> kernelIndex;
  std::vector<EntryFunction> entries;  ///< per kernel
  std::vector<char *> globalAddresses; ///< per HostModule::globals

  Impl();
  ~Impl();
};

/// Optimizes and compiles `module`, whose sites and counters `program.host`
/// already has, and fills in the addresses.
llvm::Error compileProgram(std::unique_ptr<llvm::Module> module,
                           std::unique_ptr<llvm::LLVMContext> context,
                           Program::Impl &program);

/// Makes a fused multiply-add of each sum with a product, as NVPTX does.
void contractProducts(llvm::Module &module);

/// Sets triple and data layout of the host. Must precede hostify().
llvm::Error setHostTarget(llvm::Module &module);

} // namespace klineage::simt

#endif // KLINEAGE_LIB_GATE_SIMT_PROGRAM_H
