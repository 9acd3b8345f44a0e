//===- HarnessTest.cpp - What is no fault of the candidate
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Gate/Data.h"
#include "KLineage/Gate/Gate.h"
#include "KLineage/RegisterAll.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace klineage;

namespace {

/// y[i] = `body` of x[i] (%a) and 0 (%z); `host` comes before it.
std::string kernel(const std::string &body, const std::string &host = "") {
  return R"mlir(
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: memref<?xf32> {llvm.align = 16 : i64},
             %y: memref<?xf32> {llvm.align = 16 : i64, llvm.noalias}) {
  %z = arith.constant 0.0 : f32
)mlir" + host +
         R"mlir(
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = )mlir" +
         body + R"mlir( : f32
    linalg.yield %r : f32
  }
  return
})mlir";
}

const std::string kRelu = kernel("arith.maximumf %a, %z");

/// Every first thread divides by n - 33.
const char *const kDivides = R"mlir(
func.func @f(%x: memref<?xf32> {llvm.align = 16 : i64},
             %y: memref<?xf32> {llvm.align = 16 : i64, llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c33 = arith.constant 33 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.forall (%b) in (%n) {
    scf.forall (%t) in (32) {
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        %zero = arith.subi %n, %c33 : index
        %bad = arith.remui %b, %zero : index
        %i = arith.addi %b, %bad : index
        %v = memref.load %x[%i] : memref<?xf32>
        memref.store %v, %y[%i] : memref<?xf32>
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
})mlir";

class Harness : public ::testing::Test {
protected:
  Harness() {
    registerAllDialects(registry);
    request.target = lookupTarget("sm_90a");
    request.timeoutSeconds = 60;
  }

  void expect(VerdictKind kind, const std::string &part,
              const std::string &reference, const std::string &candidate,
              int64_t extent = 33) {
    request.cases = {{reference, candidate, {extent, extent}}};
    Verdict verdict = judge(request, registry);
    EXPECT_EQ(verdict.kind, kind)
        << stringifyVerdictKind(verdict.kind).str() << ": " << verdict.message;
    EXPECT_NE(verdict.message.find(part), std::string::npos) << verdict.message;
  }

  mlir::DialectRegistry registry;
  GateRequest request;
};

TEST_F(Harness, provesItself) {
  request.cases = {{kRelu, kRelu, {33, 33}}};
  Verdict verdict = judge(request, registry);
  EXPECT_EQ(verdict.kind, VerdictKind::accepted) << verdict.message;
  // Three twins, and the other wrong answers.
  EXPECT_GE(verdict.selfChecks, 10);
  EXPECT_TRUE(verdict.details.empty() ||
              verdict.details[0].find("self-check") == std::string::npos);
}

TEST_F(Harness, exemptsZerosOfAKernelThatGivesZeros) {
  std::string zeros = kernel("arith.mulf %z, %z");
  request.cases = {{zeros, zeros, {33, 33}}};
  Verdict verdict = judge(request, registry);
  EXPECT_EQ(verdict.kind, VerdictKind::accepted) << verdict.message;
  EXPECT_TRUE(std::count(verdict.details.begin(), verdict.details.end(),
                         "self-check: output 1 is zeros"));
}

TEST_F(Harness, cannotJudgeAKernelThatGivesNaNOnly) {
  std::string nan = kernel("arith.divf %z, %z");
  expect(VerdictKind::harness_error, "NaN throughout", nan, nan);
}

TEST_F(Harness, refusesExtentsBeyondTheMemory) {
  expect(VerdictKind::unsupported, "8796093022208 bytes are too large", kRelu,
         kRelu, int64_t(1) << 40);
  expect(VerdictKind::unsupported, "more than 2^63 bytes", kRelu, kRelu,
         int64_t(1) << 62);
  request.memoryBytes = int64_t(1) << 24;
  expect(VerdictKind::unsupported, "16 MiB of memory", kRelu, kRelu, 1 << 20);
}

TEST_F(Harness, refusesTemporariesBeyondTheMemory) {
  expect(VerdictKind::unsupported, "no memory for buffer 'temporary0'", kRelu,
         kernel("arith.maximumf %a, %z",
                "%t = memref.alloc() : memref<17592186044416xf32>\n"
                "linalg.fill ins(%z : f32) outs(%t : "
                "memref<17592186044416xf32>)\n"));
}

TEST_F(Harness, doesNotBlameTheCandidateForTheReference) {
  expect(VerdictKind::harness_error, "the reference ended its process",
         kDivides, kRelu);
  expect(VerdictKind::unsafe, "the candidate ended its process", kRelu,
         kDivides);
}

/// The environment of one test.
struct Ptxas {
  explicit Ptxas(const char *file) { setenv("KLINEAGE_PTXAS", file, 1); }
  ~Ptxas() { unsetenv("KLINEAGE_PTXAS"); }
};

TEST_F(Harness, doesNotBlameTheCandidateForTheAssembler) {
  {
    Ptxas missing("no/such/file");
    expect(VerdictKind::accepted, "", kRelu, kRelu);
  }
  {
    Ptxas broken("/bin/false");
    expect(VerdictKind::harness_error, "ptxas failed", kRelu, kRelu);
  }
  llvm::SmallString<128> path;
  int descriptor;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("ptxas", "", descriptor, path));
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << "\x7f"
                                                            "ELF";
  llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_all);
  Ptxas truncated(path.c_str());
  expect(VerdictKind::harness_error, "ptxas failed", kRelu, kRelu);
  llvm::sys::fs::remove(path);
}

