//===- GateTest.cpp - Planted faults are refused, good candidates accepted
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

/// y = x + 1 over a vector of dynamic length, as linalg: the reference.
const char *const kReference = R"mlir(
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: memref<?xf32> {llvm.align = 16 : i64},
             %y: memref<?xf32> {llvm.align = 16 : i64, llvm.noalias}) {
  %one = arith.constant 1.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %one : f32
    linalg.yield %r : f32
  }
  return
})mlir";

/// The same by hand: neighbours' values go through shared memory and back.
const char *const kCandidate = R"mlir(
func.func @f(%x: memref<?xf32> {llvm.align = 16 : i64},
             %y: memref<?xf32> {llvm.align = 16 : i64, llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c32 : index
  scf.forall (%b) in (%blocks) {
    %s = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
    scf.forall (%t) in (32) {
      %base = arith.muli %b, %c32 : index
      %m = arith.subi %c31, %t : index
      %i = arith.addi %base, %m : index
      %in = arith.cmpi ult, %i, %n : index
      memref.store %one, %s[%m] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      scf.if %in {
        %v = memref.load %x[%i] : memref<?xf32>
        memref.store %v, %s[%m] : memref<32xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %j = arith.addi %base, %t : index
      %jn = arith.cmpi ult, %j, %n : index
      scf.if %jn {
        %w = memref.load %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
        %r = arith.addf %w, %one : f32
        memref.store %r, %y[%j] : memref<?xf32>
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
})mlir";

std::string replaced(std::string text, const std::string &from,
                     const std::string &to) {
  size_t position = text.rfind(from);
  EXPECT_NE(position, std::string::npos) << from;
  return text.replace(position, from.size(), to);
}

class Gate : public ::testing::Test {
protected:
  Gate() { registerAllDialects(registry); }

  Verdict check(const std::string &candidate, double timeout = 60) {
    GateRequest request;
    request.target = lookupTarget("sm_90a");
    request.timeoutSeconds = timeout;
    for (int64_t n : {1, 17, 32, 33, 0})
      request.cases.push_back({kReference, candidate, {n, n}});
    return judge(request, registry);
  }

  void expect(VerdictKind kind, const std::string &candidate) {
    Verdict verdict = check(candidate);
    EXPECT_EQ(verdict.kind, kind)
        << stringifyVerdictKind(verdict.kind).str() << ": " << verdict.message;
  }

  mlir::DialectRegistry registry;
};

TEST_F(Gate, acceptsTheReferenceItself) {
  expect(VerdictKind::accepted, kReference);
}
TEST_F(Gate, acceptsAGoodCandidate) {
  expect(VerdictKind::accepted, kCandidate);
}

TEST_F(Gate, findsADroppedBarrier) {
  expect(VerdictKind::unsafe, replaced(kCandidate, "gpu.barrier", ""));
}
TEST_F(Gate, findsAMissingBoundsCheck) {
  expect(VerdictKind::unsafe, replaced(kCandidate, "arith.cmpi ult, %j, %n",
                                       "arith.cmpi ule, %j, %n"));
}
TEST_F(Gate, findsAReadPastTheEnd) {
  expect(VerdictKind::unsafe, replaced(kCandidate, "arith.cmpi ult, %i, %n",
                                       "arith.cmpi ule, %i, %n"));
}
TEST_F(Gate, findsAWrongConstant) {
  expect(VerdictKind::wrong,
         replaced(kReference, "arith.constant 1.0", "arith.constant 1.5"));
}
TEST_F(Gate, findsAnotherOperation) {
  expect(VerdictKind::wrong, replaced(kReference, "arith.addf", "arith.subf"));
}
TEST_F(Gate, findsZeros) {
  expect(VerdictKind::wrong,
         replaced(kReference, "linalg.yield %r",
                  "%z = arith.constant 0.0 : f32\n linalg.yield %z"));
}
TEST_F(Gate, findsACopyOfTheInput) {
  expect(VerdictKind::wrong,
         replaced(kReference, "linalg.yield %r", "linalg.yield %a"));
}
TEST_F(Gate, findsAStaleOutput) {
  expect(VerdictKind::wrong,
         replaced(kCandidate, "memref.store %r, %y[%j] : memref<?xf32>", ""));
}
TEST_F(Gate, findsAMutatedInput) {
  expect(VerdictKind::wrong,
         replaced(kCandidate, "memref.store %r, %y[%j] : memref<?xf32>",
                  "memref.store %r, %y[%j] : memref<?xf32>\n"
                  "memref.store %r, %x[%j] : memref<?xf32>"));
}
TEST_F(Gate, findsTwoBlocksOnOneElement) {
  expect(VerdictKind::unsafe, replaced(kCandidate, "%y[%j]", "%y[%c0]"));
}
TEST_F(Gate, findsUninitializedSharedMemory) {
  expect(VerdictKind::unsafe,
         replaced(kCandidate,
                  "memref.store %one, %s[%m] : memref<32xf32, "
                  "#gpu.address_space<workgroup>>\n"
                  "      gpu.barrier\n      scf.if %in",
                  "gpu.barrier\n      %no = arith.cmpi ult, %n, %c0 : index\n  "
                  "    scf.if %no"));
}
TEST_F(Gate, findsADivergentBarrier) {
  expect(VerdictKind::unsafe,
         replaced(kCandidate, "gpu.barrier\n      %j",
                  "%half = arith.cmpi ult, %t, %c1 : index\n"
                  "scf.if %half { gpu.barrier }\n      %j"));
}
TEST_F(Gate, endsAnEndlessLoop) {
  std::string endless =
      replaced(kCandidate, "memref.store %r, %y[%j] : memref<?xf32>",
               "memref.store %r, %y[%j] : memref<?xf32>\n"
               "scf.while : () -> () {\n"
               "  %q = memref.load %y[%j] : memref<?xf32>\n"
               "  %go = arith.cmpf ueq, %q, %r : f32\n"
               "  memref.store %q, %y[%j] : memref<?xf32>\n"
               "  scf.condition(%go)\n} do {\n scf.yield\n}");
  Verdict verdict = check(endless, 5);
  EXPECT_EQ(verdict.kind, VerdictKind::timeout) << verdict.message;
}
TEST_F(Gate, survivesADivisionByZero) {
  expect(VerdictKind::unsafe,
         replaced(kCandidate, "%jn = arith.cmpi ult, %j, %n : index",
                  "%zero = arith.subi %n, %n : index\n"
                  "%bad = arith.remui %j, %zero : index\n"
                  "%jj = arith.addi %j, %bad : index\n"
                  "%jn = arith.cmpi ult, %jj, %n : index"));
}
TEST_F(Gate, reportsInvalidIR) {
  expect(VerdictKind::compile_error, "func.func @f(");
}
TEST_F(Gate, reportsTooMuchSharedMemory) {
  std::string text = kCandidate;
  for (size_t at; (at = text.find("memref<32xf32")) != std::string::npos;)
    text.replace(at, 13, "memref<99999xf32");
  expect(VerdictKind::compile_error, text);
}

TEST(Verdict, survivesJson) {
  Verdict verdict;
  verdict.kind = VerdictKind::wrong;
  verdict.message = "output 0 is \"wrong\"\n\xff";
  verdict.resources["k.registers"] = 64;
  auto back = verdictFromJson(toJson(verdict));
  ASSERT_TRUE(bool(back));
  EXPECT_EQ(back->kind, VerdictKind::wrong);
  EXPECT_EQ(back->resources.at("k.registers"), 64);
  auto unknown = verdictFromJson("{\"kind\": \"fine\"}");
  EXPECT_FALSE(bool(unknown));
  llvm::consumeError(unknown.takeError());
}

} // namespace
