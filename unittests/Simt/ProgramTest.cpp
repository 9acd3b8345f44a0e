//===- ProgramTest.cpp - What is refused, and how; counts; device memory
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "Kernels.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace klineage;
using namespace klineage::simt;
using namespace klineage::simt::test;

namespace {

/// The parts of the UnsupportedError, or {"", other error text}.
std::pair<std::string, std::string> refusal(llvm::StringRef text) {
  llvm::LLVMContext context;
  auto module = parseIr(text, context);
  if (!module)
    return {"", llvm::toString(module.takeError())};
  auto program = Program::create(**module, {}, Options());
  if (program)
    return {"", "accepted"};
  std::pair<std::string, std::string> result;
  llvm::handleAllErrors(
      program.takeError(),
      [&](const UnsupportedError &error) {
        result = {error.getWhat().str(), error.getLocation().str()};
      },
      [&](const llvm::ErrorInfoBase &error) {
        result = {"", error.message()};
      });
  return result;
}

TEST(Program, UnknownIntrinsicIsUnsupported) {
  auto [what, where] = refusal(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()
define ptx_kernel void @k(ptr addrspace(1) %x) {
  %c = call i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()
  store i32 %c, ptr addrspace(1) %x
  ret void
})");
  EXPECT_EQ(what, "intrinsic llvm.nvvm.read.ptx.sreg.clusterid.x");
  EXPECT_EQ(where,
            "%c = call i32 @llvm.nvvm.read.ptx.sreg.clusterid.x() in @k");
}

TEST(Program, InlineAsmIsUnsupported) {
  auto [what, where] = refusal(R"(
define ptx_kernel void @k(ptr addrspace(1) %x) {
  %v = call i32 asm "mov.u32 $0, %clock;", "=r"()
  store i32 %v, ptr addrspace(1) %x
  ret void
})");
  EXPECT_EQ(what,
            "inline PTX mov.u32: '%clock' is no operand that is understood");
  EXPECT_NE(where.find("@k"), std::string::npos);
}

TEST(Program, UnknownFunctionIsUnsupported) {
  EXPECT_EQ(refusal(R"(
declare float @__nv_normf(float)
define ptx_kernel void @k(ptr addrspace(1) %x) {
  %v = call float @__nv_normf(float 1.0)
  store float %v, ptr addrspace(1) %x
  ret void
})")
                .first,
            "function __nv_normf");
  EXPECT_EQ(refusal(R"(
define ptx_kernel void @k(ptr %f) {
  call void %f()
  ret void
})")
                .first,
            "indirect call");
}

TEST(Program, GenericIntrinsicOnMemoryIsUnsupported) {
  EXPECT_EQ(refusal(R"(
declare <4 x float> @llvm.masked.expandload.v4f32.p0(ptr, <4 x i1>, <4 x float>)
define ptx_kernel void @k(ptr %x) {
  %v = call <4 x float> @llvm.masked.expandload.v4f32.p0(ptr %x, <4 x i1> splat (i1 true), <4 x float> zeroinitializer)
  store <4 x float> %v, ptr %x
  ret void
})")
                .first,
            "intrinsic llvm.masked.expandload.v4f32");
}

TEST(Program, MathFunctionsAndDeviceCalls) {
  Harness h(R"(
declare float @__nv_expf(float)
declare float @__nv_rsqrtf(float)
declare float @llvm.nvvm.ex2.approx.f32(float)
define internal float @helper(float %x) {
  %e = call float @__nv_expf(float %x)
  ret float %e
}
define ptx_kernel void @k(ptr addrspace(1) %x) {
  %v = load float, ptr addrspace(1) %x, align 4
  %e = call float @helper(float %v)
  %r = call float @__nv_rsqrtf(float %e)
  store float %r, ptr addrspace(1) %x, align 4
  ret void
})",
            Harness::Language::ir, Mode::checked);
  float *X = h.buffer(std::vector<float>{2.0f}, "X");
  ASSERT_EQ(h.launch("k", {1, 1, 1}, {1, 1, 1}, 0, X), "");
  EXPECT_NEAR(h.read(X, 1)[0], std::exp(-1.0), 1e-6);
  EXPECT_EQ(h.report(), "");
}