TEST_F(Harness, seesNaNIfAsked) {
  std::string other = kernel("arith.maxnumf %a, %z");
  expect(VerdictKind::accepted, "", kRelu, other);
  request.nan = true;
  expect(VerdictKind::accepted, "", kRelu, kRelu);
  expect(VerdictKind::wrong, "expected nan", kRelu, other);
}

HostBuffer single(const char *type, double value) {
  HostBuffer buffer;
  buffer.type = type;
  buffer.shape = {1};
  buffer.bytes.resize(elementBytes(type));
  buffer.set(0, value);
  return buffer;
}

TEST(Compare, allowsWhatStateZeroErrs) {
  EXPECT_EQ(allowedError(1e-6, 0), 1e-6);
  EXPECT_EQ(allowedError(1e-6, 9e-7), 1e-6);
  EXPECT_EQ(allowedError(1e-6, 3e-6), 6e-6);
  EXPECT_EQ(allowedError(1e-6, 1), 16e-6);
  EXPECT_EQ(allowedError(1e-6, INFINITY), 16e-6);
}

TEST(Compare, allowsTheOverflowsOfStateZero) {
  HostBuffer wide = single("f64", 1e300), native = single("f32", INFINITY);
  EXPECT_FALSE(compare(wide, single("f32", INFINITY), 1e-6).equal);
  EXPECT_TRUE(compare(wide, single("f32", INFINITY), 1e-6, &native).equal);
  EXPECT_FALSE(compare(wide, single("f32", -INFINITY), 1e-6, &native).equal);
  EXPECT_FALSE(compare(wide, single("f32", NAN), 1e-6, &native).equal);
  EXPECT_FALSE(compare(wide, single("f32", 0), 1e-6, &native).equal);
  HostBuffer nan = single("f32", NAN);
  EXPECT_TRUE(compare(wide, nan, 1e-6, &nan).equal);
  EXPECT_FALSE(compare(wide, single("f32", INFINITY), 1e-6, &nan).equal);
}

TEST(Fill, usesAllBitsOfTheType) {
  for (auto [type, narrower] : {std::pair{"f64", "f32"},
                                {"f32", "bf16"},
                                {"f32", "f16"},
                                {"f16", "bf16"}}) {
    HostBuffer buffer = single(type, 0);
    buffer.shape = {1000};
    buffer.bytes.resize(1000 * elementBytes(type));
    fillInput(buffer, Fill::mixed, 1);
    HostBuffer narrow = single(narrower, 0);
    narrow.shape = {1000};
    narrow.bytes.resize(1000 * elementBytes(narrower));
    convert(buffer, narrow);
    int lost = 0;
    for (int i = 0; i < 1000; ++i)
      lost += buffer.get(i) != narrow.get(i);
    EXPECT_GT(lost, 500) << type << " to " << narrower;
  }
}

} // namespace
