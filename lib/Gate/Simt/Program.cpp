//===- Program.cpp - A device module made executable on this CPU
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

char UnsupportedError::ID;
char MemoryError::ID;

void MemoryError::log(raw_ostream &os) const { os << text; }

std::error_code MemoryError::convertToErrorCode() const {
  return std::make_error_code(std::errc::not_enough_memory);
}

void UnsupportedError::log(raw_ostream &os) const {
  os << "simt: unsupported " << what << " at " << location;
}

std::error_code UnsupportedError::convertToErrorCode() const {
  return std::make_error_code(std::errc::not_supported);
}

Program::Impl::Impl() = default;
Program::Impl::~Impl() = default;
Program::Program(std::unique_ptr<Impl> impl) : pimpl(std::move(impl)) {}
Program::~Program() = default;

std::vector<std::string> Program::kernelNames() const {
  std::vector<std::string> names;
  for (const KernelInfo &kernel : pimpl->host.kernels)
    names.push_back(kernel.name);
  return names;
}

/// LLVM's default handler ends the process on an error.
static void keepGoing(const DiagnosticInfo *info, void *sink) {
  if (info->getSeverity() != DS_Error)
    return;
  raw_string_ostream os(*static_cast<std::string *>(sink));
  DiagnosticPrinterRawOStream printer(os);
  info->print(printer);
}

/// A copy in its own context: the JIT takes ownership of that.
static Expected<std::unique_ptr<Module>> copyModule(const Module &module,
                                                    LLVMContext &context) {
  SmallString<0> bytes;
  raw_svector_ostream os(bytes);
  WriteBitcodeToFile(module, os);
  return parseBitcodeFile(MemoryBufferRef(bytes, module.getName()), context);
}

static Error takeLaunchFacts(ArrayRef<KernelImage> images, HostModule &host) {
  for (const KernelImage &image : images) {
    KernelInfo *kernel = nullptr;
    for (KernelInfo &candidate : host.kernels)
      if (candidate.name == image.name)
        kernel = &candidate;
    if (!kernel)
      return createStringError("simt: the device module has no kernel '" +
                               image.name + "'");
    std::copy(image.blockDim, image.blockDim + 3, kernel->blockDim);
    if (image.params.empty())
      continue;
    if (image.params.size() != kernel->params.size())
      return createStringError("simt: kernel '" + image.name + "' has " +
                               Twine(kernel->params.size()) +
                               " parameters, its launch facts " +
                               Twine(image.params.size()));
    for (auto [fact, param] : zip(image.params, kernel->params))
      param.align = std::max(param.align, fact.alignment);
  }
  return Error::success();
}

Expected<std::unique_ptr<Program>> Program::create(const Module &deviceModule,
                                                   ArrayRef<KernelImage> images,
                                                   const Options &options) {
  std::string broken;
  raw_string_ostream os(broken);
  if (verifyModule(deviceModule, &os))
    return createStringError("simt: the device module is not valid: " + broken);

  auto impl = std::make_unique<Impl>();
  impl->options = options;
  auto context = std::make_unique<LLVMContext>();
  std::string diagnostics;
  context->setDiagnosticHandlerCallBack(keepGoing, &diagnostics);
  auto module = copyModule(deviceModule, *context);
  if (!module)
    return module.takeError();
  if (Error error = setHostTarget(**module))
    return std::move(error);
  if (Error error = checkSupported(**module))
    return std::move(error);
  if (Error error = hostify(**module, options, impl->host))
    return std::move(error);
  if (Error error = takeLaunchFacts(images, impl->host))
    return std::move(error);
  if (Error error =
          compileProgram(std::move(*module), std::move(context), *impl))
    return std::move(error);
  if (!diagnostics.empty())
    return make_error<UnsupportedError>("code: " + diagnostics,
                                        "code generation");
  for (auto [index, kernel] : enumerate(impl->host.kernels))
    impl->kernelIndex[kernel.name] = index;
  return std::unique_ptr<Program>(new Program(std::move(impl)));
}
