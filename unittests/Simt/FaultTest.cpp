//===- FaultTest.cpp - Each planted fault is found, with its kind and place
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "Kernels.h"

using namespace klineage;
using namespace klineage::simt;
using namespace klineage::simt::test;

namespace {

class Faults : public testing::TestWithParam<Order> {
protected:
  Harness mlir(const std::string &text) {
    return Harness(text, Harness::Language::mlir, Mode::checked, GetParam(), 3);
  }
  Harness ir(const std::string &text) {
    return Harness(text, Harness::Language::ir, Mode::checked, GetParam(), 3);
  }
};

std::string runMatmul(Harness &h, llvm::StringRef kernel) {
  std::vector<float> ones(4096, 1.0f);
  float *A = h.buffer(ones, "A"), *B = h.buffer(ones, "B");
  float *C = h.buffer(ones, "C");
  return h.launch(kernel, {4, 4, 1}, {16, 16, 1}, 0, A, B, C);
}

void expectOnly(Harness &h, std::vector<std::string> kinds) {
  std::vector<std::string> found;
  for (auto &[kind, count] : h.kinds())
    found.push_back(kind);
  std::sort(kinds.begin(), kinds.end());
  EXPECT_EQ(found, kinds) << h.report();
  EXPECT_FALSE(h.runtime->findings().empty());
}

TEST_P(Faults, SecondBarrierRemoved) {
  Harness h = mlir(replaced(tiledMatmul, "gpu.barrier // second", ""));
  EXPECT_EQ(runMatmul(h, "tiled"), "");
  expectOnly(h, {"shared_race"});
  const Finding *race = h.first(FindingKind::shared_race);
  ASSERT_TRUE(race);
  EXPECT_NE(race->buffer.find("tiled"), std::string::npos) << race->buffer;
  EXPECT_EQ(race->location.find("kernel.mlir:"), 0u) << race->location;
  EXPECT_EQ(race->otherLocation.find("kernel.mlir:"), 0u);
  EXPECT_NE(race->location, race->otherLocation);
  EXPECT_GE(race->element, 0);
  EXPECT_LT(race->element, 256);
}

TEST_P(Faults, FirstBarrierRemoved) {
  Harness h = mlir(replaced(tiledMatmul, "gpu.barrier // first", ""));
  EXPECT_EQ(runMatmul(h, "tiled"), "");
  expectOnly(h, {"shared_race", "uninitialized_shared"});
}

TEST_P(Faults, LoopRunsOneStepTooFar) {
  Harness h = mlir(replaced(naiveMatmul, "%extent = arith.constant 64",
                            "%extent = arith.constant 65"));
  EXPECT_EQ(runMatmul(h, "naive"), "");
  expectOnly(h, {"out_of_bounds"});
  // B leaves its buffer for every element of C, A only in the last row.
  int64_t a = 0, b = 0;
  for (const Finding &finding : h.runtime->findings())
    (finding.buffer == "A" ? a : b) += finding.count;
  EXPECT_EQ(b, 4096);
  EXPECT_EQ(a, 64);
}

TEST_P(Faults, VectorLoadOffByOneElement) {
  Harness h = mlir(R"(
gpu.module @kernels {
  gpu.func @load(%X: memref<1028xf32>, %Y: memref<1024xf32>) kernel {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %o = arith.muli %t, %c4 : index
    %i = arith.addi %o, %c1 : index
    %v = vector.load %X[%i] {alignment = 16 : i64} : memref<1028xf32>, vector<4xf32>
    vector.store %v, %Y[%o] : memref<1024xf32>, vector<4xf32>
    gpu.return
  }
})");
  float *X = h.buffer(std::vector<float>(1028), "X");
  float *Y = h.buffer(std::vector<float>(1024), "Y");
  EXPECT_EQ(h.launch("load", {1, 1, 1}, {256, 1, 1}, 0, X, Y), "");
  expectOnly(h, {"misaligned"});
  EXPECT_EQ(h.runtime->findings().front().buffer, "X");
  EXPECT_EQ(h.runtime->findings().front().count, 256);
}

TEST_P(Faults, NeighbourReadWithoutBarrier) {
  Harness h = mlir(replaced(dynamicShared, "gpu.barrier", ""));
  float *X = h.buffer(std::vector<float>(128), "X");
  float *Y = h.buffer(std::vector<float>(128), "Y");
  EXPECT_EQ(h.launch("reverse", {1, 1, 1}, {128, 1, 1}, 512, X, Y), "");
  expectOnly(h, {"shared_race", "uninitialized_shared"});
}

TEST_P(Faults, HalfOfSharedNeverWritten) {
  Harness h = mlir(replaced(dynamicShared, "memref.store %x, %S[%t]", R"(
    %c64 = arith.constant 64 : index
    %u = arith.remui %t, %c64 : index
    %eq = arith.cmpi eq, %u, %t : index
    scf.if %eq {
      memref.store %x, %S[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    }
    %c200 = arith.constant 200.0 : f32
    // )"));
  float *X = h.buffer(std::vector<float>(128), "X");
  float *Y = h.buffer(std::vector<float>(128), "Y");
  EXPECT_EQ(h.launch("reverse", {1, 1, 1}, {128, 1, 1}, 512, X, Y), "");
  expectOnly(h, {"uninitialized_shared"});
  EXPECT_EQ(h.runtime->findings().front().count, 64);
}

std::string runMma(Harness &h) {
  auto *A = h.buffer(std::vector<uint16_t>(256), "A");
  auto *B = h.buffer(std::vector<uint16_t>(128), "B");
  float *D = h.buffer(std::vector<float>(128), "D");
  return h.launch("mma", {1, 1, 1}, {32, 1, 1}, 0, A, B, D);
}

TEST_P(Faults, AsyncCopyNotWaitedFor) {
  Harness h = mlir(replaced(
      tensorCore, "nvgpu.device_async_wait %g {numGroups = 0 : i32}", ""));
  EXPECT_EQ(runMma(h), "");
  expectOnly(h, {"async_pending", "async_unwaited"});
}

TEST_P(Faults, AsyncWaitLeavesOneGroup) {
  Harness h = mlir(replaced(tensorCore, "numGroups = 0", "numGroups = 1"));
  EXPECT_EQ(runMma(h), "");
  expectOnly(h, {"async_pending", "async_unwaited"});
}

TEST_P(Faults, AsyncCopyNotShownToOthers) {
  Harness h = mlir(replaced(tensorCore, "gpu.barrier", ""));
  EXPECT_EQ(runMma(h), "");
  // The first threads to wait see the copies of those that did not yet.
  EXPECT_FALSE(h.runtime->findings().empty());
}

TEST_P(Faults, SharedVariableAlignedForItsElementOnly) {
  Harness h = mlir(replaced(tensorCore, " {llvm.align = 16 : i64}", ""));
  EXPECT_EQ(runMma(h), "");
  expectOnly(h, {"misaligned"});
}

TEST_P(Faults, TwoBlocksWriteTheSameElement) {
  Harness h = mlir(replaced(blockReduce, "%Y[%bx]", "%Y[%c0]"));
  float *X = h.buffer(std::vector<float>(1024), "X");
  float *Y = h.buffer(std::vector<float>(4), "Y");
  EXPECT_EQ(h.launch("reduce", {4, 1, 1}, {256, 1, 1}, 0, X, Y), "");
  expectOnly(h, {"global_race"});
  const Finding &race = h.runtime->findings().front();
  EXPECT_EQ(race.buffer, "Y");
  EXPECT_TRUE(race.hasOther);
  EXPECT_NE(race.block.x, race.otherBlock.x);
}

TEST_P(Faults, LaunchWithTooLittleDynamicShared) {
  Harness h = mlir(dynamicShared);
  float *X = h.buffer(std::vector<float>(128), "X");
  float *Y = h.buffer(std::vector<float>(128), "Y");
  EXPECT_EQ(h.launch("reverse", {1, 1, 1}, {128, 1, 1}, 256, X, Y), "");
  expectOnly(h, {"shared_overflow"});
}

TEST_P(Faults, MoreSharedThanTheChipHas) {
  Harness h = mlir(dynamicShared);
  float *null = nullptr;
  EXPECT_NE(h.launch("reverse", {1, 1, 1}, {128, 1, 1}, 300000, null, null)
                .find("the limit is 232448"),
            std::string::npos);
  expectOnly(h, {"shared_overflow"});
}

TEST_P(Faults, BarrierInsideABranch) {
  Harness h = mlir(R"(
gpu.module @kernels {
  gpu.func @branch(%X: memref<64xf32>) kernel {
    %c16 = arith.constant 16 : index
    %t = gpu.thread_id x
    %low = arith.cmpi ult, %t, %c16 : index
    scf.if %low {
      gpu.barrier
    }
    gpu.barrier
    gpu.return
  }
})");
  float *X = h.buffer(std::vector<float>(64), "X");
  EXPECT_EQ(h.launch("branch", {1, 1, 1}, {64, 1, 1}, 0, X), "");
  expectOnly(h, {"divergent_barrier"});
}

TEST_P(Faults, AtomicAgainstPlainStore) {
  Harness h = mlir(replaced(histogram, R"(gpu.barrier
    %b0)",
                            "%b0"));
  int *X = h.buffer(std::vector<int>(512, 1), "X");
  int *H = h.buffer(std::vector<int>(16), "H");
  EXPECT_EQ(h.launch("histogram", {4, 1, 1}, {128, 1, 1}, 0, X, H), "");
  EXPECT_GE(h.kinds()["shared_race"], 1) << h.report();
}

TEST_P(Faults, GlobalAtomicAgainstPlainStoreOfAnotherBlock) {
  Harness h = ir(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @mixed(ptr addrspace(1) %x) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %plain, label %atomic
plain:
  store i32 0, ptr addrspace(1) %x, align 4
  ret void
atomic:
  %o = atomicrmw add ptr addrspace(1) %x, i32 1 monotonic, align 4
  ret void
})");
  int *X = h.buffer(std::vector<int>(1), "X");
  EXPECT_EQ(h.launch("mixed", {4, 1, 1}, {1, 1, 1}, 0, X), "");
  expectOnly(h, {"global_race"});
}

const char *const shuffleAfterExit = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
define ptx_kernel void @exit(ptr addrspace(1) %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %high = icmp uge i32 %t, 16
  br i1 %high, label %end, label %go
go:
  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 MASK, i32 %t, i32 1, i32 31)
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %t
  store i32 %v, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
})";

