//===- TableTest.cpp - The parser and the table of inline PTX
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Ptx/Table.h"
#include "llvm/IR/Intrinsics.h"
#include "gtest/gtest.h"

using namespace klineage::ptx;

/// Constant arguments have the value 16.
static std::optional<int64_t> sixteen(unsigned) { return 16; }
static std::optional<int64_t> unknown(unsigned) { return std::nullopt; }

static std::string matchText(llvm::StringRef text, llvm::StringRef constraints,
                             ConstantArgument constant = sixteen) {
  auto match = matchInlineAsm(text, constraints, constant);
  return match ? "ok " + match->row->intrinsic
               : llvm::toString(match.takeError());
}

namespace {
struct Case {
  const char *text, *constraints, *expected;
};
} // namespace

static const Case good[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {$0,$1,$2,$3}, "
     "{$4,$5,$6,$7}, {$8,$9}, {$0,$1,$2,$3};\n",
     "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3",
     "ok llvm.nvvm.mma.m16n8k16.row.col.bf16"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0,$1,$2,$3}, "
     "{$4,$5,$6,$7}, {$8,$9}, {$10,$11,$12,$13};",
     "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f",
     "ok llvm.nvvm.mma.m16n8k16.row.col.f32.f32"},
    {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {$0,$1,$2,$3}, "
     "{$4,$5}, {$6}, {$7,$8,$9,$10};",
     "=f,=f,=f,=f,r,r,r,f,f,f,f", "ok llvm.nvvm.mma.m16n8k4.row.col.tf32"},
    {"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {$0,$1,$2,$3}, "
     "{$4,$5,$6,$7}, {$8,$9}, {$0,$1,$2,$3};",
     "=r,=r,=r,=r,r,r,r,r,r,r,0,1,2,3",
     "ok llvm.nvvm.mma.m16n8k32.row.col.satfinite.s8.u8"},
    {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {$0,$1,$2,$3}, [$4];",
     "=r,=r,=r,=r,r,~{memory}",
     "ok llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16"},
    {"stmatrix.sync.aligned.m8n8.x2.shared::cta.b16 [$0], {$1, $2};", "l,r,r",
     "ok llvm.nvvm.stmatrix.sync.aligned.m8n8.x2.b16"},
    {"cp.async.cg.shared.global [$0], [$1], 16;", "r,l",
     "ok llvm.nvvm.cp.async.cg.shared.global.16"},
    {"cp.async.ca.shared.global.L2::128B [$0], [$1], $2, $3;", "r,l,n,r",
     "ok llvm.nvvm.cp.async.ca.shared.global.16.s"},
    {"{\n .reg .pred p;\n setp.ne.b32 p, $0, 0;\n @p cp.async.cg.shared.global "
     "[$1], [$2], 16;\n}\n",
     "r,r,l", "ok llvm.nvvm.cp.async.cg.shared.global.16"},
    {"cp.async.wait_group $0;", "n", "ok llvm.nvvm.cp.async.wait.group"},
    {"bar.sync $0, $1; // all roles", "r,r,~{memory}",
     "ok llvm.nvvm.barrier.cta.sync.aligned.count"},
    {"shfl.sync.bfly.b32 $0, $1, $2, 0x1f, 0xffffffff;", "=f,f,r",
     "ok llvm.nvvm.shfl.sync.bfly.i32"},
    {"dp4a.s32.u32 $0, $1, $2, $3;", "=r,r,r,r", "ok llvm.nvvm.idp4a.s.u"},
    {"cvt.rn.bf16x2.f32 $0, $1, $2;", "=r,f,f", "ok "},
    {"ld.global.nc.L1::no_allocate.v4.f32 {$0,$1,$2,$3}, [$4 + 16];",
     "=f,=f,=f,=f,l", "ok "},
    {"mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r", "ok "},
    {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
     "bytes [$0], [$1, {$3, $4}], [$2];",
     "r,l,r,r,r,~{memory}", "ok "},
    {"{ .reg .pred p; setp.ne.b32 p, $6, 0; "
     "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0,$1,$2,$3}, $4, "
     "$5, p, 1, 1, 0, 0; }",
     "=f,=f,=f,=f,l,l,r,0,1,2,3", "ok "},
    {"{ .reg .pred p; setp.ne.b32 p, $6, 0; "
     "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0,$1,$2,$3}, $4, "
     "$5, p, 1, 1; }",
     "=f,=f,=f,=f,l,l,n,0,1,2,3", "ok "},
    {"{ .reg .pred p;\nWAIT_${:uid}:\n "
     "mbarrier.try_wait.parity.shared::cta.b64 "
     "p, [$0], $1;\n @p bra DONE_${:uid};\n bra "
     "WAIT_${:uid};\nDONE_${:uid}:\n}",
     "r,r,~{memory}", "ok "},
    {"{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [$0], $1; @!p "
     "bra L; }",
     "r,r", "ok "},
    {"{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [$1], $2; "
     "selp.b32 $0, 1, 0, p; }",
     "=r,r,r", "ok "},
    {"/* nothing to say */ fence.proxy.async;", "",
     "ok llvm.nvvm.fence.proxy.async"},
};

