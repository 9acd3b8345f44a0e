//===- SelfCheckTest.cpp - The gate proves that it can tell
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Gate/SelfCheck.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace klineage;
namespace {

HostBuffer bufferOf(const std::vector<double> &values,
                    const char *type = "f32") {
  HostBuffer buffer;
  buffer.type = type;
  buffer.shape = {int64_t(values.size())};
  buffer.bytes.resize(values.size() * elementBytes(type));
  buffer.write(0, values.size(), values.data());
  return buffer;
}

void expectIn(const std::string &part, const std::string &text) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

std::string joined(const SelfCheck &result) {
  std::string text;
  for (const std::string &note : result.notes)
    text += note + "\n";
  return text;
}

class SelfChecks : public ::testing::Test {
protected:
  SelfChecks() { request.numerics = Numerics::reassociating; }

  /// One run with an input and an output; the native output has errors.
  SelfCheck check(const std::vector<double> &input,
                  const std::vector<double> &output, double error = 0) {
    PlannedRun run{0, Fill::mixed, {}};
    Expectation &expected = run.expected;
    expected.isOutput = {false, true};
    expected.given = {bufferOf(input),
                      bufferOf(std::vector<double>(output.size()))};
    expected.outputs = {bufferOf(input, "f64"), bufferOf(output, "f64")};
    std::vector<double> off = output;
    for (double &value : off)
      value *= 1 + error;
    expected.native = {bufferOf(input), bufferOf(off)};
    return selfCheck(request, {run});
  }

  GateRequest request;
};

TEST_F(SelfChecks, passesOnAnOrdinaryKernel) {
  SelfCheck result = check({1, 2, 3, 4}, {2, 3, 5, 7});
  EXPECT_EQ(result.failure, "");
  EXPECT_TRUE(result.notes.empty());
  // A twin, zeros, untouched, truncated, ones, mean, sign, neighbour, copy.
  EXPECT_EQ(result.told, 9);
}

TEST_F(SelfChecks, failsIfStateZeroDisagreesWithItself) {
  expectIn("state 0 in its own types is not within",
           check({1, 2, 3, 4}, {2, 3, 5, 7}, 1e-2).failure);
}

TEST_F(SelfChecks, failsIfNothingIsANumber) {
  expectIn("output 1 is expected to be NaN throughout",
           check({1, 2}, {NAN, NAN}).failure);
}

TEST_F(SelfChecks, toleratesSomeNaN) {
  EXPECT_EQ(check({1, 2, 3}, {NAN, 2, INFINITY}).failure, "");
}

TEST_F(SelfChecks, exemptsWhatIsTheRightAnswer) {
  SelfCheck zeros = check({1, 2, 3}, {0, 0, 0});
  EXPECT_EQ(zeros.failure, "");
  expectIn("self-check: output 1 is zeros", joined(zeros));
  SelfCheck copy = check({1, 2, 3}, {1, 2, 3});
  EXPECT_EQ(copy.failure, "");
  expectIn("self-check: output 1 is a copy of argument 0", joined(copy));
}

TEST_F(SelfChecks, failsIfTheToleranceHidesZeros) {
  request.numerics = Numerics::approximate;
  request.reductionLength = int64_t(1) << 40;
  expectIn("passes as output 1", check({1, 2, 3, 4}, {2, 3, 5, 7}).failure);
}

TEST_F(SelfChecks, saysWhatItCannotTell) {
  SelfCheck result = check({9, 9, 9}, {1 + 4e-7, 1 - 4e-7, 1 + 5e-7});
  EXPECT_EQ(result.failure, "");
  expectIn("self-check: output 1 is within the tolerance of ones",
           joined(result));
}

TEST_F(SelfChecks, takesNoCopyOfOneElementForAFault) {
  SelfCheck one = check({1.5}, {1.5 + 6e-7});
  EXPECT_EQ(one.failure, "");
  expectIn("self-check: output 1 is within the tolerance of a copy",
           joined(one));
  expectIn("a copy of argument 0 passes",
           check({1.5, 2}, {1.5 + 6e-7, 2}).failure);
}

TEST_F(SelfChecks, comparesBitsIfBitsAreDeclared) {
  request.numerics = Numerics::bit_exact;
  expectIn("is not within the tolerance",
           check({1, 2, 3, 4}, {2, 3, 5, 7}, 1e-7).failure);
}

TEST_F(SelfChecks, needsAnOutput) {
  PlannedRun run{0, Fill::mixed, {}};
  run.expected.isOutput = {false};
  run.expected.given = run.expected.native = {bufferOf({1, 2})};
  run.expected.outputs = run.expected.given;
  expectIn("writes none of its arguments", selfCheck(request, {run}).failure);
}

TEST_F(SelfChecks, saysThatAllCasesAreEmpty) {
  SelfCheck result = check({}, {});
  EXPECT_EQ(result.failure, "");
  EXPECT_EQ(joined(result), "self-check: all cases are empty\n");
}

} // namespace