TEST_P(Faults, ShuffleMaskNamesLanesThatEnded) {
  for (bool good : {true, false}) {
    Harness h = ir(replaced(shuffleAfterExit, "MASK", good ? "65535" : "-1"));
    int *X = h.buffer(std::vector<int>(32), "X");
    EXPECT_EQ(h.launch("exit", {1, 1, 1}, {32, 1, 1}, 0, X), "");
    if (good)
      EXPECT_EQ(h.report(), "");
    else if (GetParam() == Order::forward)
      // The lanes 16 to 31 end after the others have called: no lane had
      // ended yet, which hardware may see as well.
      EXPECT_LE(h.runtime->findings().size(), 1u);
    else
      EXPECT_FALSE(h.runtime->findings().empty());
  }
}

TEST_P(Faults, CountedBarrierNeverFull) {
  Harness h = ir(R"(
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
define ptx_kernel void @stuck() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  ret void
})");
  std::string error = h.launch("stuck", {2, 1, 1}, {32, 1, 1}, 0);
  EXPECT_NE(error.find("deadlock"), std::string::npos) << error;
  EXPECT_TRUE(h.first(FindingKind::deadlock)) << h.report();
  // The error stays.
  EXPECT_EQ(h.launch("stuck", {0, 1, 1}, {32, 1, 1}, 0), error);
}