static const Case bad[] = {
    // Constraint letters.
    {"cp.async.cg.shared.global [$0], [$1], 16;", "r,r",
     "cp.async.cg.shared.global: operand 2: expected an address, l, found an "
     "argument of constraint r"},
    {"dp4a.s32.s32 $0, $1, $2, $3;", "=r,r,f,r",
     "dp4a.s32.s32: operand 3: expected an argument of constraint r, found an "
     "argument of constraint f"},
    {"dp4a.s32.s32 $0, $1, $2, $3;", "=f,r,r,r",
     "dp4a.s32.s32: operand 1: expected a result of constraint r, found a "
     "result of constraint f"},
    {"cvt.f32.bf16 $0, $1;", "=f,w",
     "cvt.f32.bf16: constraint 'w' is not one of NVPTX"},
    // Order and number of operands.
    {"dp4a.s32.s32 $1, $0, $2, $3;", "=r,r,r,r",
     "dp4a.s32.s32: operand 1: expected a result of constraint r, found an "
     "argument of constraint r"},
    {"dp4a.s32.s32 $0, $1, $2;", "=r,r,r",
     "dp4a.s32.s32: expected 4 operands, found 3"},
    {"dp4a.s32.s32 $0, $1, $2, $3, $3;", "=r,r,r,r",
     "dp4a.s32.s32: expected 4 operands, found 5"},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0,$1}, [$2];", "=r,=r,r",
     "ldmatrix.sync.aligned.m8n8.x4.shared.b16: operand 1: expected 4 "
     "registers, found 2"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, $1;", "=r,r",
     "ldmatrix.sync.aligned.m8n8.x1.shared.b16: operand 2: expected an address "
     "in [ ], found an argument of constraint r"},
    {"cp.async.cg.shared.global [$0], [$1], 8;", "r,l",
     "cp.async.cg.shared.global: operand 3: expected the number 16, found the "
     "number 8"},
    {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
     "bytes [$0], [$1, {$3}], [$2];",
     "r,l,r,r",
     "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
     "bytes: operand 2: expected 2 coordinates, found 1"},
    // Results.
    {"cp.async.commit_group;", "=r",
     "cp.async.commit_group: result $0 is never written"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {$0,$1,$2,$3}, "
     "{$4,$5}, {$6}, {$0,$1,$2,$3};",
     "=f,=f,=f,=f,r,r,r",
     "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32: $0 is read, and no "
     "constraint gives it a value"},
    {"{ .reg .pred p; setp.ne.b32 p, $6, 0; "
     "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0,$1,$2,$3}, $4, "
     "$5, p, 1, 1, 0, 0; }",
     "=f,=f,=f,=f,l,l,r",
     "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16: the accumulators "
     "need a '+' constraint"},
    {"{ .reg .pred p; setp.ne.b32 p, $1, 0; @p cvt.f32.bf16 $0, $2; }",
     "=f,r,h", "cvt.f32.bf16: a guarded instruction with results"},
    // Text that is not well formed.
    {"", "", ": no instruction"},
    {"cp.async.wait_group $3;", "n",
     "cp.async.wait_group: $3 has no constraint"},
    {"cp.async.wait_group $;", "n",
     "cp.async.wait_group: '$' without a number"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0, [$1];", "=r,r",
     "ldmatrix.sync.aligned.m8n8.x1.shared.b16: '[$1]' is no operand that is "
     "understood"},
    {"cvt.f32.bf16 $0 $1;", "=f,h", "cvt.f32.bf16: expected ',', found '$1'"},
    {"{ cvt.f32.bf16 $0, $1;", "=f,h",
     "cvt.f32.bf16: '{' has no '}' at the end"},
    {"@p cp.async.commit_group;", "",
     "cp.async.commit_group: '@p' is no predicate that has a value"},
    {"{ .reg .pred p; cp.async.commit_group; }", "",
     "cp.async.commit_group: the predicate 'p' gets no value"},
    {"{ .reg .pred p; setp.lt.b32 p, $0, 0; @p cp.async.commit_group; }", "r",
     "cp.async.commit_group: 'setp.lt.b32' is no test against zero"},
    {"bar.sync 0; bar.sync 1;", "",
     "bar.sync: more than one instruction: 'bar.sync' and 'bar.sync'"},
    {"dp4a.s32.s32 $0, $1, $2, $3;", "r,=r,r,r",
     "dp4a.s32.s32: a result follows an argument"},
    {"dp4a.s32.s32 $0, $1, $2, $3;", "=r,r,r,4",
     "dp4a.s32.s32: constraint '4' names no result of the asm"},
    // Unknown instructions keep their name.
    {"tanh.approx.f32 $0, $1;", "=f,f",
     "tanh.approx.f32: not in the table of inline PTX"},
    // Loops and predicates that are not understood.
    {"{ .reg .pred p; LAB: mbarrier.try_wait.parity.shared.b64 p, [$0], $1; "
     "@p bra LAB; }",
     "r,r",
     "mbarrier.try_wait.parity.shared.b64: the label 'LAB': of loops only "
     "those "
     "are understood that wait for the predicate of the instruction"},
    {"{ .reg .pred p; LAB: mbarrier.try_wait.parity.shared.b64 p, [$0], $1; "
     "@p bra DONE; bra DONE; DONE: }",
     "r,r",
     "mbarrier.try_wait.parity.shared.b64: the label 'LAB': of loops only "
     "those "
     "are understood that wait for the predicate of the instruction"},
    {"{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [$0], $1; }",
     "r,r",
     "mbarrier.try_wait.parity.shared.b64: nothing is done with the predicate "
     "'p'"},
    {"{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [$1], $2; "
     "selp.b32 $0, 0, 1, p; }",
     "=r,r,r",
     "mbarrier.try_wait.parity.shared.b64: expected '1', found '0, 1, p'"},
    {"{ .reg .pred p; dp4a.s32.s32 p, $0, $1, $2; selp.b32 $0, 1, 0, p; }",
     "=r,r,r", "dp4a.s32.s32: $0 is read, and no constraint gives it a value"},
    {"{ .reg .pred p; setp.ne.b32 p, $1, 0; dp4a.s32.s32 $0, p, $1, $2; }",
     "=r,r,r", "dp4a.s32.s32: operand 2: expected no predicate"},
    {"{ .reg .pred p; setp.ne.b32 p, $0, 0; @p cp.async.commit_group; }", "n",
     "cp.async.commit_group: the guard 'p' tests no argument in a register"},
};

