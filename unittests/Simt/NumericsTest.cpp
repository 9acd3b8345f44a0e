//===- NumericsTest.cpp - docs/numerics.md against the executor and against PTX
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Gate/Simt/DeviceLib.h"
#include "Harness.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <cstring>

using namespace klineage;
using namespace klineage::simt;
using namespace klineage::simt::test;

namespace {

using Row = std::vector<std::string>;

/// The rows of the first table behind `heading` in docs/numerics.md, without
/// the header.
std::vector<Row> readTable(llvm::StringRef heading) {
  auto file =
      llvm::MemoryBuffer::getFile(KLINEAGE_SOURCE_DIR "/docs/numerics.md");
  if (!file) {
    ADD_FAILURE() << "cannot read docs/numerics.md";
    return {};
  }
  llvm::StringRef text = (*file)->getBuffer();
  size_t at = text.find(("\n" + heading + "\n").str());
  EXPECT_NE(at, llvm::StringRef::npos) << heading.str();
  text = text.substr(text.find("\n|---", at) + 1);
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  std::vector<Row> rows;
  for (llvm::StringRef line : llvm::drop_begin(lines)) {
    if (!line.consume_front("|"))
      break;
    llvm::SmallVector<llvm::StringRef> cells;
    line.rtrim().drop_back().split(cells, '|');
    Row row;
    for (llvm::StringRef cell : cells)
      row.push_back(cell.trim(" *`").str());
    rows.push_back(row);
  }
  return rows;
}

uint32_t bitsOf(const std::string &name) {
  float value = name == "NaN"    ? std::nanf("")
                : name == "+inf" ? INFINITY
                : name == "-inf" ? -INFINITY
                : name == "+0"   ? 0.0f
                : name == "-0"   ? -0.0f
                : name == "1"    ? 1.0f
                                 : 1e-40f;
  EXPECT_TRUE(name != "tiny" || value != 0) << "subnormals are flushed";
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

bool isNaN(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

/// out[t] = operation(in[2 t], in[2 t + 1])
std::string binaryKernel(const std::string &intrinsic) {
  return replaced(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @OP(float, float)
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = mul i32 %t, 2
  %p = getelementptr float, ptr addrspace(1) %in, i32 %i
  %q = getelementptr float, ptr addrspace(1) %p, i32 1
  %x = load float, ptr addrspace(1) %p, align 4
  %y = load float, ptr addrspace(1) %q, align 4
  %r = call float @OP(float %x, float %y)
  %o = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %r, ptr addrspace(1) %o, align 4
  ret void
})",
                  "OP", intrinsic);
}

struct MinMax {
  const char *heading, *intrinsic, *ptx;
};

class MinMaxTable : public testing::TestWithParam<MinMax> {};

TEST_P(MinMaxTable, ExecutorAgrees) {
  std::vector<Row> rows = readTable(GetParam().heading);
  ASSERT_EQ(rows.size(), 7u);
  std::vector<uint32_t> in;
  for (const Row &row : rows)
    for (const Row &column : rows) {
      in.push_back(bitsOf(row[0]));
      in.push_back(bitsOf(column[0]));
    }
  for (Mode mode : {Mode::fast, Mode::checked}) {
    Harness h(binaryKernel(GetParam().intrinsic), Harness::Language::ir, mode);
    auto *In = h.buffer(in, "in");
    auto *Out = h.buffer(std::vector<uint32_t>(49), "out");
    ASSERT_EQ(h.launch("k", {1, 1, 1}, {49, 1, 1}, 0, In, Out), "");
    std::vector<uint32_t> out = h.read(Out, 49);
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < 7; ++j) {
        uint32_t expected = bitsOf(rows[i][j + 1]), got = out[i * 7 + j];
        EXPECT_TRUE(isNaN(expected) ? isNaN(got) : expected == got)
            << rows[i][0] << ", " << rows[j][0] << ": table " << rows[i][j + 1]
            << ", executor 0x" << llvm::utohexstr(got);
      }
  }
}

TEST_P(MinMaxTable, PtxIsTheInstructionOfTheTable) {
  llvm::LLVMContext context;
  auto module =
      llvm::cantFail(parseIr(binaryKernel(GetParam().intrinsic), context));
  auto ptx = emitPtx(*module);
  ASSERT_TRUE(bool(ptx)) << llvm::toString(ptx.takeError());
  EXPECT_NE(ptx->find(std::string("\t") + GetParam().ptx + " "),
            std::string::npos)
      << *ptx;
}

INSTANTIATE_TEST_SUITE_P(
    Numerics, MinMaxTable,
    testing::Values(MinMax{"### maximumf", "llvm.maximum.f32", "max.NaN.f32"},
                    MinMax{"### maxnumf", "llvm.maxnum.f32", "max.f32"},
                    MinMax{"### minimumf", "llvm.minimum.f32", "min.NaN.f32"},
                    MinMax{"### minnumf", "llvm.minnum.f32", "min.f32"}),
    [](const testing::TestParamInfo<MinMax> &info) {
      return std::string(info.param.heading).substr(4);
    });

