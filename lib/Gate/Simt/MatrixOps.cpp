//===- MatrixOps.cpp - ldmatrix, stmatrix, mma.sync
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <cstring>

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

/// Address of row `row` of matrix `matrix`, which lane 8 * matrix + row gives.
static char *rowAddress(WarpCall &call, unsigned matrix, unsigned row,
                        uint8_t flags) {
  unsigned lane = matrix * 8 + row;
  if (!(call.mask >> lane & 1))
    return nullptr;
  Thread &thread = *call.lanes[lane];
  return call.runner.access(thread, reinterpret_cast<char *>(thread.in[0]), 16,
                            flags);
}

void klineage::simt::runLdMatrix(WarpCall &call) {
  unsigned count = call.variant() & 15;
  bool trans = call.variant() >> 4 & 1;
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    uint16_t elements[8][8];
    std::memset(elements, poisonByte, sizeof(elements));
    for (unsigned row = 0; row < 8; ++row)
      if (char *address = rowAddress(call, matrix, row, accessRead))
        std::memcpy(elements[row], address, 16);
    call.forEach([&](unsigned lane, Thread &thread) {
      unsigned major = lane / 4, minor = lane % 4 * 2;
      uint32_t low = trans ? elements[minor][major] : elements[major][minor];
      uint32_t high =
          trans ? elements[minor + 1][major] : elements[major][minor + 1];
      thread.out[matrix] = low | high << 16;
    });
  }
}

void klineage::simt::runStMatrix(WarpCall &call) {
  unsigned count = call.variant() & 15;
  bool trans = call.variant() >> 4 & 1;
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    uint16_t elements[8][8];
    std::memset(elements, poisonByte, sizeof(elements));
    call.forEach([&](unsigned lane, Thread &thread) {
      unsigned major = lane / 4, minor = lane % 4 * 2;
      uint32_t pair = uint32_t(thread.in[1 + matrix]);
      (trans ? elements[minor][major] : elements[major][minor]) = pair;
      (trans ? elements[minor + 1][major] : elements[major][minor + 1]) =
          pair >> 16;
    });
    for (unsigned row = 0; row < 8; ++row)
      if (char *address = rowAddress(call, matrix, row, accessWrite))
        std::memcpy(address, elements[row], 16);
  }
}

static double toDouble(uint32_t bits, const fltSemantics &semantics,
                       unsigned width) {
  APFloat value(semantics, APInt(width, bits, false, /*implicitTrunc=*/true));
  bool lossy;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  return value.convertToDouble();
}

static uint32_t toHalf(double x) {
  APFloat value(x);
  bool lossy;
  value.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &lossy);
  return uint32_t(value.bitcastToAPInt().getZExtValue());
}

static double decode(MmaType type, uint32_t reg, unsigned element) {
  switch (type) {
  case MmaType::f16:
    return toDouble(reg >> 16 * element & 0xffff, APFloat::IEEEhalf(), 16);
  case MmaType::bf16:
    return toDouble(reg >> 16 * element & 0xffff, APFloat::BFloat(), 16);
  case MmaType::tf32: {
    // The tensor core ignores the 13 low bits of the fraction.
    uint32_t kept = reg & ~0x1fffu;
    float value;
    std::memcpy(&value, &kept, sizeof(value));
    return value;
  }
  case MmaType::s8:
    return int8_t(reg >> 8 * element);
  case MmaType::u8:
    return uint8_t(reg >> 8 * element);
  }
  return 0;
}

namespace {
/// The operands of one mma.sync as matrices. Sums of products of 8-bit
/// integers and of up to 32 products of 11-bit fractions fit a double.
struct Tile {
  double a[16][32] = {}, b[32][8] = {};
};
} // namespace

/// Fragment of register r in lane (g = lane / 4, t = lane % 4), e elements per
/// register: A rows g + 8 (r & 1), columns e t + 4 e (r / 2); B rows
/// e t + 4 e r, column g.
static void gather(WarpCall &call, const MmaShape &shape, Tile &tile) {
  unsigned perRegister = shape.a == MmaType::tf32                           ? 1
                         : shape.a == MmaType::s8 || shape.a == MmaType::u8 ? 4
                                                                            : 2;
  unsigned registersB = shape.k / (4 * perRegister);
  unsigned registersA = 2 * registersB;
  call.forEach([&](unsigned lane, Thread &thread) {
    unsigned group = lane / 4, base = lane % 4 * perRegister;
    for (unsigned r = 0; r < registersA; ++r)
      for (unsigned e = 0; e < perRegister; ++e)
        tile.a[group + 8 * (r & 1)][base + 4 * perRegister * (r >> 1) + e] =
            decode(shape.a, uint32_t(thread.in[r]), e);
    for (unsigned r = 0; r < registersB; ++r)
      for (unsigned e = 0; e < perRegister; ++e)
        tile.b[base + 4 * perRegister * r + e][group] =
            decode(shape.b, uint32_t(thread.in[registersA + r]), e);
  });
}

static unsigned accumulatorIndex(const MmaShape &shape) {
  unsigned perRegister = shape.a == MmaType::tf32                           ? 1
                         : shape.a == MmaType::s8 || shape.a == MmaType::u8 ? 4
                                                                            : 2;
  return 3 * (shape.k / (4 * perRegister));
}

static uint32_t accumulateInt(uint32_t c, double sum, bool saturate) {
  int64_t exact = int64_t(int32_t(c)) + int64_t(sum);
  if (saturate)
    exact = std::min<int64_t>(INT32_MAX, std::max<int64_t>(INT32_MIN, exact));
  return uint32_t(exact);
}

static uint32_t accumulateFloat(uint32_t c, double sum) {
  float value;
  std::memcpy(&value, &c, sizeof(value));
  value = float(double(value) + sum);
  std::memcpy(&c, &value, sizeof(value));
  return c;
}

/// Products are exact and their sum with C is rounded once: what hardware does
/// differs in the last bits and by architecture (docs/numerics.md).
void klineage::simt::runMma(WarpCall &call) {
  MmaShape shape = MmaShape::decode(call.variant());
  Tile tile;
  gather(call, shape, tile);
  unsigned first = accumulatorIndex(shape);
  bool isInt = shape.a == MmaType::s8 || shape.a == MmaType::u8;
  call.forEach([&](unsigned lane, Thread &thread) {
    for (unsigned i = 0; i < 4; ++i) {
      unsigned row = lane / 4 + 8 * (i >> 1), column = lane % 4 * 2 + (i & 1);
      double sum = 0;
      for (unsigned k = 0; k < shape.k; ++k)
        sum += tile.a[row][k] * tile.b[k][column];
      if (shape.halfAccumulator) {
        unsigned shift = 16 * (i & 1);
        uint32_t c = uint32_t(thread.in[first + i / 2]) >> shift & 0xffff;
        uint64_t d = toHalf(toDouble(c, APFloat::IEEEhalf(), 16) + sum);
        uint64_t &out = thread.out[i / 2];
        out = (i & 1 ? out & 0xffff : 0) | d << shift;
        continue;
      }
      uint32_t c = uint32_t(thread.in[first + i]);
      thread.out[i] = isInt ? accumulateInt(c, sum, shape.saturate)
                            : accumulateFloat(c, sum);
    }
  });
}
