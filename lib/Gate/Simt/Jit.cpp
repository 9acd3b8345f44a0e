//===- Jit.cpp - Compiling a rewritten module for this CPU
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceLib.h"
#include "KLineage/Support/OptimizeModule.h"
#include "Program.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

static Expected<orc::JITTargetMachineBuilder> hostTarget(bool contract = true) {
  static const bool initialized = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  auto builder = orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(CodeGenOptLevel::Default);
  // The NVPTX backend contracts a * b + c unless told otherwise. So do we.
  builder->getOptions().AllowFPOpFusion =
      contract ? FPOpFusion::Fast : FPOpFusion::Strict;
  return builder;
}

Error klineage::simt::setHostTarget(Module &module) {
  auto builder = hostTarget();
  if (!builder)
    return builder.takeError();
  if (!builder->getTargetTriple().isArch64Bit() ||
      builder->getTargetTriple().getArch() != Triple::x86_64)
    return make_error<UnsupportedError>(
        "host " + builder->getTargetTriple().str(), "this machine");
  auto layout = builder->getDefaultDataLayoutForTarget();
  if (!layout)
    return layout.takeError();
  module.setTargetTriple(builder->getTargetTriple());
  module.setDataLayout(*layout);
  return Error::success();
}

/// The flag alone lets the host's code generator fuse.
static void dropContractFlags(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (isa<FPMathOperator>(inst))
        inst.setHasAllowContract(false);
}

template <typename F> static orc::ExecutorSymbolDef symbol(F *function) {
  return {orc::ExecutorAddr::fromPtr(function),
          JITSymbolFlags::Exported | JITSymbolFlags::Callable};
}

/// Every symbol that compiled kernels may refer to, by address: the host
/// program need not export anything.
static orc::SymbolMap runtimeSymbols(orc::LLJIT &jit, const Module &module) {
  orc::SymbolMap map;
  auto add = [&](StringRef name, orc::ExecutorSymbolDef definition) {
    map[jit.mangleAndIntern(name)] = definition;
  };
  add("klineage_simt_check", symbol(klineage_simt_check));
  add("klineage_simt_check_n", symbol(klineage_simt_check_n));
  add("klineage_simt_check_private", symbol(klineage_simt_check_private));
  add("klineage_simt_lane_op", symbol(klineage_simt_lane_op));
  add("klineage_simt_warp_op", symbol(klineage_simt_warp_op));
  add("klineage_simt_barrier", symbol(klineage_simt_barrier));
  add("klineage_simt_barrier_arrive", symbol(klineage_simt_barrier_arrive));
  for (auto [name, address] : codegenSymbols())
    add(name, symbol(static_cast<char *>(address)));
  for (const Function &function : module)
    if (void *address = lookupDeviceFunction(function.getName()))
      add(function.getName(), symbol(static_cast<char *>(address)));
  return map;
}

static Error resolve(Program::Impl &program) {
  for (KernelInfo &kernel : program.host.kernels) {
    auto address = program.jit->lookup(kernel.entryName);
    if (!address)
      // A call that the code generator made up and that we do not have.
      return make_error<UnsupportedError>(
          "operation: " + toString(address.takeError()), "code generation");
    program.entries.push_back(address->toPtr<EntryFunction>());
  }
  for (ModuleGlobal &global : program.host.globals) {
    auto address = program.jit->lookup(global.symbol);
    if (!address)
      return address.takeError();
    program.globalAddresses.push_back(address->toPtr<char *>());
  }
  return Error::success();
}

Error klineage::simt::compileProgram(std::unique_ptr<Module> module,
                                     std::unique_ptr<LLVMContext> context,
                                     Program::Impl &program) {
  bool contract = program.options.contract;
  auto builder = hostTarget(contract);
  if (!builder)
    return builder.takeError();
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  if (!contract)
    dropContractFlags(*module);
  optimizeModule(*module, **machine, OptimizationLevel::O2);
  if (contract)
    contractProducts(*module);
  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*builder))
                 .setPlatformSetUp(orc::setUpInactivePlatform)
                 .setLinkProcessSymbolsByDefault(false)
                 .create();
  if (!jit)
    return jit.takeError();
  program.jit = std::move(*jit);
  // Errors are values here; the session must not print them as well.
  program.jit->getExecutionSession().setErrorReporter(
      [](Error error) { consumeError(std::move(error)); });
  orc::SymbolMap symbols = runtimeSymbols(*program.jit, *module);
  if (Error error = program.jit->getMainJITDylib().define(
          orc::absoluteSymbols(std::move(symbols))))
    return error;
  if (Error error = program.jit->addIRModule(
          orc::ThreadSafeModule(std::move(module), std::move(context))))
    return error;
  return resolve(program);
}