TEST(Numerics, Conversions) {
  const char *text = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %x = load float, ptr addrspace(1) %p, align 4
  %h = fptrunc float %x to half
  %b = fptrunc float %x to bfloat
  %i = mul i32 %t, 2
  %o = getelementptr half, ptr addrspace(1) %out, i32 %i
  store half %h, ptr addrspace(1) %o, align 2
  %q = getelementptr half, ptr addrspace(1) %o, i32 1
  store bfloat %b, ptr addrspace(1) %q, align 2
  ret void
})";
  std::vector<Row> rows = readTable("## f32 to f16 and bf16");
  ASSERT_GT(rows.size(), 10u);
  std::vector<uint32_t> in;
  for (const Row &row : rows)
    in.push_back(std::stoul(row[0], nullptr, 16));
  Harness h(text, Harness::Language::ir, Mode::fast);
  auto *In = h.buffer(in, "in");
  auto *Out = h.buffer(std::vector<uint16_t>(2 * in.size()), "out");
  unsigned threads = in.size();
  ASSERT_EQ(h.launch("k", {1, 1, 1}, {threads, 1, 1}, 0, In, Out), "");
  std::vector<uint16_t> out = h.read(Out, 2 * in.size());
  for (size_t i = 0; i < rows.size(); ++i)
    for (int column : {0, 1}) {
      const std::string &expected = rows[i][2 + column];
      uint16_t got = out[2 * i + column];
      uint16_t exponent = column ? 0x7f80 : 0x7c00;
      if (expected == "NaN")
        EXPECT_GT(got & 0x7fff, exponent) << rows[i][1];
      else
        EXPECT_EQ(got, std::stoul(expected, nullptr, 16)) << rows[i][1];
    }
  std::string ptx = llvm::cantFail(emitPtx(*h.module));
  EXPECT_NE(ptx.find("cvt.rn.f16.f32"), std::string::npos);
  EXPECT_NE(ptx.find("cvt.rn.bf16.f32"), std::string::npos) << ptx;
}

/// What a CPU without conversion instructions calls.
TEST(Numerics, ConversionFunctionsOfTheRuntime) {
  std::map<std::string, float (*)(float)> functions;
  for (auto [name, address] : codegenSymbols())
    functions[name.str()] = reinterpret_cast<float (*)(float)>(address);
  for (const Row &row : readTable("## f32 to f16 and bf16"))
    for (int column : {0, 1}) {
      const std::string &expected = row[2 + column];
      uint32_t in = std::stoul(row[0], nullptr, 16), out = 0;
      float x;
      std::memcpy(&x, &in, 4);
      x = functions.at(column ? "__truncsfbf2" : "__truncsfhf2")(x);
      std::memcpy(&out, &x, 4);
      if (expected == "NaN")
        EXPECT_GT(out & 0x7fff, column ? 0x7f80u : 0x7c00u) << row[1];
      else
        EXPECT_EQ(out, std::stoul(expected, nullptr, 16)) << row[1];
    }
}

/// %r of two floats %x and %y, on the executor and in PTX.
std::pair<float, std::string> evaluate(const std::string &body, float x,
                                       float y) {
  Harness h(R"(
declare float @llvm.nvvm.mul.rn.f(float, float)
declare float @llvm.nvvm.add.rn.f(float, float)
define ptx_kernel void @k(ptr addrspace(1) %out, float %x, float %y) {
)" + body + R"(
  store float %r, ptr addrspace(1) %out, align 4
  ret void
})",
            Harness::Language::ir, Mode::fast);
  float *Out = h.buffer(std::vector<float>(1), "out");
  EXPECT_EQ(h.launch("k", {1, 1, 1}, {1, 1, 1}, 0, Out, x, y), "");
  return {h.read(Out, 1)[0], llvm::cantFail(emitPtx(*h.module))};
}

const float factor = 1 + 0x1p-12f, square = 1 + 0x1p-11f;

TEST(Numerics, ProductsAreContracted) {
  auto [value, ptx] = evaluate(
      "%p = fmul float %x, %x\n %r = fsub float %p, %y", factor, square);
  EXPECT_EQ(value, 0x1p-24f);
  EXPECT_NE(ptx.find("fma.rn.f32"), std::string::npos) << ptx;
}

/// The product has two uses: x86 alone would not fuse it, NVPTX does.
TEST(Numerics, ProductsWithSeveralUsesAreContracted) {
  auto [value, ptx] = evaluate(R"(%p = fmul float %x, %x
  %d = fsub float %p, %y
  %e = fsub float %y, %p
  %r = fsub float %d, %e)",
                               factor, square);
  EXPECT_EQ(value, 0x1p-23f);
  EXPECT_EQ(llvm::StringRef(ptx).count("fma.rn.f32"), 2u) << ptx;
}

TEST(Numerics, OfTwoProductsTheLeftOneIsFused) {
  // x x is rounded in the one case and exact in the other.
  auto [value, ptx] = evaluate(R"(%p = fmul float %x, %x
  %q = fmul float %y, -1.0
  %r = fadd float %p, %q)",
                               factor, square);
  EXPECT_EQ(value, 0x1p-24f);
  EXPECT_NE(ptx.find("fma.rn.f32"), std::string::npos);
}

TEST(Numerics, RoundedProductsAreNot) {
  auto [value, ptx] = evaluate(R"(
  %p = call float @llvm.nvvm.mul.rn.f(float %x, float %x)
  %m = fneg float %y
  %r = call float @llvm.nvvm.add.rn.f(float %p, float %m))",
                               factor, square);
  EXPECT_EQ(value, 0.0f);
  EXPECT_EQ(ptx.find("fma"), std::string::npos) << ptx;
}

TEST(Numerics, SubnormalsAreKept) {
  auto [value, ptx] = evaluate("%r = fmul float %x, %y", 1e-20f, 1e-20f);
  EXPECT_NE(value, 0.0f);
  EXPECT_EQ(ptx.find(".ftz"), std::string::npos);
}

} // namespace
