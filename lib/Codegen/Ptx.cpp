//===- Ptx.cpp - PTX by the NVPTX target in this process
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Support/OptimizeModule.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <mutex>

using namespace llvm;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

static void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

static Expected<std::unique_ptr<TargetMachine>>
createMachine(const klineage::TargetInfo &target) {
  initializeTarget();
  Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const Target *backend = TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return createStringError("no NVPTX target in this LLVM: " + error);
  // The default PTX version of a chip may be older than what we emit.
  std::string features = "+ptx" + std::to_string(target.ptxVersion);
  TargetOptions options;
  // As CUDA does by default; the simt executor contracts, too
  // (docs/numerics.md).
  options.AllowFPOpFusion = FPOpFusion::Fast;
  std::unique_ptr<TargetMachine> machine(backend->createTargetMachine(
      triple, target.chip, features, options, std::nullopt, std::nullopt,
      CodeGenOptLevel::Aggressive));
  if (!machine)
    return createStringError("no code generator for " + target.chip);
  return machine;
}

//===----------------------------------------------------------------------===//
// libdevice
//===----------------------------------------------------------------------===//

std::string klineage::findLibdevice(StringRef hint) {
  std::vector<std::string> candidates;
  auto add = [&](const char *root) {
    if (root && *root)
      candidates.push_back(std::string(root) +
                           "/nvvm/libdevice/libdevice.10.bc");
  };
  if (!hint.empty())
    candidates.push_back(hint.str());
  if (const char *file = std::getenv("KLINEAGE_LIBDEVICE"))
    return sys::fs::exists(file) ? file : ""; // An explicit choice is final.
  add(std::getenv("CUDA_HOME"));
  add(std::getenv("CUDA_PATH"));
  add("/usr/local/cuda");
  for (const std::string &candidate : candidates)
    if (sys::fs::exists(candidate))
      return candidate;
  return "";
}

static std::vector<std::string> unresolved(const Module &module) {
  std::vector<std::string> names;
  for (const Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("__nv_"))
      names.push_back(function.getName().str());
  return names;
}

static Error linkLibdevice(Module &module) {
  std::vector<std::string> missing = unresolved(module);
  if (missing.empty())
    return Error::success();
  std::string path = klineage::findLibdevice();
  if (path.empty())
    return createStringError(
        "unresolved device functions " + join(missing, ", ") +
        ": no libdevice.10.bc found; set CUDA_HOME or KLINEAGE_LIBDEVICE");
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> library =
      parseIRFile(path, diagnostic, module.getContext());
  if (!library)
    return createStringError("cannot read '" + path +
                             "': " + diagnostic.getMessage());
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded))
    return createStringError("cannot link '" + path + "'");
  missing = unresolved(module);
  if (!missing.empty())
    return createStringError("libdevice has no " + join(missing, ", "));
  return Error::success();
}

/// Kernels stay, everything else may be inlined and dropped.
static void internalize(Module &module) {
  internalizeModule(module, [](const GlobalValue &value) {
    auto *function = dyn_cast<Function>(&value);
    return function && function->getCallingConv() == CallingConv::PTX_Kernel;
  });
}

//===----------------------------------------------------------------------===//
// Optimization and emission
//===----------------------------------------------------------------------===//

static Expected<std::unique_ptr<Module>> optimize(const Module &device,
                                                  TargetMachine &machine) {
  std::unique_ptr<Module> module = CloneModule(device);
  module->setTargetTriple(machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  StripDebugInfo(*module); // Locations are for the simt executor.
  if (Error error = linkLibdevice(*module))
    return error;
  internalize(*module);
  // Reflection picks libdevice's precise code, as the simt executor has it.
  module->addModuleFlag(Module::Override, "nvvm-reflect-ftz", uint32_t(0));
  klineage::optimizeModule(*module, machine, OptimizationLevel::O3);
  return module;
}

namespace {
/// A device module after optimization, and the machine that it is for.
struct Optimized {
  std::unique_ptr<TargetMachine> machine;
  std::unique_ptr<Module> module;
};
} // namespace

static Expected<Optimized> optimizeFor(const Module &device,
                                       const klineage::TargetInfo &target) {
  auto machine = createMachine(target);
  if (!machine)
    return machine.takeError();
  auto module = optimize(device, **machine);
  if (!module)
    return module.takeError();
  return Optimized{std::move(*machine), std::move(*module)};
}

Expected<std::string> klineage::emitPTX(const Module &device,
                                        const TargetInfo &target) {
  auto optimized = optimizeFor(device, target);
  if (!optimized)
    return optimized.takeError();
  SmallString<0> text;
  raw_svector_ostream os(text);
  legacy::PassManager passes;
  if (optimized->machine->addPassesToEmitFile(passes, os, nullptr,
                                              CodeGenFileType::AssemblyFile))
    return createStringError("the NVPTX target emits no assembly");
  passes.run(*optimized->module);
  return std::string(text);
}

Expected<std::string> klineage::emitDeviceIR(const Module &device,
                                             const TargetInfo &target) {
  auto optimized = optimizeFor(device, target);
  if (!optimized)
    return optimized.takeError();
  std::string text;
  raw_string_ostream os(text);
  optimized->module->print(os, nullptr);
  return text;
}
