//===- Harness.cpp - Applies, undoes and judges steps in tests
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "KLineage/Codegen/Codegen.h"
#include "KLineage/RegisterAll.h"
#include "KLineage/State/State.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace klineage;
using namespace klineage::test;

StepTest::StepTest() : target(lookupTarget("sm_90a")) {
  registerAllDialects(registry);
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
}

void StepTest::load(const std::string &text) {
  state = parseSourceString<ModuleOp>(text, context.get());
  ASSERT_TRUE(state) << text;
  ASSERT_TRUE(succeeded(importState(*state)));
  reference = this->text();
  numerics = Numerics::bit_exact;
}

std::string StepTest::text() {
  std::string text;
  llvm::raw_string_ostream os(text);
  state->print(os);
  return text;
}

Operation *StepTest::find(StringRef name, int number) {
  Operation *found = nullptr;
  state->walk([&](Operation *op) {
    if (op->getName().getStringRef() == name && number-- == 0)
      found = op;
  });
  EXPECT_TRUE(found) << name.str() << " in\n" << text();
  return found;
}

std::string StepTest::apply(StringRef kind, Operation *op, StringRef params) {
  const StepKind *step = lookupStepKind(kind);
  auto dictionary =
      dyn_cast_or_null<DictionaryAttr>(parseAttribute(params, context.get()));
  if (!step || !dictionary || !op)
    return "bad use of the test";
  StepContext stepContext{*target};
  StepRefusal refusal;
  FailureOr<AppliedStep> applied =
      applyStep(*state, *step, {op}, dictionary, stepContext, refusal);
  if (failed(applied)) {
    for (const ClauseResult &clause : refusal.clauses)
      if (clause.truth != Truth::proved)
        return clause.name;
    return refusal.message;
  }
  this->step = *applied;
  numerics = std::max(numerics, applied->numerics);
  return "";
}

void StepTest::expectUndo() {
  StepContext stepContext{*target};
  OwningOpRef<ModuleOp> copy = state->clone();
  EXPECT_TRUE(succeeded(undoStep(*copy, step, stepContext))) << text();
}

Verdict StepTest::judge(std::vector<std::vector<int64_t>> sizes) {
  GateRequest request;
  for (const std::vector<int64_t> &choice : sizes)
    request.cases.push_back({reference, text(), choice});
  request.target = target;
  request.numerics = numerics;
  request.reductionLength = 4096;
  Verdict verdict = judgeHere(request, registry);
  EXPECT_EQ(verdict.kind, VerdictKind::accepted) << verdict.message << "\n"
                                                 << text();
  return verdict;
}

std::map<std::string, int64_t> StepTest::ptxFacts() {
  std::map<std::string, int64_t> total;
  auto compiled = compileState(*state, *target);
  if (!compiled) {
    ADD_FAILURE() << llvm::toString(compiled.takeError());
    return total;
  }
  auto ptx = emitPTX(*compiled->device, *target);
  if (!ptx) {
    llvm::consumeError(ptx.takeError());
    return total;
  }
  for (auto &[kernel, facts] : parsePtx(*ptx))
    for (auto &[name, count] : facts)
      total[name] += count;
  return total;
}

std::vector<std::vector<int64_t>> StepTest::dynamicSizes(int64_t hint) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(reference, context.get());
  return module ? chooseSizes(*module, {hint})
                : std::vector<std::vector<int64_t>>();
}
