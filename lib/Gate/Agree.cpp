//===- Agree.cpp - Comparing a run with what was expected
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judgement.h"
#include "llvm/Support/FormatVariadic.h"

using namespace klineage;

llvm::Error klineage::expectOutputs(Expectation &expected,
                                    const RunnableState &reference,
                                    llvm::ArrayRef<int64_t> sizes,
                                    ReferenceRun run) {
  expected.isOutput = reference.outputs();
  std::vector<HostBuffer> buffers = reference.arguments(sizes);
  for (auto [from, to] : llvm::zip_equal(expected.given, buffers))
    convert(from, to);
  auto first = run(buffers, 0xCB);
  if (!first)
    return first.takeError();
  auto second = run(buffers, 0x11);
  if (!second)
    return second.takeError();
  for (size_t i = 0; i < buffers.size() && expected.poisonOutputs; ++i)
    expected.poisonOutputs =
        !expected.isOutput[i] || (*first)[i].bytes == (*second)[i].bytes;
  if (!expected.poisonOutputs) {
    second = run(buffers, std::nullopt);
    if (!second)
      return second.takeError();
  }
  expected.outputs = std::move(*second);
  return llvm::Error::success();
}

Agreement klineage::compareOutput(const GateRequest &request,
                                  const Expectation &expected, size_t index,
                                  const HostBuffer &found) {
  Agreement result;
  if (request.numerics == Numerics::bit_exact) {
    result.text = firstDifferentBits(expected.outputs[index], found);
    result.equal = result.text.empty();
    return result;
  }
  const HostBuffer *native =
      expected.native.empty() ? nullptr : &expected.native[index];
  result.allowed = allowedError(
      toleranceOf(request.numerics, found.type, request.reductionLength),
      expected.ownErrors.empty() ? 0 : expected.ownErrors[index]);
  Difference difference =
      compare(expected.outputs[index], found, result.allowed, native);
  result.equal = difference.equal;
  result.error = difference.maxError;
  if (!result.equal)
    result.text = llvm::formatv("{0}; relative error {1:e2}, tolerance {2:e2}",
                                difference.worst, result.error, result.allowed);
  return result;
}

std::vector<double> klineage::ownErrorsOf(const Expectation &expected) {
  std::vector<double> errors(expected.native.size());
  for (size_t i = 0; i < errors.size(); ++i)
    if (expected.isOutput[i])
      errors[i] = compare(expected.outputs[i], expected.native[i], 0,
                          &expected.native[i])
                      .maxError;
  return errors;
}

bool klineage::agree(Judgement &judgement, const Expectation &expected,
                     llvm::ArrayRef<HostBuffer> found, llvm::StringRef how) {
  Verdict &verdict = judgement.verdict;
  bool exact = judgement.request.numerics == Numerics::bit_exact;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!expected.isOutput[i]) {
      if (found[i].bytes != expected.given[i].bytes)
        return judgement.stop(VerdictKind::wrong, "correctness",
                              llvm::formatv("changes input {0} ({1})", i, how));
      continue;
    }
    Agreement agreement =
        compareOutput(judgement.request, expected, i, found[i]);
    verdict.tolerance = std::max(verdict.tolerance, agreement.allowed);
    if (!agreement.equal)
      return judgement.stop(VerdictKind::wrong, "correctness",
                            llvm::formatv("output {0} is {1} ({2}): {3}", i,
                                          exact ? "not bit-exact" : "wrong",
                                          how, agreement.text));
    verdict.maxError = std::max(verdict.maxError, agreement.error);
  }
  return true;
}
