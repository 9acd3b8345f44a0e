//===- CompileState.cpp - Stage B: LLVM IR of kernels and host code
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLowering.h"
#include "KLineage/Codegen/Codegen.h"
#include "KLineage/State/State.h"
#include "Lowering.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"

using namespace mlir;
using namespace klineage;

static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static bool isWritten(func::FuncOp entry, unsigned index) {
  StringRef noalias = LLVM::LLVMDialect::getNoAliasAttrName();
  return bool(entry.getArgAttr(index, noalias));
}

static std::vector<EntryParam> describeEntry(func::FuncOp entry) {
  std::vector<EntryParam> params;
  for (BlockArgument arg : entry.getArguments()) {
    EntryParam param;
    Type type = arg.getType();
    if (auto memref = dyn_cast<MemRefType>(type)) {
      param.isBuffer = true;
      param.rank = memref.getRank();
      param.shape = memref.getShape();
      type = memref.getElementType();
      auto align = entry.getArgAttrOfType<IntegerAttr>(
          arg.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName());
      param.alignment = align ? align.getInt() : 1;
      param.noAlias = isWritten(entry, arg.getArgNumber());
    }
    param.elementBits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    param.elementType = typeText(type);
    params.push_back(param);
  }
  return params;
}

static int64_t sharedBytes(gpu::GPUFuncOp kernel) {
  int64_t total = 0;
  for (BlockArgument arg : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(arg.getType());
    total = llvm::alignTo(total, 16) +
            type.getNumElements() *
                llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  }
  return total;
}

static KernelImage describeKernel(gpu::GPUFuncOp kernel) {
  KernelImage image;
  image.name = kernel.getName().str();
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    KernelParam param;
    Type type = kernel.getArgument(i).getType();
    param.isPointer = isa<MemRefType>(type);
    param.name = "p" + std::to_string(i);
    param.bytes = param.isPointer || type.isIndex()
                      ? 8
                      : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
    auto align = kernel.getArgAttrOfType<IntegerAttr>(
        i, LLVM::LLVMDialect::getAlignAttrName());
    param.alignment = align ? align.getInt() : 1;
    param.readOnly =
        bool(kernel.getArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName()));
    param.noAlias =
        bool(kernel.getArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName()));
    image.params.push_back(param);
  }
  if (auto size = kernel.getKnownBlockSize())
    llvm::copy(*size, image.blockDim);
  image.staticSharedBytes = sharedBytes(kernel);
  if (auto dynamic =
          kernel->getAttrOfType<IntegerAttr>("klineage.dynamic_shared"))
    image.dynamicSharedBytes = dynamic.getInt();
  if (auto registers = kernel->getAttrOfType<IntegerAttr>(
          NVVM::NVVMDialect::getMaxnregAttrName()))
    image.maxRegisters = registers.getInt();
  return image;
}

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

/// One module with all kernels, so that one LLVM module comes of it.
static FailureOr<gpu::GPUModuleOp> mergeKernels(ModuleOp state) {
  gpu::GPUModuleOp merged;
  for (auto module :
       llvm::make_early_inc_range(state.getOps<gpu::GPUModuleOp>())) {
    if (!merged) {
      merged = module;
      continue;
    }
    for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
      if (auto symbol = dyn_cast<SymbolOpInterface>(op))
        if (SymbolTable::lookupSymbolIn(merged, symbol.getName()))
          return op.emitError("two kernels have the name '")
                 << symbol.getName() << "'";
      op.moveBefore(merged.getBody(), merged.getBody()->end());
    }
    module.erase();
  }
  return merged;
}

