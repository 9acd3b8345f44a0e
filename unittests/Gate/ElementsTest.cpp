//===- ElementsTest.cpp - Elements of host buffers, against APFloat
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Gate/Data.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace klineage;
using llvm::APFloat;

namespace {

HostBuffer bufferOf(const char *type, int64_t count) {
  HostBuffer buffer;
  buffer.type = type;
  buffer.shape = {count};
  buffer.bytes.resize(count * elementBytes(type));
  return buffer;
}

const llvm::fltSemantics &semanticsOf(llvm::StringRef type) {
  return type == "f16" ? APFloat::IEEEhalf() : APFloat::BFloat();
}

class Narrow : public ::testing::TestWithParam<const char *> {};

TEST_P(Narrow, EveryValueComesBack) {
  HostBuffer buffer = bufferOf(GetParam(), 1 << 16), again = buffer;
  for (int i = 0; i < 1 << 16; ++i) {
    uint16_t bits = i;
    std::memcpy(&buffer.bytes[2 * i], &bits, 2);
  }
  std::vector<double> values(1 << 16);
  buffer.read(0, 1 << 16, values.data());
  again.write(0, 1 << 16, values.data());
  EXPECT_EQ(firstDifferentBits(buffer, again), "");
}

TEST_P(Narrow, RoundsAsAPFloat) {
  HostBuffer buffer = bufferOf(GetParam(), 1);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-160, 160), part(-2, 2);
  for (int i = 0; i < 200000; ++i) {
    double value = std::ldexp(part(random), int(exponent(random)));
    buffer.set(0, value);
    APFloat expected(value);
    bool lossy;
    expected.convert(semanticsOf(GetParam()), APFloat::rmNearestTiesToEven,
                     &lossy);
    uint16_t bits;
    std::memcpy(&bits, buffer.bytes.data(), 2);
    ASSERT_EQ(bits, expected.bitcastToAPInt().getZExtValue()) << value;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Narrow, ::testing::Values("f16", "bf16"));

TEST(Elements, RangesAreWhole) {
  // More than one range, and a last one that is not full.
  HostBuffer from = bufferOf("f32", 2 * kElementsAtOnce + 7);
  fillInput(from, Fill::mixed, 3);
  HostBuffer to = bufferOf("f64", from.count());
  convert(from, to);
  for (int64_t i = 0; i < from.count(); ++i)
    ASSERT_EQ(from.get(i), to.get(i)) << i;
}

TEST(Elements, ComparesTheLastElement) {
  HostBuffer a = bufferOf("f32", kElementsAtOnce + 1), b = a;
  b.set(kElementsAtOnce, 1);
  EXPECT_FALSE(compare(a, b, 1e-3).equal);
  EXPECT_EQ(firstDifferentBits(a, b).substr(0, 13), "element 4096:");
}

TEST(Elements, NaNsAreEqualZerosAreNot) {
  HostBuffer a = bufferOf("f32", 2), b = a;
  a.set(0, NAN);
  b.set(0, -std::nan("7"));
  EXPECT_EQ(firstDifferentBits(a, b), "");
  b.set(1, -0.0);
  EXPECT_NE(firstDifferentBits(a, b), "");
}

} // namespace
