//===- Lowering.cpp - From text to a device module, for tests
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

static const char *const pipeline =
    "convert-nvgpu-to-nvvm,"
    "gpu.module(convert-vector-to-scf,convert-scf-to-cf,"
    "expand-strided-metadata,lower-affine),"
    "convert-nvvm-to-llvm,"
    "gpu.module(convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=1 "
    "has-redux=1 index-bitwidth=64},"
    "canonicalize,cse,reconcile-unrealized-casts),"
    "ensure-debug-info-scope-on-llvm-func";

static mlir::DialectRegistry &registry() {
  static mlir::DialectRegistry *instance = [] {
    auto *r = new mlir::DialectRegistry;
    mlir::registerAllDialects(*r);
    mlir::registerAllExtensions(*r);
    mlir::registerAllToLLVMIRTranslations(*r);
    mlir::registerAllPasses();
    return r;
  }();
  return *instance;
}

Expected<std::unique_ptr<Module>>
klineage::simt::test::lowerMlir(StringRef text, LLVMContext &context) {
  mlir::MLIRContext mlirContext(registry(),
                                mlir::MLIRContext::Threading::DISABLED);
  SourceMgr sources;
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBuffer(text, "kernel.mlir"),
                             SMLoc());
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &mlirContext);
  if (!module)
    return createStringError("the test's MLIR does not parse");
  mlir::PassManager passes(&mlirContext, "builtin.module");
  if (mlir::failed(mlir::parsePassPipeline(pipeline, passes, errs())) ||
      mlir::failed(passes.run(*module)))
    return createStringError("the test's MLIR does not lower");
  for (auto gpuModule : module->getOps<mlir::gpu::GPUModuleOp>()) {
    auto result = mlir::translateModuleToLLVMIR(gpuModule, context);
    if (!result)
      return createStringError("the test's MLIR does not translate");
    return std::move(result);
  }
  return createStringError("the test's MLIR has no gpu.module");
}

Expected<std::unique_ptr<Module>>
klineage::simt::test::parseIr(StringRef text, LLVMContext &context) {
  SMDiagnostic diagnostic;
  auto module = parseAssemblyString(text, diagnostic, context);
  if (!module)
    return createStringError(diagnostic.getMessage());
  return std::move(module);
}

Expected<std::string> klineage::simt::test::emitPtx(const Module &module) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  std::unique_ptr<Module> copy = CloneModule(module);
  Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return createStringError(error);
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Fast; // As our codegen asks for.
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, "sm_80", "+ptx71", options, std::nullopt));
  copy->setTargetTriple(triple);
  copy->setDataLayout(machine->createDataLayout());
  SmallString<0> text;
  raw_svector_ostream os(text);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr,
                                   CodeGenFileType::AssemblyFile))
    return createStringError("the NVPTX backend emits no text");
  passes.run(*copy);
  return text.str().str();
}