static LogicalResult lowerDevice(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.addPass(createConvertNVGPUToNVVMPass());
  // Nested after it: a nested pipeline runs where it was made.
  OpPassManager &gpuPm = pm.nest<gpu::GPUModuleOp>();
  gpuPm.addPass(createConvertVectorToSCFPass());
  gpuPm.addPass(createLowerAffinePass());
  gpuPm.addPass(createSCFToControlFlowPass());
  gpuPm.addPass(memref::createExpandStridedMetadataPass());
  gpuPm.addPass(createLowerAffinePass());
  gpuPm.addPass(createCanonicalizerPass());
  gpuPm.addPass(createCSEPass());
  ConvertGpuOpsToNVVMOpsOptions options;
  options.useBarePtrCallConv = true;
  options.hasRedux = true;
  options.indexBitwidth = 64;
  gpuPm.addPass(createConvertGpuOpsToNVVMOps(options));
  gpuPm.addPass(createIntegerMathPass());
  gpuPm.addPass(createConvertNVVMToLLVMPass());
  gpuPm.addPass(createCanonicalizerPass());
  gpuPm.addPass(createCSEPass());
  gpuPm.addPass(createReconcileUnrealizedCastsPass());
  // Locations of the source reach the findings of the simt executor.
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
  return pm.run(module);
}

/// What must never reach a kernel, although LLVM would take it.
static llvm::Error checkDevice(const llvm::Module &module) {
  for (const llvm::Function &function : module) {
    if (function.getName() == "malloc" || function.getName() == "free")
      return llvm::createStringError(
          "a kernel would call " + function.getName() +
          ": an allocation outside of shared memory was left over");
  }
  for (const llvm::GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == 3 && !global.getAlign() &&
        !global.isDeclaration())
      return llvm::createStringError("shared variable '" + global.getName() +
                                     "' has no alignment");
  return llvm::Error::success();
}

/// Dialects cannot be loaded here, in the middle of a pass.
static llvm::Error requireDialects(MLIRContext *context) {
  for (StringRef name : {"affine", "arith", "cf", "func", "gpu", "llvm",
                         "memref", "nvgpu", "nvvm", "scf", "vector"})
    if (!context->getLoadedDialect(name))
      return llvm::createStringError(
          "the dialect '" + name +
          "' is not loaded: a pass that compiles states depends on it");
  return llvm::Error::success();
}

llvm::Expected<CompiledState> klineage::compileState(ModuleOp state,
                                                     const TargetInfo &target) {
  if (llvm::Error error = requireDialects(state.getContext()))
    return error;
  OwningOpRef<ModuleOp> copy = state.clone();
  if (failed(buildKernels(*copy, target)))
    return llvm::createStringError("cannot build kernels");
  FailureOr<func::FuncOp> entry = lookupEntry(*copy);
  FailureOr<gpu::GPUModuleOp> merged = mergeKernels(*copy);
  if (failed(entry) || failed(merged))
    return llvm::createStringError("cannot merge kernels");

  CompiledState compiled;
  compiled.context = std::make_unique<llvm::LLVMContext>();
  compiled.params = describeEntry(*entry);
  llvm::StringMap<unsigned> numbers;
  if (*merged)
    for (auto kernel : merged->getOps<gpu::GPUFuncOp>()) {
      numbers[kernel.getName()] = compiled.kernels.size();
      compiled.kernels.push_back(describeKernel(kernel));
    }
  OwningOpRef<ModuleOp> host = lowerHost(*copy, numbers);
  if (!host)
    return llvm::createStringError("cannot lower the host code of the entry");
  compiled.host = translateModuleToLLVMIR(*host, *compiled.context, "host");
  if (!compiled.host)
    return llvm::createStringError("cannot translate the host code");
  if (!*merged) {
    compiled.device =
        std::make_unique<llvm::Module>("device", *compiled.context);
    return compiled;
  }
  if (failed(lowerDevice(*copy)))
    return llvm::createStringError("cannot lower the kernels to NVVM");
  auto device = *copy->getOps<gpu::GPUModuleOp>().begin();
  compiled.device =
      translateModuleToLLVMIR(device, *compiled.context, "device");
  if (!compiled.device)
    return llvm::createStringError("cannot translate the kernels to LLVM IR");
  if (llvm::Error error = checkDevice(*compiled.device))
    return error;
  return compiled;
}
