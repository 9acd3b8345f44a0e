//===- Hostify.h - From a device module to a module that runs on the CPU
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMT_HOSTIFY_H
#define KLINEAGE_LIB_GATE_SIMT_HOSTIFY_H

#include "Abi.h"
#include "KLineage/Gate/Simt/SimtRuntime.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <array>
#include <deque>

namespace klineage::simt {

/// A variable in shared memory, at its place in the arena of a block.
struct SharedVar {
  std::string name;
  int64_t offset = 0;
  int64_t bytes = 0; ///< of a dynamic variable: known at launch
  int64_t align = 1;
  bool dynamic = false;
};

struct KernelParamInfo {
  bool isPointer = false;
  int64_t bytes = 0;
  int64_t align = 1; ///< of the pointed-to memory, as the IR declares it
};

struct KernelInfo {
  std::string name, entryName;
  bool suspends = false; ///< some path reaches a barrier or warp operation
  std::vector<int> sharedVars; ///< indices that the kernel can reach
  int64_t staticShared = 0;    ///< bytes as the GPU would allocate them
  int64_t arenaBytes = 0;      ///< static part of the arena, with red zones
  int64_t dynamicOffset = 0;
  std::vector<KernelParamInfo> params;
  int64_t blockDim[3] = {0, 0, 0}; ///< 0: any
};

/// A module-level variable in global or constant memory.
struct ModuleGlobal {
  std::string name, symbol;
  int64_t bytes = 0;
};

/// What hostify() learned; together with the rewritten module it is a program.
struct HostModule {
  std::deque<Site> sites;
  std::vector<SharedVar> sharedVars;
  std::vector<KernelInfo> kernels;
  std::vector<ModuleGlobal> globals;
  /// Executions per basic block and what one execution counts.
  std::vector<uint64_t> blockCounters;
  std::vector<std::array<uint32_t, numInstClasses>> blockClasses;
  /// Shadow cells describe 1 << granuleShift bytes: the most that every access
  /// of the module is a multiple of, up to 16.
  unsigned granuleShift = 4;
  /// Memory fences, or atomics that are more than monotonic: then atomics may
  /// order the accesses of blocks.
  bool hasFences = false;
  int64_t privateBytes = 0; ///< of all stack variables of all functions

  /// Texts of the instructions as they were given, where no debug location
  /// says more. Only valid while the module is rewritten.
  llvm::DenseMap<const llvm::Instruction *, std::string> texts;
  void noteTexts(llvm::Module &module);

  Site &newSite(const llvm::Instruction &inst);
};

/// "file:line:col" of the debug location, else the instruction's text.
std::string describeLocation(const llvm::Instruction &inst);

/// Calls of libdevice's functions with two results become calls of one-result
/// functions and stores.
void splitDeviceCalls(llvm::Module &module);

/// Fails with UnsupportedError if `module` has anything that is not understood.
/// Drops the bodies of a linked device library, which the host has itself.
llvm::Error checkSupported(llvm::Module &module);

/// Rewrites `module` in place for the host: hidden context argument, shared
/// variables in the arena, intrinsics as runtime calls; and, in checked mode, a
/// call before each access. checkSupported() must have succeeded.
llvm::Error hostify(llvm::Module &module, const Options &options,
                    HostModule &result);

// Stages of hostify(), one file each.

/// Adds the context argument and clears attributes and metadata that promise
/// what the rewritten code does not keep.
void addContextArgument(llvm::Module &module, HostModule &result);
/// Inline PTX of the table (KLineage/Ptx/Table.h) becomes intrinsics and
/// generic IR. Needs the context argument; whyAsmUnsupported() was empty.
void expandInlineAsm(llvm::Module &module);
/// Why an asm cannot be expanded, beginning with its instruction, or empty.
std::string whyAsmUnsupported(const llvm::CallBase &call);
/// Calls of the runtime before each memory access. Runs before shared variables
/// lose their identity.
void instrumentAccesses(llvm::Module &module, HostModule &result);
/// Counts executions of basic blocks; `classify` first, `insert` last.
void classifyBlocks(llvm::Module &module, HostModule &result,
                    llvm::DenseMap<llvm::BasicBlock *, unsigned> &index);
void insertBlockCounters(
    llvm::Module &module, HostModule &result,
    const llvm::DenseMap<llvm::BasicBlock *, unsigned> &index);
void rewriteIntrinsics(llvm::Module &module, HostModule &result);
void placeSharedVariables(llvm::Module &module, const Options &options,
                          HostModule &result);
/// A generic replacement of an intrinsic of Treatment::pure.
llvm::Value *expandPure(llvm::IntrinsicInst &inst);

/// The variables in shared memory, in module order (their index is
/// Site::sharedVar).
std::vector<llvm::GlobalVariable *> sharedGlobals(llvm::Module &module);
constexpr unsigned sharedAddressSpace = 3;

} // namespace klineage::simt

#endif // KLINEAGE_LIB_GATE_SIMT_HOSTIFY_H