TEST_P(Faults, WarpOperationInOneBranchOnly) {
  Harness h = ir(replaced(replaced(shuffleAfterExit, "MASK", "-1"),
                          "br i1 %high, label %end, label %go",
                          "br i1 %high, label %wait, label %go\nwait:\n"
                          "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"
                          "  br label %end") +
                 "\ndeclare void @llvm.nvvm.bar.warp.sync(i32)\n");
  int *X = h.buffer(std::vector<int>(32), "X");
  EXPECT_NE(h.launch("exit", {1, 1, 1}, {32, 1, 1}, 0, X), "");
  expectOnly(h, {"bad_mask", "deadlock"});
}

TEST_P(Faults, PrivateArrayOverrun) {
  Harness h = ir(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @private(ptr addrspace(1) %x) {
  %a = alloca [8 x float], align 4
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [8 x float], ptr %a, i32 0, i32 %t
  store float 1.0, ptr %p, align 4
  %v = load float, ptr %p, align 4
  %q = getelementptr float, ptr addrspace(1) %x, i32 %t
  store float %v, ptr addrspace(1) %q, align 4
  ret void
})");
  float *X = h.buffer(std::vector<float>(9), "X");
  EXPECT_EQ(h.launch("private", {1, 1, 1}, {9, 1, 1}, 0, X), "");
  expectOnly(h, {"out_of_bounds"});
  EXPECT_EQ(h.runtime->findings().front().buffer, "private memory");
  EXPECT_EQ(h.runtime->findings().front().thread.x, 8);
}

