//===- KernelTest.cpp - Good kernels: right results, no findings, any order
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "Kernels.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <numeric>

using namespace klineage;
using namespace klineage::simt;
using namespace klineage::simt::test;

namespace {

std::vector<float> pattern(size_t count, unsigned salt) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = float(int((i * 2654435761u + salt) >> 8 & 255) - 128) / 64.0f;
  return values;
}

struct Run {
  Mode mode;
  Order order;
};

class Kernels : public testing::TestWithParam<Run> {
protected:
  Harness make(const char *text) {
    return Harness(text, Harness::Language::mlir, GetParam().mode,
                   GetParam().order, 7);
  }
};

void matmulIs64(Harness &h, llvm::StringRef kernel) {
  std::vector<float> a = pattern(4096, 1), b = pattern(4096, 2);
  float *A = h.buffer(a, "A"), *B = h.buffer(b, "B");
  float *C = h.buffer(std::vector<float>(4096), "C");
  ASSERT_EQ(h.launch(kernel, {4, 4, 1}, {16, 16, 1}, 0, A, B, C), "");
  std::vector<float> c = h.read(C, 4096);
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) {
      float sum = 0;
      for (int k = 0; k < 64; ++k)
        sum = std::fma(a[i * 64 + k], b[k * 64 + j], sum);
      ASSERT_EQ(c[i * 64 + j], sum) << i << ", " << j;
    }
  EXPECT_EQ(h.report(), "");
  EXPECT_FALSE(bool(h.runtime->synchronize()));
}

TEST_P(Kernels, NaiveMatmul) {
  Harness h = make(naiveMatmul);
  matmulIs64(h, "naive");
}

TEST_P(Kernels, TiledMatmul) {
  Harness h = make(tiledMatmul);
  matmulIs64(h, "tiled");
}

TEST_P(Kernels, BlockReduce) {
  Harness h = make(blockReduce);
  std::vector<float> x = pattern(1024, 3);
  float *X = h.buffer(x, "X"), *Y = h.buffer(std::vector<float>(4), "Y");
  ASSERT_EQ(h.launch("reduce", {4, 1, 1}, {256, 1, 1}, 0, X, Y), "");
  std::vector<float> y = h.read(Y, 4);
  for (int block = 0; block < 4; ++block) {
    double sum = 0;
    for (int i = 0; i < 256; ++i)
      sum += std::exp(double(x[block * 256 + i]));
    EXPECT_NEAR(y[block], sum, 1e-6 * sum);
  }
  EXPECT_EQ(h.report(), "");
}

uint16_t half(float x) {
  llvm::APFloat value(x);
  bool lossy;
  value.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven,
                &lossy);
  return value.bitcastToAPInt().getZExtValue();
}

TEST_P(Kernels, TensorCore) {
  Harness h = make(tensorCore);
  std::vector<float> a = pattern(256, 4), b = pattern(128, 5);
  std::vector<uint16_t> ha, hb;
  for (float x : a)
    ha.push_back(half(x));
  for (float x : b)
    hb.push_back(half(x));
  auto *A = h.buffer(ha, "A"), *B = h.buffer(hb, "B");
  float *D = h.buffer(std::vector<float>(128), "D");
  ASSERT_EQ(h.launch("mma", {1, 1, 1}, {32, 1, 1}, 0, A, B, D), "");
  std::vector<float> d = h.read(D, 128);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      double sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += double(a[i * 16 + k]) * b[k * 8 + j];
      EXPECT_EQ(d[i * 8 + j], float(sum)) << i << ", " << j;
    }
  EXPECT_EQ(h.report(), "");
}

TEST_P(Kernels, Histogram) {
  Harness h = make(histogram);
  std::vector<int> x(512), expected(16);
  for (int i = 0; i < 512; ++i)
    ++expected[(x[i] = i * i + 3 * i) % 16];
  int *X = h.buffer(x, "X"), *H = h.buffer(std::vector<int>(16), "H");
  ASSERT_EQ(h.launch("histogram", {4, 1, 1}, {128, 1, 1}, 0, X, H), "");
  EXPECT_EQ(h.read(H, 16), expected);
  EXPECT_EQ(h.report(), "");
}

TEST_P(Kernels, DynamicShared) {
  Harness h = make(dynamicShared);
  std::vector<float> x = pattern(128, 6);
  float *X = h.buffer(x, "X"), *Y = h.buffer(std::vector<float>(128), "Y");
  ASSERT_EQ(h.launch("reverse", {1, 1, 1}, {128, 1, 1}, 512, X, Y), "");
  std::vector<float> y = h.read(Y, 128);
  EXPECT_TRUE(std::equal(x.rbegin(), x.rend(), y.begin()));
  EXPECT_EQ(h.report(), "");
}

TEST_P(Kernels, ZeroExtentGridDoesNothing) {
  Harness h = make(naiveMatmul);
  float *null = nullptr;
  EXPECT_EQ(h.launch("naive", {0, 4, 1}, {16, 16, 1}, 0, null, null, null), "");
  EXPECT_EQ(h.launch("naive", {4, 4, 0}, {16, 16, 1}, 0, null, null, null), "");
  EXPECT_EQ(h.report(), "");
}

std::string nameOf(const testing::TestParamInfo<Run> &info) {
  static const char *const orders[] = {"Forward", "Reverse", "Random"};
  return std::string(info.param.mode == Mode::fast ? "Fast" : "Checked") +
         orders[int(info.param.order)];
}

INSTANTIATE_TEST_SUITE_P(Modes, Kernels,
                         testing::Values(Run{Mode::fast, Order::forward},
                                         Run{Mode::fast, Order::reverse},
                                         Run{Mode::fast, Order::random},
                                         Run{Mode::checked, Order::forward},
                                         Run{Mode::checked, Order::reverse},
                                         Run{Mode::checked, Order::random}),
                         nameOf);

} // namespace
