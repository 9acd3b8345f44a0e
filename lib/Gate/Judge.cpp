//===- Judge.cpp - The judgement, stage by stage
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judgement.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace klineage;

Judgement::Judgement(const GateRequest &request,
                     const DialectRegistry &registry)
    : request(request), context(registry, MLIRContext::Threading::DISABLED),
      handler(&context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          diagnostics += (diagnostics.empty() ? "" : "; ") + diagnostic.str();
        return success();
      }) {
  context.loadAllAvailableDialects();
}

bool Judgement::stop(VerdictKind kind, StringRef stage, std::string message) {
  verdict.kind = kind;
  verdict.stage = stage.str();
  verdict.message = std::move(message);
  return false;
}

OwningOpRef<ModuleOp> Judgement::parse(StringRef text) {
  diagnostics.clear();
  return parseSourceString<ModuleOp>(text, &context);
}

std::string Judgement::failureText(llvm::Error error) const {
  std::string text = llvm::toString(std::move(error));
  return diagnostics.empty() ? text : text + ": " + diagnostics;
}

Verdict klineage::judgeHere(const GateRequest &request,
                            const DialectRegistry &registry) {
  Judgement judgement(request, registry);
  Verdict &verdict = judgement.verdict;
  if (!request.obstacle.empty())
    judgement.stop(VerdictKind::unsupported, "harness", request.obstacle);
  else if (request.cases.empty())
    judgement.stop(VerdictKind::harness_error, "harness", "no case to judge");
  else if (compileStage(judgement) && correctnessStage(judgement) &&
           deviceStage(judgement))
    judgement.stop(VerdictKind::accepted,
                   verdict.profile ? "profile" : "correctness",
                   llvm::formatv("all {0} runs agree", verdict.runs));
  return verdict;
}
