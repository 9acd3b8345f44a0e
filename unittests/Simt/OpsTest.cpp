//===- OpsTest.cpp - What each warp and lane operation computes
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

using namespace klineage;
using namespace klineage::simt;
using namespace klineage::simt::test;

namespace {

/// A kernel of one warp: `body` computes i32 %r from the thread index %t, and
/// the result of lane t goes to X[t].
std::vector<int> evaluate(const std::string &body, const std::string &decls,
                          unsigned threads = 32,
                          std::string *findings = nullptr) {
  std::string text = decls + R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)" + body + R"(
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %t
  store i32 %r, ptr addrspace(1) %p, align 4
  ret void
})";
  std::vector<int> result;
  for (Mode mode : {Mode::fast, Mode::checked}) {
    Harness h(text, Harness::Language::ir, mode, Order::random, 5);
    int *X = h.buffer(std::vector<int>(threads), "X");
    EXPECT_EQ(h.launch("k", {1, 1, 1}, {threads, 1, 1}, 0, X), "");
    std::vector<int> values = h.read(X, threads);
    if (mode == Mode::checked) {
      EXPECT_EQ(values, result);
      if (findings)
        *findings = h.report();
      else
        EXPECT_EQ(h.report(), "");
    }
    result = values;
  }
  return result;
}

std::vector<int> shuffle(const std::string &kind, int operand, int control) {
  std::string name = "@llvm.nvvm.shfl.sync." + kind + ".i32p";
  return evaluate("%s = call {i32, i1} " + name + "(i32 -1, i32 %t, i32 " +
                      std::to_string(operand) + ", i32 " +
                      std::to_string(control) + R"()
  %v = extractvalue {i32, i1} %s, 0
  %p1 = extractvalue {i32, i1} %s, 1
  %p32 = zext i1 %p1 to i32
  %h = mul i32 %p32, 100
  %r = add i32 %v, %h)",
                  "declare {i32, i1} " + name + "(i32, i32, i32, i32)");
}

/// 100 is added where the source lane is in range.
TEST(Ops, ShufflesOfTheWholeWarp) {
  std::vector<int> up = shuffle("up", 1, 0), down = shuffle("down", 2, 31);
  std::vector<int> bfly = shuffle("bfly", 16, 31), idx = shuffle("idx", 5, 31);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(up[lane], lane == 0 ? 0 : lane - 1 + 100);
    EXPECT_EQ(down[lane], lane >= 30 ? lane : lane + 2 + 100);
    EXPECT_EQ(bfly[lane], (lane ^ 16) + 100);
    EXPECT_EQ(idx[lane], 5 + 100);
  }
}

TEST(Ops, ShufflesOfSegmentsOfEight) {
  int control = (0x18 << 8) | 7;
  std::vector<int> down = shuffle("down", 3, control);
  std::vector<int> up = shuffle("up", 3, 0x18 << 8);
  std::vector<int> idx = shuffle("idx", 6, control);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(down[lane], lane % 8 + 3 > 7 ? lane : lane + 3 + 100);
    EXPECT_EQ(up[lane], lane % 8 < 3 ? lane : lane - 3 + 100);
    EXPECT_EQ(idx[lane], lane / 8 * 8 + 6 + 100);
  }
}

TEST(Ops, Votes) {
  const char *decls = R"(
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1))";
  EXPECT_EQ(evaluate(R"(
  %c = icmp ult i32 %t, 4
  %r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c))",
                     decls),
            std::vector<int>(32, 15));
  EXPECT_EQ(evaluate(R"(
  %c = icmp ult i32 %t, 4
  %a = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %c)
  %o = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %c)
  %u = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %c)
  %a1 = zext i1 %a to i32
  %o1 = select i1 %o, i32 2, i32 0
  %u1 = select i1 %u, i32 4, i32 0
  %s = or i32 %a1, %o1
  %r = or i32 %s, %u1)",
                     decls),
            std::vector<int>(32, 2));
}

