//===- DeviceTest.cpp - Faults that only a run on the GPU can find
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Gate.h"
#include "KLineage/RegisterAll.h"
#include <gtest/gtest.h>

using namespace klineage;

namespace {

/// y = x + `constant` over `extent` elements, as linalg.
std::string reference(const std::string &extent, const std::string &constant) {
  std::string type = "memref<" + extent + "xf32>";
  return "#id = affine_map<(d0) -> (d0)>\n"
         "func.func @f(%x: " +
         type + " {llvm.align = 16 : i64}, %y: " + type +
         " {llvm.align = 16 : i64, llvm.noalias}) {\n"
         "  %c = arith.constant " +
         constant +
         " : f32\n"
         "  linalg.generic {indexing_maps = [#id, #id], "
         "iterator_types = [\"parallel\"]} ins(%x : " +
         type + ") outs(%y : " + type +
         ") {\n"
         "  ^bb0(%a: f32, %o: f32):\n"
         "    %r = arith.addf %a, %c : f32\n"
         "    linalg.yield %r : f32\n  }\n  return\n}\n";
}

/// The same by hand for 32768 elements; `body` comes before the store of thread
/// %t of block %b to %y[%i].
std::string byHand(const std::string &body) {
  return R"mlir(
func.func @f(%x: memref<32768xf32> {llvm.align = 16 : i64},
             %y: memref<32768xf32> {llvm.align = 16 : i64, llvm.noalias}) {
  %c = arith.constant 1.0 : f32
  %c256 = arith.constant 256 : index
  %far = arith.constant 1099511627776 : index
  scf.forall (%b) in (128) {
    scf.forall (%t) in (256) {
      %base = arith.muli %b, %c256 : index
      %i = arith.addi %base, %t : index
      %v = memref.load %x[%i] : memref<32768xf32>
      %r = arith.addf %v, %c : f32
)mlir" + body +
         R"mlir(
      memref.store %r, %y[%i] : memref<32768xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
})mlir";
}

/// The cases are small and right; the subject runs at its own extents on the
/// GPU alone.
class Device : public ::testing::Test {
protected:
  Device() { registerAllDialects(registry); }
  void SetUp() override {
    llvm::Expected<bool> usable = wantsDevice("auto");
    ASSERT_TRUE(bool(usable));
    if (!*usable)
      GTEST_SKIP() << "no GPU can be used";
  }

  Verdict check(const std::string &subject, double timeout = 60) {
    GateRequest request;
    request.target = lookupTarget("sm_90a");
    request.timeoutSeconds = timeout;
    request.cases.push_back(
        {reference("64", "1.0"), reference("64", "1.0"), {}});
    request.reference = reference("32768", "1.0");
    request.subject = subject;
    request.onDevice = true;
    return judge(request, registry);
  }

  mlir::DialectRegistry registry;
};

TEST_F(Device, acceptsAndMeasures) {
  Verdict verdict = check(reference("32768", "1.0"));
  EXPECT_EQ(verdict.kind, VerdictKind::accepted) << verdict.message;
  ASSERT_TRUE(verdict.profile.has_value());
  EXPECT_GT(verdict.profile->candidateUs, 0);
  EXPECT_GT(verdict.profile->copyGBps, 0);
}

TEST_F(Device, findsAWrongConstant) {
  Verdict verdict = check(reference("32768", "2.0"));
  EXPECT_EQ(verdict.kind, VerdictKind::wrong) << verdict.message;
  EXPECT_FALSE(verdict.profile.has_value());
}

TEST_F(Device, endsWithAFaultThatStaysInTheChild) {
  Verdict verdict =
      check(byHand("%wild = arith.addi %i, %far : index\n"
                   "memref.store %r, %y[%wild] : memref<32768xf32>"));
  EXPECT_EQ(verdict.kind, VerdictKind::unsafe) << verdict.message;
  // The next child has a device that works.
  verdict = check(byHand(""));
  EXPECT_EQ(verdict.kind, VerdictKind::accepted) << verdict.message;
}

TEST_F(Device, endsAnEndlessKernel) {
  Verdict verdict =
      check(byHand("scf.while : () -> () {\n"
                   "  memref.store %r, %y[%i] : memref<32768xf32>\n"
                   "  %q = memref.load %y[%i] : memref<32768xf32>\n"
                   "  %go = arith.cmpf ueq, %q, %r : f32\n"
                   "  gpu.barrier\n"
                   "  scf.condition(%go)\n} do {\n scf.yield\n}"),
            10);
  EXPECT_EQ(verdict.kind, VerdictKind::timeout) << verdict.message;
}

} // namespace
