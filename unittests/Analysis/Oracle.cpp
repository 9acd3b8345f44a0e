//===- Oracle.cpp - What the checked executor sees of a state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Gate/HostRunner.h"
#include "KLineage/Gate/Simt/SimtRuntime.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace klineage;
using namespace klineage::test;

bool Sight::contradicts(const std::string &kernel,
                        llvm::StringRef clause) const {
  using simt::FindingKind;
  auto it = found.find(kernel);
  if (it == found.end())
    return false;
  auto saw = [&](FindingKind kind) { return it->second.count(kind) > 0; };
  if (clause == "in_bounds")
    return saw(FindingKind::out_of_bounds);
  if (clause == "aligned")
    return saw(FindingKind::misaligned);
  if (clause == "barrier_uniform")
    return saw(FindingKind::divergent_barrier) || saw(FindingKind::deadlock);
  if (clause == "race_free_shared")
    return saw(FindingKind::shared_race);
  return clause == "race_free_global" && saw(FindingKind::global_race);
}

/// Buffers of ones for the entry.
static llvm::Expected<std::vector<EntryArgument>>
makeArguments(ModuleOp state, simt::SimtRuntime &runtime) {
  std::vector<EntryArgument> arguments;
  func::FuncOp entry = *state.getOps<func::FuncOp>().begin();
  for (Type type : entry.getArgumentTypes()) {
    auto memref = cast<MemRefType>(type);
    int64_t width = memref.getElementTypeBitWidth() / 8;
    std::vector<char> data(memref.getNumElements() * width);
    if (memref.getElementType().isF32())
      std::fill_n(reinterpret_cast<float *>(data.data()),
                  memref.getNumElements(), 1.0f);
    auto pointer = runtime.allocate(data.size(), "argument");
    if (!pointer)
      return pointer.takeError();
    if (llvm::Error error =
            runtime.copyToDevice(*pointer, data.data(), data.size()))
      return std::move(error);
    EntryArgument argument;
    argument.pointer = *pointer;
    argument.bytes = data.size();
    argument.shape = memref.getShape().vec();
    arguments.push_back(argument);
  }
  return arguments;
}

llvm::Expected<Sight> klineage::test::execute(ModuleOp state,
                                              int64_t countedBlocks) {
  Sight sight;
  auto compiled = compileState(state, *lookupTarget("sm_90a"));
  if (!compiled)
    return compiled.takeError();
  auto host = HostProgram::create(*compiled);
  if (!host)
    return host.takeError();
  for (auto order : {simt::Order::forward, simt::Order::reverse}) {
    simt::Options options;
    options.mode = simt::Mode::checked;
    options.order = order;
    options.maxFindings = 10000;
    options.countedBlocks = countedBlocks;
    auto program =
        simt::Program::create(*compiled->device, compiled->kernels, options);
    if (!program)
      return program.takeError();
    simt::SimtRuntime runtime(**program);
    auto arguments = makeArguments(state, runtime);
    if (!arguments)
      return arguments.takeError();
    llvm::Error error = (*host)->run(runtime, *arguments);
    for (const simt::Finding &finding : runtime.findings())
      sight.found[finding.kernel].insert(finding.kind);
    if (sight.counts.empty())
      sight.counts = runtime.counts();
    // A deadlock ends the run; it is a finding as well.
    llvm::consumeError(std::move(error));
  }
  return sight;
}