TEST(Ops, MatchReduxElect) {
  std::vector<int> any = evaluate(
      R"(%m = and i32 %t, 1
  %r = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %m))",
      "declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)");
  EXPECT_EQ(any[0], 0x55555555);
  EXPECT_EQ(unsigned(any[1]), 0xaaaaaaaau);
  EXPECT_EQ(evaluate("%r = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 -1)",
                     "declare i32 @llvm.nvvm.redux.sync.add(i32, i32)"),
            std::vector<int>(32, 496));
  EXPECT_EQ(evaluate(R"(%n = sub i32 3, %t
  %r = call i32 @llvm.nvvm.redux.sync.min(i32 %n, i32 -1))",
                     "declare i32 @llvm.nvvm.redux.sync.min(i32, i32)"),
            std::vector<int>(32, -28));
  std::vector<int> elected = evaluate(
      R"(%e = call {i32, i1} @llvm.nvvm.elect.sync(i32 -1)
  %i = extractvalue {i32, i1} %e, 1
  %r = zext i1 %i to i32)",
      "declare {i32, i1} @llvm.nvvm.elect.sync(i32)");
  EXPECT_EQ(elected[0], 1);
  EXPECT_EQ(std::count(elected.begin(), elected.end(), 1), 1);
}

TEST(Ops, BarrierReductionsAndLaneMasks) {
  EXPECT_EQ(evaluate(R"(%c = icmp ult i32 %t, 5
  %r = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %c))",
                     "declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all("
                     "i32, i1)",
                     64),
            std::vector<int>(64, 5));
  std::vector<int> below =
      evaluate("%r = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()",
               "declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()");
  EXPECT_EQ(below[3], 7);
}

/// In a partial warp the lanes that do not exist take part in nothing; to read
/// one of them is a fault.
TEST(Ops, PartialWarp) {
  std::string findings;
  std::vector<int> result = evaluate(
      "%r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %t, i32 1, i32 "
      "31)",
      "declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)", 20,
      &findings);
  EXPECT_EQ(result[18], 19);
  EXPECT_NE(findings.find("bad_mask"), std::string::npos) << findings;
}

/// Lanes that meet by a mask of their own are ordered; others are not.
TEST(Ops, WarpSyncOrdersTheLanesOfItsMask) {
  const char *text = R"(
@s = internal addrspace(3) global [32 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.bar.warp.sync(i32)
define ptx_kernel void @k(ptr addrspace(1) %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [32 x i32], ptr addrspace(3) @s, i32 0, i32 %t
  store i32 %t, ptr addrspace(3) %p, align 4
  %low = icmp ult i32 %t, 16
  %mask = select i1 %low, i32 65535, i32 -65536
  call void @llvm.nvvm.bar.warp.sync(i32 %mask)
  %n = xor i32 %t, DISTANCE
  %q = getelementptr [32 x i32], ptr addrspace(3) @s, i32 0, i32 %n
  %v = load i32, ptr addrspace(3) %q, align 4
  %o = getelementptr i32, ptr addrspace(1) %x, i32 %t
  store i32 %v, ptr addrspace(1) %o, align 4
  ret void
})";
  for (Order order : allOrders)
    for (bool good : {true, false}) {
      Harness h(replaced(text, "DISTANCE", good ? "1" : "16"),
                Harness::Language::ir, Mode::checked, order);
      int *X = h.buffer(std::vector<int>(32), "X");
      ASSERT_EQ(h.launch("k", {1, 1, 1}, {32, 1, 1}, 0, X), "");
      EXPECT_EQ(h.runtime->findings().empty(), good) << h.report();
      EXPECT_EQ(h.kinds().count("shared_race") +
                        h.kinds().count("uninitialized_shared") >
                    0,
                !good);
    }
}

