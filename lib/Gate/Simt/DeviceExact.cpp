//===- DeviceExact.cpp - Functions of libdevice on bits and integers
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceMap.h"
#include "llvm/ADT/APFloat.h"
#include <cstdint>
#include <cstring>

using namespace klineage::simt;
using namespace llvm;

namespace {

template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

int32_t highWord(double x) { return int32_t(bitCast<uint64_t>(x) >> 32); }
int32_t lowWord(double x) { return int32_t(bitCast<uint64_t>(x)); }
double fromWords(int32_t high, int32_t low) {
  return bitCast<double>(uint64_t(uint32_t(high)) << 32 | uint32_t(low));
}

// A 16-bit parameter arrives with anything in its upper half.
float halfToFloat(uint32_t bits) {
  APFloat value(APFloat::IEEEhalf(), APInt(16, bits & 0xffff));
  bool lossy;
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lossy);
  return value.convertToFloat();
}
uint32_t floatToHalf(float x) {
  APFloat value(x);
  bool lossy;
  value.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &lossy);
  return uint32_t(value.bitcastToAPInt().getZExtValue());
}

template <typename T> T absolute(T x) {
  using Unsigned = std::make_unsigned_t<T>;
  return x < 0 ? T(Unsigned(0) - Unsigned(x)) : x;
}
template <typename T> T smaller(T x, T y) { return x < y ? x : y; }
template <typename T> T larger(T x, T y) { return x > y ? x : y; }

int32_t popcount32(uint32_t x) { return __builtin_popcount(x); }
int32_t popcount64(uint64_t x) { return __builtin_popcountll(x); }
int32_t leadingZeros32(uint32_t x) { return x ? __builtin_clz(x) : 32; }
int32_t leadingZeros64(uint64_t x) { return x ? __builtin_clzll(x) : 64; }
int32_t firstSet32(uint32_t x) { return x ? __builtin_ctz(x) + 1 : 0; }
int32_t firstSet64(uint64_t x) { return x ? __builtin_ctzll(x) + 1 : 0; }

template <typename T> T bitsReversed(T x) {
  T result = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i)
    result = T(result << 1) | T(x >> i & 1);
  return result;
}

template <typename T, typename Wide> T highProduct(T x, T y) {
  return T((Wide(x) * Wide(y)) >> (8 * sizeof(T)));
}
int64_t highProduct64(int64_t x, int64_t y) {
  return highProduct<int64_t, __int128>(x, y);
}
uint64_t unsignedHighProduct64(uint64_t x, uint64_t y) {
  return highProduct<uint64_t, unsigned __int128>(x, y);
}
int32_t signed24(int32_t x) { return int32_t(uint32_t(x) << 8) >> 8; }
int32_t product24(int32_t x, int32_t y) {
  return int32_t(uint32_t(signed24(x)) * uint32_t(signed24(y)));
}
uint32_t unsignedProduct24(uint32_t x, uint32_t y) {
  return (x & 0xffffff) * (y & 0xffffff);
}

/// The mean, rounded down or up, of numbers whose sum may not fit.
template <typename T, int up> T mean(T x, T y) {
  return T((int64_t(x) + int64_t(y) + up) >> 1);
}
template <typename T> uint32_t sumOfDifference(T x, T y, uint32_t z) {
  return uint32_t(x < y ? uint32_t(y) - uint32_t(x)
                        : uint32_t(x) - uint32_t(y)) +
         z;
}

/// Each nibble of `selector` picks one of eight bytes.
uint32_t permuteBytes(uint32_t x, uint32_t y, uint32_t selector) {
  uint64_t bytes = uint64_t(y) << 32 | x;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i)
    result |= uint32_t(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
  return result;
}

} // namespace

static void addBits(DeviceMap &map) {
  map["__nv_float_as_int"] = addressOf(bitCast<int32_t, float>);
  map["__nv_float_as_uint"] = addressOf(bitCast<uint32_t, float>);
  map["__nv_int_as_float"] = addressOf(bitCast<float, int32_t>);
  map["__nv_uint_as_float"] = addressOf(bitCast<float, uint32_t>);
  map["__nv_double_as_longlong"] = addressOf(bitCast<int64_t, double>);
  map["__nv_longlong_as_double"] = addressOf(bitCast<double, int64_t>);
  map["__nv_double2hiint"] = addressOf(highWord);
  map["__nv_double2loint"] = addressOf(lowWord);
  map["__nv_hiloint2double"] = addressOf(fromWords);
  map["__nv_half2float"] = addressOf(halfToFloat);
  map["__nv_float2half_rn"] = addressOf(floatToHalf);
}

void klineage::simt::addExactFunctions(DeviceMap &map) {
  addBits(map);
  map["__nv_abs"] = addressOf(absolute<int32_t>);
  map["__nv_llabs"] = addressOf(absolute<int64_t>);
  map["__nv_min"] = addressOf(smaller<int32_t>);
  map["__nv_umin"] = addressOf(smaller<uint32_t>);
  map["__nv_llmin"] = addressOf(smaller<int64_t>);
  map["__nv_ullmin"] = addressOf(smaller<uint64_t>);
  map["__nv_max"] = addressOf(larger<int32_t>);
  map["__nv_umax"] = addressOf(larger<uint32_t>);
  map["__nv_llmax"] = addressOf(larger<int64_t>);
  map["__nv_ullmax"] = addressOf(larger<uint64_t>);
  map["__nv_popc"] = addressOf(popcount32);
  map["__nv_popcll"] = addressOf(popcount64);
  map["__nv_clz"] = addressOf(leadingZeros32);
  map["__nv_clzll"] = addressOf(leadingZeros64);
  map["__nv_ffs"] = addressOf(firstSet32);
  map["__nv_ffsll"] = addressOf(firstSet64);
  map["__nv_brev"] = addressOf(bitsReversed<uint32_t>);
  map["__nv_brevll"] = addressOf(bitsReversed<uint64_t>);
  map["__nv_byte_perm"] = addressOf(permuteBytes);
  map["__nv_mulhi"] = addressOf(highProduct<int32_t, int64_t>);
  map["__nv_umulhi"] = addressOf(highProduct<uint32_t, uint64_t>);
  map["__nv_mul64hi"] = addressOf(highProduct64);
  map["__nv_umul64hi"] = addressOf(unsignedHighProduct64);
  map["__nv_mul24"] = addressOf(product24);
  map["__nv_umul24"] = addressOf(unsignedProduct24);
  map["__nv_hadd"] = addressOf(mean<int32_t, 0>);
  map["__nv_rhadd"] = addressOf(mean<int32_t, 1>);
  map["__nv_uhadd"] = addressOf(mean<uint32_t, 0>);
  map["__nv_urhadd"] = addressOf(mean<uint32_t, 1>);
  map["__nv_sad"] = addressOf(sumOfDifference<int32_t>);
  map["__nv_usad"] = addressOf(sumOfDifference<uint32_t>);
}