TEST(Program, CountsOfTiledMatmul) {
  Harness h(tiledMatmul, Harness::Language::mlir, Mode::checked);
  float *A = h.buffer(std::vector<float>(4096), "A");
  ASSERT_EQ(h.launch("tiled", {4, 4, 1}, {16, 16, 1}, 0, A, A, A), "");
  // A is read and written: the harness is right to complain, not the counts.
  ASSERT_EQ(h.runtime->counts().size(), 1u);
  Counts counts = h.runtime->counts().front();
  EXPECT_EQ(counts.kernel, "tiled");
  EXPECT_EQ(counts.blocks, 16);
  EXPECT_EQ(counts.threads, 4096);
  EXPECT_EQ(counts.barriers, 16 * 8);
  // 64 products and 64 sums a thread.
  EXPECT_EQ(counts.fp32, 4096 * 128);
  EXPECT_EQ(counts.sampledBlocks, 2);
  // Two blocks of 8 warps: 8 loads, each of two rows of 16 floats.
  EXPECT_EQ(counts.globalLoads, 2 * 8 * 8);
  EXPECT_EQ(counts.globalLoadSectors, 2 * 8 * 8 * 4);
  EXPECT_EQ(counts.globalStores, 2 * 8);
  EXPECT_EQ(counts.bankConflicts, 0);
}

TEST(Program, CountsBankConflictsAndStrides) {
  Harness h(R"(
@s = internal addrspace(3) global [1024 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = mul i32 %t, 32
  %p = getelementptr [1024 x i32], ptr addrspace(3) @s, i32 0, i32 %i
  store i32 %t, ptr addrspace(3) %p, align 4
  %q = getelementptr i32, ptr addrspace(1) %x, i32 %i
  store i32 %t, ptr addrspace(1) %q, align 4
  ret void
})",
            Harness::Language::ir, Mode::checked);
  int *X = h.buffer(std::vector<int>(1024), "X");
  ASSERT_EQ(h.launch("k", {1, 1, 1}, {32, 1, 1}, 0, X), "");
  Counts counts = h.runtime->counts().front();
  EXPECT_EQ(counts.sharedAccesses, 1);
  EXPECT_EQ(counts.bankConflicts, 31);
  EXPECT_EQ(counts.globalStoreSectors, 32);
  EXPECT_EQ(h.report(), "");
}

TEST(Memory, RangesGuardsAndPoison) {
  Harness h(naiveMatmul, Harness::Language::mlir, Mode::fast);
  char *X = static_cast<char *>(h.allocate(10, "X"));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(X) % 256, 0u);
  EXPECT_EQ(uint8_t(h.read(X, 10)[9]), 0xCB);
  void *empty = h.allocate(0, "empty"), *empty2 = h.allocate(0, "empty2");
  EXPECT_NE(empty, empty2);
  EXPECT_FALSE(bool(h.runtime->release(empty)));
  X[10] = 0; // As a kernel in fast mode might.
  std::string error = llvm::toString(h.runtime->synchronize());
  EXPECT_EQ(error, "simt: a kernel wrote behind buffer 'X' of 10 bytes");
  EXPECT_EQ(llvm::toString(h.runtime->release(empty2)), error);
}

TEST(Memory, CopyOutOfRangeIsAnError) {
  Harness h(naiveMatmul, Harness::Language::mlir, Mode::fast);
  char *X = static_cast<char *>(h.allocate(10, "X")), host[11] = {};
  EXPECT_EQ(llvm::toString(h.runtime->copyToDevice(X, host, 11)),
            "simt: copy to the device of 11 bytes at offset 0 of buffer 'X' of "
            "10 bytes");
}

TEST(Launch, WrongShapesAreErrors) {
  auto error = [](Dim3 grid, Dim3 block) {
    Harness h(naiveMatmul, Harness::Language::mlir, Mode::fast);
    float *null = nullptr;
    return h.launch("naive", grid, block, 0, null, null, null);
  };
  EXPECT_NE(error({1, 65536, 1}, {1, 1, 1}).find("cannot be launched"),
            std::string::npos);
  EXPECT_NE(error({1, 1, 1}, {1024, 2, 1}).find("cannot be launched"),
            std::string::npos);
  EXPECT_NE(error({1, 1, 1}, {0, 1, 1}).find("cannot be launched"),
            std::string::npos);
  Harness h(naiveMatmul, Harness::Language::mlir, Mode::fast);
  EXPECT_EQ(h.launch("naive", {1, 1, 1}, {1, 1, 1}, 0, int64_t(0)),
            "simt: kernel 'naive': takes 3 parameters, the launch has 1");
}

} // namespace