/// A producer warp hands over to a consumer warp through two named barriers.
TEST(Ops, NamedBarriersOrderProducerAndConsumer) {
  const char *text = R"(
@s = internal addrspace(3) global [32 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
define ptx_kernel void @k(ptr addrspace(1) %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %t, 31
  %p = getelementptr [32 x i32], ptr addrspace(3) @s, i32 0, i32 %lane
  %producer = icmp ult i32 %t, 32
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %next]
  br i1 %producer, label %produce, label %consume
produce:
  %v = add i32 %lane, %i
  store i32 %v, ptr addrspace(3) %p, align 4
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)
  EMPTYWAIT
  br label %next
consume:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %n = xor i32 %lane, 1
  %q = getelementptr [32 x i32], ptr addrspace(3) @s, i32 0, i32 %n
  %w = load i32, ptr addrspace(3) %q, align 4
  %o = getelementptr i32, ptr addrspace(1) %x, i32 %lane
  store i32 %w, ptr addrspace(1) %o, align 4
  EMPTYARRIVE
  br label %next
next:
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 3
  br i1 %more, label %loop, label %end
end:
  ret void
})";
  std::string good = replaced(
      replaced(text, "EMPTYWAIT",
               "call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 "
               "64)"),
      "EMPTYARRIVE",
      "call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 2, i32 64)");
  std::string bad =
      replaced(replaced(text, "EMPTYWAIT", ""), "EMPTYARRIVE", "");
  for (Order order : allOrders) {
    Harness h(good, Harness::Language::ir, Mode::checked, order);
    int *X = h.buffer(std::vector<int>(32), "X");
    ASSERT_EQ(h.launch("k", {1, 1, 1}, {64, 1, 1}, 0, X), "");
    EXPECT_EQ(h.report(), "");
    EXPECT_EQ(h.read(X, 32)[0], 3);
    Harness b(bad, Harness::Language::ir, Mode::checked, order);
    int *Y = b.buffer(std::vector<int>(32), "Y");
    (void)b.launch("k", {1, 1, 1}, {64, 1, 1}, 0, Y);
    EXPECT_FALSE(b.runtime->findings().empty());
  }
}

/// Each block writes its partial result; the last to count itself sums all up.
TEST(Ops, FencedAtomicsOrderBlocks) {
  const char *text = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.membar.gl()
define ptx_kernel void @k(ptr addrspace(1) %part, ptr addrspace(1) %count, ptr addrspace(1) %out) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %p = getelementptr i32, ptr addrspace(1) %part, i32 %b
  store i32 %b, ptr addrspace(1) %p, align 4
  FENCE
  ATOMIC
  %last = icmp eq i32 %old, 7
  br i1 %last, label %loop, label %end
loop:
  %i = phi i32 [0, %entry], [%i1, %loop]
  %s = phi i32 [0, %entry], [%s1, %loop]
  %q = getelementptr i32, ptr addrspace(1) %part, i32 %i
  %v = load i32, ptr addrspace(1) %q, align 4
  %s1 = add i32 %s, %v
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 8
  br i1 %more, label %loop, label %done
done:
  store i32 %s1, ptr addrspace(1) %out, align 4
  br label %end
end:
  ret void
})";
  std::string rmw = "%old = atomicrmw add ptr addrspace(1) %count, i32 1 "
                    "monotonic, align 4";
  for (Order order : allOrders)
    for (bool good : {true, false}) {
      Harness h(
          replaced(replaced(text, "FENCE",
                            good ? "call void @llvm.nvvm.membar.gl()" : ""),
                   "ATOMIC", rmw),
          Harness::Language::ir, Mode::checked, order);
      int *Part = h.buffer(std::vector<int>(8), "part");
      int *Count = h.buffer(std::vector<int>(1), "count");
      int *Out = h.buffer(std::vector<int>(1), "out");
      ASSERT_EQ(h.launch("k", {8, 1, 1}, {1, 1, 1}, 0, Part, Count, Out), "");
      EXPECT_EQ(h.read(Out, 1)[0], 28);
      EXPECT_EQ(h.kinds().count("global_race"), good ? 0u : 1u) << h.report();
    }
}

