//===- CompileStage.cpp - Compilation, mechanism and resources
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judgement.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mlir;
using namespace klineage;

static bool checkMechanism(Judgement &judgement, StringRef ptx) {
  PtxFacts total;
  for (auto &[kernel, facts] : parsePtx(ptx))
    for (auto &[name, count] : facts)
      total[name] += count;
  for (auto &[name, bounds] : judgement.request.mechanism) {
    int64_t found = total[name];
    if (found < bounds.first || (bounds.second >= 0 && found > bounds.second))
      return judgement.stop(
          VerdictKind::compile_error, "compile",
          llvm::formatv("mechanism check: {0} {1} in the PTX, expected "
                        "{2} to {3}",
                        found, name, bounds.first,
                        bounds.second < 0 ? std::string("any")
                                          : std::to_string(bounds.second)));
  }
  return true;
}

static bool assemble(Judgement &judgement, StringRef ptx) {
  Verdict &verdict = judgement.verdict;
  if (findPtxas().empty()) {
    verdict.details.push_back("ptxas not found: no registers or spills");
    return true;
  }
  auto assembled = runPtxas(ptx, *judgement.request.target);
  if (!assembled) {
    llvm::handleAllErrors(
        assembled.takeError(),
        [&](const AssemblerError &broken) {
          if (broken.lacksMemory())
            judgement.stop(VerdictKind::unsupported, "harness",
                           llvm::formatv("starting ptxas needs more than {0} "
                                         "MiB of memory",
                                         memoryLimit(judgement.request) >> 20));
          else
            judgement.stop(VerdictKind::harness_error, "harness",
                           broken.message());
        },
        [&](const llvm::ErrorInfoBase &refusal) {
          judgement.stop(VerdictKind::compile_error, "compile",
                         refusal.message());
        });
    return false;
  }
  for (auto &[name, kernel] : assembled->kernels) {
    verdict.resources[name + ".registers"] = kernel.registers;
    verdict.resources[name + ".spill_stores"] = kernel.spillStores;
    verdict.resources[name + ".shared_bytes"] = kernel.sharedBytes;
  }
  return true;
}

static bool inspect(Judgement &judgement, const std::string &text) {
  OwningOpRef<ModuleOp> module = judgement.parse(text);
  if (!module)
    return judgement.stop(VerdictKind::compile_error, "compile",
                          "the candidate is not valid: " +
                              judgement.diagnostics);
  const TargetInfo &target = *judgement.request.target;
  auto compiled = compileState(*module, target);
  if (!compiled)
    return judgement.stop(VerdictKind::compile_error, "compile",
                          judgement.failureText(compiled.takeError()));
  auto ptx = emitPTX(*compiled->device, target);
  if (!ptx) {
    std::string reason = llvm::toString(ptx.takeError());
    // Without libdevice there is no PTX of exp(), but the rest can be judged.
    if (!StringRef(reason).contains("no libdevice"))
      return judgement.stop(VerdictKind::compile_error, "compile", reason);
    judgement.verdict.details.push_back("no PTX: " + reason);
    return true;
  }
  return checkMechanism(judgement, *ptx) && assemble(judgement, *ptx);
}

bool klineage::compileStage(Judgement &judgement) {
  const GateRequest &request = judgement.request;
  enterPhase(Phase::compile);
  if (!request.subject.empty())
    return inspect(judgement, request.subject);
  std::set<std::string> seen;
  for (const GateCase &gateCase : request.cases)
    if (seen.insert(gateCase.candidate).second &&
        !inspect(judgement, gateCase.candidate))
      return false;
  return true;
}
