//===- Emit.cpp - The pass klineage-emit
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Lineage/LineageEditor.h"
#include "KLineage/Passes/Passes.h"
#include "KLineage/Passes/TextOutput.h"
#include "KLineage/Support/OutputFile.h"
#include "PassDialects.h"
#include "Subject.h"
#include <nlohmann/json.hpp>

namespace klineage {
#define GEN_PASS_DEF_EMITPASS
#include "KLineage/Passes/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  os << "\n";
  return text;
}

static llvm::Expected<std::string> emitResources(const std::string &ptx,
                                                 const TargetInfo &target) {
  auto assembled = runPtxas(ptx, target);
  if (!assembled)
    return assembled.takeError();
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
  for (auto &[name, kernel] : assembled->kernels)
    document[name] = {{"registers", kernel.registers},
                      {"spill_stores", kernel.spillStores},
                      {"spill_loads", kernel.spillLoads},
                      {"stack_bytes", kernel.stackBytes},
                      {"shared_bytes", kernel.sharedBytes}};
  return document.dump(2) + "\n";
}

/// The text of a state in a format that needs compilation.
static llvm::Expected<std::string>
emitCompiled(ModuleOp state, StringRef format, const TargetInfo &target) {
  auto compiled = compileState(state, target);
  if (!compiled)
    return compiled.takeError();
  if (format == "launch")
    return launchMetadata(*compiled, target);
  if (format == "llvm")
    return emitDeviceIR(*compiled->device, target);
  auto ptx = emitPTX(*compiled->device, target);
  if (!ptx || format == "ptx")
    return ptx;
  if (format == "resources")
    return emitResources(*ptx, target);
  auto assembled = runPtxas(*ptx, target);
  if (!assembled)
    return assembled.takeError();
  return assembled->cubin;
}

namespace {
struct Emit : klineage::impl::EmitPassBase<Emit> {
  using EmitPassBase::EmitPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Subject> subject = selectSubject(module, state, chip);
    if (failed(subject))
      return signalPassFailure();
    llvm::Expected<std::string> text = emit(subject->state, *subject->target);
    if (!text) {
      module.emitError("cannot emit ")
          << format << ": " << llvm::toString(text.takeError());
      return signalPassFailure();
    }
    if (failed(write(*text)))
      signalPassFailure();
  }

private:
  llvm::Expected<std::string> emit(ModuleOp subject, const TargetInfo &target) {
    if (!llvm::is_contained(
            {"mlir", "kernels", "llvm", "ptx", "cubin", "launch", "resources"},
            StringRef(format)))
      return llvm::createStringError(
          "no such format; known are mlir, kernels, llvm, ptx, cubin, launch "
          "and resources");
    if (format == "cubin" && to.empty())
      return llvm::createStringError("a cubin is binary; name a file with to=");
    if (format == "mlir")
      return print(subject);
    if (format == "kernels") {
      OwningOpRef<ModuleOp> copy = subject.clone();
      if (failed(buildKernels(*copy, target)))
        return llvm::createStringError("cannot build kernels");
      return print(*copy);
    }
    return emitCompiled(subject, format, target);
  }

  LogicalResult write(const std::string &text) {
    if (to.empty()) {
      textOutput() << text;
      return success();
    }
    if (llvm::Error error = writeOutputFile(to, text))
      return getOperation().emitError() << llvm::toString(std::move(error));
    return success();
  }
};
} // namespace