TEST(Ops, AsyncCopyFillsWithZeros) {
  Harness h(R"(
@s = internal addrspace(3) global [16 x i8] undef, align 16
declare void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.wait.all()
define ptx_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %n) {
  call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) @s, ptr addrspace(1) %x, i32 %n)
  call void @llvm.nvvm.cp.async.wait.all()
  %v = load <4 x i32>, ptr addrspace(3) @s, align 16
  store <4 x i32> %v, ptr addrspace(1) %y, align 16
  ret void
})",
            Harness::Language::ir, Mode::checked);
  int *X = h.buffer(std::vector<int>{1, 2, 3}, "X");
  int *Y = h.buffer(std::vector<int>(4, 9), "Y");
  ASSERT_EQ(h.launch("k", {1, 1, 1}, {1, 1, 1}, 0, X, Y, 12), "");
  EXPECT_EQ(h.read(Y, 4), (std::vector<int>{1, 2, 3, 0}));
  EXPECT_EQ(h.report(), "");
  // 16 source bytes leave the buffer of 12.
  ASSERT_EQ(h.launch("k", {1, 1, 1}, {1, 1, 1}, 0, X, Y, 16), "");
  EXPECT_TRUE(h.first(FindingKind::out_of_bounds)) << h.report();
}

TEST(Ops, MmaIntegers) {
  // A[i][k] = i + k, B[k][j] = k - j, packed four s8 a register.
  Harness h(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare {i32, i32, i32, i32} @llvm.nvvm.mma.m16n8k32.row.col.s8(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = mul i32 %t, 8
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %v = load <8 x i32>, ptr addrspace(1) %p, align 4
  %a0 = extractelement <8 x i32> %v, i32 0
  %a1 = extractelement <8 x i32> %v, i32 1
  %a2 = extractelement <8 x i32> %v, i32 2
  %a3 = extractelement <8 x i32> %v, i32 3
  %b0 = extractelement <8 x i32> %v, i32 4
  %b1 = extractelement <8 x i32> %v, i32 5
  %d = call {i32, i32, i32, i32} @llvm.nvvm.mma.m16n8k32.row.col.s8(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %b0, i32 %b1, i32 1, i32 1, i32 1, i32 1)
  %j = mul i32 %t, 4
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %j
  store {i32, i32, i32, i32} %d, ptr addrspace(1) %q, align 4
  ret void
})",
            Harness::Language::ir, Mode::checked);
  std::vector<uint32_t> in(256);
  auto pack = [](auto value) {
    uint32_t reg = 0;
    for (int e = 0; e < 4; ++e)
      reg |= uint32_t(uint8_t(int8_t(value(e)))) << 8 * e;
    return reg;
  };
  for (int t = 0; t < 32; ++t) {
    int g = t / 4, q = t % 4;
    for (int r = 0; r < 4; ++r)
      in[t * 8 + r] = pack(
          [&](int e) { return g + 8 * (r % 2) + q * 4 + e + 16 * (r / 2); });
    for (int r = 0; r < 2; ++r)
      in[t * 8 + 4 + r] = pack([&](int e) { return q * 4 + e + 16 * r - g; });
  }
  auto *In = h.buffer(in, "in");
  int *Out = h.buffer(std::vector<int>(128), "out");
  ASSERT_EQ(h.launch("k", {1, 1, 1}, {32, 1, 1}, 0, In, Out), "");
  std::vector<int> out = h.read(Out, 128);
  for (int t = 0; t < 32; ++t)
    for (int i = 0; i < 4; ++i) {
      int row = t / 4 + 8 * (i / 2), column = t % 4 * 2 + i % 2, sum = 1;
      for (int k = 0; k < 32; ++k)
        sum += (row + k) * (k - column);
      EXPECT_EQ(out[t * 4 + i], sum);
    }
  EXPECT_EQ(h.report(), "");
}

} // namespace