TEST_P(Faults, MemcpyAndMaskedAccessesAreChecked) {
  Harness h = ir(R"(
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1), <4 x i1>, <4 x float>)
declare void @llvm.masked.store.v4f32.p1(<4 x float>, ptr addrspace(1), <4 x i1>)
define ptx_kernel void @copy(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %y, ptr addrspace(1) %x, i64 %n, i1 false)
  ret void
}
define ptx_kernel void @set(ptr addrspace(1) %x, i64 %n) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) %x, i8 0, i64 %n, i1 false)
  ret void
}
define ptx_kernel void @masked(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %bits) {
  %low = trunc i32 %bits to i4
  %mask = bitcast i4 %low to <4 x i1>
  %v = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 4 %x, <4 x i1> %mask, <4 x float> zeroinitializer)
  call void @llvm.masked.store.v4f32.p1(<4 x float> %v, ptr addrspace(1) align 4 %y, <4 x i1> %mask)
  ret void
})");
  std::vector<float> values = {1, 2, 3};
  float *X = h.buffer(values, "X"), *Y = h.buffer(std::vector<float>(3), "Y");
  Dim3 one;
  EXPECT_EQ(h.launch("copy", one, one, 0, X, Y, int64_t(12)), "");
  EXPECT_EQ(h.read(Y, 3), values);
  EXPECT_EQ(h.launch("set", one, one, 0, Y, int64_t(12)), "");
  EXPECT_EQ(h.read(Y, 3), std::vector<float>(3));
  EXPECT_EQ(h.launch("masked", one, one, 0, X, Y, 5), "");
  EXPECT_EQ(h.read(Y, 3), (std::vector<float>{1, 0, 3}));
  EXPECT_EQ(h.report(), "");
  EXPECT_EQ(h.launch("copy", one, one, 0, X, Y, int64_t(16)), "");
  EXPECT_EQ(h.launch("set", one, one, 0, Y, int64_t(16)), "");
  EXPECT_EQ(h.launch("masked", one, one, 0, X, Y, 15), "");
  expectOnly(h, {"out_of_bounds"});
  EXPECT_EQ(h.runtime->findings().size(), 5u) << h.report();
  EXPECT_FALSE(bool(h.runtime->synchronize()));
}

INSTANTIATE_TEST_SUITE_P(Orders, Faults, testing::ValuesIn(allOrders));

} // namespace
