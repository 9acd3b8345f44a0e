//===- DeviceRounded.cpp - Functions of libdevice that name a rounding mode
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceMap.h"
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

using namespace klineage::simt;

namespace {

struct RoundingScope {
  explicit RoundingScope(int mode) : old(std::fegetround()) {
    std::fesetround(mode);
  }
  ~RoundingScope() { std::fesetround(old); }
  int old;
};

/// `op` of operands that the compiler must read after the mode is set, to a
/// result that it must write before it is set back.
template <int mode, typename Result, typename Op, typename... Operands>
Result rounded(Op op, Operands... operands) {
  return [op](volatile Operands... late) -> Result {
    RoundingScope scope(mode);
    volatile Result result = op(late...);
    return result;
  }(operands...);
}

template <int mode, typename T> T sum(T x, T y) {
  return rounded<mode, T>([](T a, T b) { return a + b; }, x, y);
}
template <int mode, typename T> T difference(T x, T y) {
  return rounded<mode, T>([](T a, T b) { return a - b; }, x, y);
}
template <int mode, typename T> T product(T x, T y) {
  return rounded<mode, T>([](T a, T b) { return a * b; }, x, y);
}
template <int mode, typename T> T quotient(T x, T y) {
  return rounded<mode, T>([](T a, T b) { return a / b; }, x, y);
}
template <int mode, typename T> T reciprocal(T x) {
  return quotient<mode, T>(T(1), x);
}
template <int mode, typename T> T root(T x) {
  return rounded<mode, T>([](T a) { return std::sqrt(a); }, x);
}
template <int mode, typename T> T multiplyAdd(T x, T y, T z) {
  return rounded<mode, T>([](T a, T b, T c) { return std::fma(a, b, c); }, x, y,
                          z);
}
/// Every integer is a long double, so this rounds once; so does a double.
template <int mode, typename To, typename From> To convert(From x) {
  return rounded<mode, To>([](long double wide) { return To(wide); },
                           static_cast<long double>(x));
}

template <int mode, typename T> T integral(T x) {
  switch (mode) {
  case FE_DOWNWARD:
    return std::floor(x);
  case FE_UPWARD:
    return std::ceil(x);
  case FE_TOWARDZERO:
    return std::trunc(x);
  default:
    return std::nearbyint(x);
  }
}

/// PTX's cvt: out of range is the nearest integer of the type, and NaN is zero
/// where both sides have 32 bits.
template <typename To, typename From> To saturate(From x) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(x))
    return sizeof(From) == 4 && sizeof(To) == 4
               ? To(0)
               : To(uint64_t(1) << (8 * sizeof(To) - 1));
  if (x >= std::ldexp(From(1), Limits::digits))
    return Limits::max();
  if (x <= From(Limits::min()))
    return Limits::min();
  return To(x);
}
template <int mode, typename To, typename From> To toInteger(From x) {
  return saturate<To>(integral<mode>(x));
}
template <typename From> int64_t roundAway(From x) {
  return saturate<int64_t>(std::round(x));
}
float reciprocalRoot(float x) { return float(1.0L / sqrtl(x)); }

} // namespace

#define IN_ALL_MODES(NAME, FUNCTION, ...)                                      \
  map["__nv_" NAME "_rn"] = addressOf(FUNCTION<FE_TONEAREST, __VA_ARGS__>);    \
  map["__nv_" NAME "_rz"] = addressOf(FUNCTION<FE_TOWARDZERO, __VA_ARGS__>);   \
  map["__nv_" NAME "_rd"] = addressOf(FUNCTION<FE_DOWNWARD, __VA_ARGS__>);     \
  map["__nv_" NAME "_ru"] = addressOf(FUNCTION<FE_UPWARD, __VA_ARGS__>)

static void addConversions(DeviceMap &map) {
  IN_ALL_MODES("int2float", convert, float, int32_t);
  IN_ALL_MODES("uint2float", convert, float, uint32_t);
  IN_ALL_MODES("ll2float", convert, float, int64_t);
  IN_ALL_MODES("ull2float", convert, float, uint64_t);
  IN_ALL_MODES("ll2double", convert, double, int64_t);
  IN_ALL_MODES("ull2double", convert, double, uint64_t);
  IN_ALL_MODES("double2float", convert, float, double);
  map["__nv_int2double_rn"] = addressOf(convert<FE_TONEAREST, double, int32_t>);
  map["__nv_uint2double_rn"] =
      addressOf(convert<FE_TONEAREST, double, uint32_t>);
  IN_ALL_MODES("float2int", toInteger, int32_t, float);
  IN_ALL_MODES("float2uint", toInteger, uint32_t, float);
  IN_ALL_MODES("float2ll", toInteger, int64_t, float);
  IN_ALL_MODES("float2ull", toInteger, uint64_t, float);
  IN_ALL_MODES("double2int", toInteger, int32_t, double);
  IN_ALL_MODES("double2uint", toInteger, uint32_t, double);
  IN_ALL_MODES("double2ll", toInteger, int64_t, double);
  IN_ALL_MODES("double2ull", toInteger, uint64_t, double);
  map["__nv_llrintf"] = addressOf(toInteger<FE_TONEAREST, int64_t, float>);
  map["__nv_llrint"] = addressOf(toInteger<FE_TONEAREST, int64_t, double>);
  map["__nv_llroundf"] = addressOf(roundAway<float>);
  map["__nv_llround"] = addressOf(roundAway<double>);
}

void klineage::simt::addRoundedFunctions(DeviceMap &map) {
  addConversions(map);
  IN_ALL_MODES("fadd", sum, float);
  IN_ALL_MODES("dadd", sum, double);
  IN_ALL_MODES("fsub", difference, float);
  IN_ALL_MODES("dsub", difference, double);
  IN_ALL_MODES("fmul", product, float);
  IN_ALL_MODES("dmul", product, double);
  IN_ALL_MODES("fdiv", quotient, float);
  IN_ALL_MODES("ddiv", quotient, double);
  IN_ALL_MODES("frcp", reciprocal, float);
  IN_ALL_MODES("drcp", reciprocal, double);
  IN_ALL_MODES("fsqrt", root, float);
  IN_ALL_MODES("dsqrt", root, double);
  IN_ALL_MODES("fmaf", multiplyAdd, float);
  IN_ALL_MODES("fmaf_ieee", multiplyAdd, float);
  IN_ALL_MODES("fma", multiplyAdd, double);
  map["__nv_frsqrt_rn"] = addressOf(reciprocalRoot);
}