TEST(PtxTable, MatchesWellFormedAsm) {
  for (const Case &c : good)
    EXPECT_EQ(matchText(c.text, c.constraints), c.expected) << c.text;
}

TEST(PtxTable, RefusesOthersWithTheReason) {
  for (const Case &c : bad)
    EXPECT_EQ(matchText(c.text, c.constraints), c.expected) << c.text;
}

TEST(PtxTable, ConstantArgumentsMustBeConstant) {
  EXPECT_EQ(matchText("cp.async.wait_group $0;", "n", unknown),
            "cp.async.wait_group: $0 has constraint n and is no constant");
}

TEST(PtxTable, TiedResultsAreReadFromTheirArgument) {
  auto match =
      matchInlineAsm("dp4a.s32.s32 $0, $1, $2, $0;", "=r,r,r,0", sixteen);
  ASSERT_TRUE(bool(match));
  const Slot &sum = match->operand(3).slots.front();
  EXPECT_EQ(sum.kind, Slot::input);
  EXPECT_EQ(sum.index, 2u);
}

TEST(PtxTable, GuardsNameTheirArgument) {
  auto match = matchInlineAsm("{ .reg .pred q; setp.eq.u32 q, $2, 0; @!q "
                              "cp.async.ca.shared.global [$0], [$1], 4; }",
                              "r,l,r", sixteen);
  ASSERT_TRUE(bool(match));
  ASSERT_TRUE(match->statement.guard.has_value());
  EXPECT_EQ(match->statement.guard->index, 2u);
  EXPECT_FALSE(match->statement.guard->negated); // Not (x == 0).
}

TEST(PtxTable, IntrinsicsExistAndRowsAreSorted) {
  const Row *last = nullptr;
  for (const Row &row : table()) {
    if (!row.intrinsic.empty())
      EXPECT_NE(llvm::Intrinsic::lookupIntrinsicID(row.intrinsic),
                llvm::Intrinsic::not_intrinsic)
          << row.intrinsic;
    if (last)
      EXPECT_LE(last->opcode, row.opcode);
    last = &row;
  }
  EXPECT_GT(table().size(), 500u);
}
