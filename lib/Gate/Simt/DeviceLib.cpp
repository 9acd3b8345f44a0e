//===- DeviceLib.cpp - libdevice and libm functions of compiled kernels
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceLib.h"
#include "DeviceMap.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include <cmath>
#include <cstring>

using namespace klineage::simt;
using namespace llvm;

namespace {

int signbit32(float x) { return std::signbit(x); }
int signbit64(double x) { return std::signbit(x); }
int isnan32(float x) { return std::isnan(x); }
int isnan64(double x) { return std::isnan(x); }
int isinf32(float x) { return std::isinf(x); }
int isinf64(double x) { return std::isinf(x); }
int finite32(float x) { return std::isfinite(x); }
int finite64(double x) { return std::isfinite(x); }

/// The PTX minimum and maximum: one NaN is dropped, -0 is below +0.
template <typename T> T orderedMax(T x, T y) {
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) ? y : x;
  if (x == y)
    return std::signbit(x) ? y : x;
  return x > y ? x : y;
}
template <typename T> T orderedMin(T x, T y) { return -orderedMax<T>(-x, -y); }

/// A 16-bit float travels in the low bits of a vector register, and so does
/// this. No host compiler needs to know such types.
float narrow(double x, const fltSemantics &semantics) {
  APFloat value(x);
  bool lossy;
  value.convert(semantics, APFloat::rmNearestTiesToEven, &lossy);
  uint32_t bits = uint32_t(value.bitcastToAPInt().getZExtValue());
  float result;
  std::memcpy(&result, &bits, sizeof(bits));
  return result;
}
float f32ToHalf(float x) { return narrow(x, APFloat::IEEEhalf()); }
float f64ToHalf(double x) { return narrow(x, APFloat::IEEEhalf()); }
float f32ToBfloat(float x) { return narrow(x, APFloat::BFloat()); }
float f64ToBfloat(double x) { return narrow(x, APFloat::BFloat()); }
float halfToF32(float x) {
  uint16_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  APFloat value(APFloat::IEEEhalf(), APInt(16, bits));
  bool lossy;
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lossy);
  return value.convertToFloat();
}

// Functions whose libm names are the libdevice names without "__nv_": f64 as
// written, f32 with an "f" behind.
// clang-format off: it does not settle on a layout for lists of macros.
#define KLINEAGE_SAME_NAME_1(X)                                                \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos)    \
  X(cosh) X(erf) X(erfc) X(exp) X(exp2) X(expm1) X(fabs) X(floor) X(lgamma)    \
  X(log) X(log10) X(log1p) X(log2) X(logb) X(nearbyint) X(rint) X(round)       \
  X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define KLINEAGE_SAME_NAME_2(X)                                                \
  X(atan2) X(copysign) X(fdim) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)
// clang-format on

DeviceMap buildDeviceMap() {
  DeviceMap map;
  addExactFunctions(map);
  addRoundedFunctions(map);
  addSpecialFunctions(map);
#define UNARY(NAME)                                                            \
  map["__nv_" #NAME] = addressOf<double(double)>(::NAME);                      \
  map["__nv_" #NAME "f"] = addressOf<float(float)>(::NAME##f);
#define BINARY(NAME)                                                           \
  map["__nv_" #NAME] = addressOf<double(double, double)>(::NAME);              \
  map["__nv_" #NAME "f"] = addressOf<float(float, float)>(::NAME##f);
  KLINEAGE_SAME_NAME_1(UNARY)
  KLINEAGE_SAME_NAME_2(BINARY)
#undef UNARY
#undef BINARY
  for (const char *name : {"exp", "log", "log2", "log10", "sin", "cos", "tan"})
    map[(Twine("__nv_fast_") + name + "f").str()] =
        map.lookup((Twine("__nv_") + name + "f").str());
  map["__nv_fast_powf"] = map.lookup("__nv_powf");
  map["__nv_fast_tanhf"] = map.lookup("__nv_tanhf");
  const std::pair<const char *, void *> others[] = {
      {"__nv_fast_exp10f", map.lookup("__nv_exp10f")},
      {"__nv_signbitf", addressOf(signbit32)},
      {"__nv_signbitd", addressOf(signbit64)},
      {"__nv_isnanf", addressOf(isnan32)},
      {"__nv_isnand", addressOf(isnan64)},
      {"__nv_isinff", addressOf(isinf32)},
      {"__nv_isinfd", addressOf(isinf64)},
      {"__nv_finitef", addressOf(finite32)},
      {"__nv_isfinited", addressOf(finite64)},
      {"__nv_fmaxf", addressOf(orderedMax<float>)},
      {"__nv_fmax", addressOf(orderedMax<double>)},
      {"__nv_fminf", addressOf(orderedMin<float>)},
      {"__nv_fmin", addressOf(orderedMin<double>)},
      {"__nv_fmaf", addressOf<float(float, float, float)>(::fmaf)},
      {"__nv_fma", addressOf<double(double, double, double)>(::fma)}};
  for (auto [name, function] : others)
    map[name] = function;
  return map;
}

} // namespace

void *klineage::simt::lookupDeviceFunction(StringRef name) {
  static const DeviceMap map = buildDeviceMap();
  return map.lookup(name);
}

std::vector<std::pair<StringRef, void *>> klineage::simt::codegenSymbols() {
  std::vector<std::pair<StringRef, void *>> symbols;
#define UNARY(NAME)                                                            \
  symbols.push_back({#NAME, addressOf<double(double)>(::NAME)});               \
  symbols.push_back({#NAME "f", addressOf<float(float)>(::NAME##f)});
#define BINARY(NAME)                                                           \
  symbols.push_back({#NAME, addressOf<double(double, double)>(::NAME)});       \
  symbols.push_back({#NAME "f", addressOf<float(float, float)>(::NAME##f)});
  KLINEAGE_SAME_NAME_1(UNARY)
  KLINEAGE_SAME_NAME_2(BINARY)
#undef UNARY
#undef BINARY
  const std::pair<StringRef, void *> others[] = {
      // The rounding mode is never changed, so it is ties to even.
      {"roundeven", addressOf<double(double)>(::nearbyint)},
      {"roundevenf", addressOf<float(float)>(::nearbyintf)},
      {"exp10", lookupDeviceFunction("__nv_exp10")},
      {"exp10f", lookupDeviceFunction("__nv_exp10f")},
      {"fma", addressOf<double(double, double, double)>(::fma)},
      {"fmaf", addressOf<float(float, float, float)>(::fmaf)},
      {"fmax", addressOf(orderedMax<double>)},
      {"fmaxf", addressOf(orderedMax<float>)},
      {"fmin", addressOf(orderedMin<double>)},
      {"fminf", addressOf(orderedMin<float>)},
      {"ldexp", addressOf<double(double, int)>(::ldexp)},
      {"ldexpf", addressOf<float(float, int)>(::ldexpf)},
      {"memcpy", addressOf<void *(void *, const void *, size_t)>(::memcpy)},
      {"memmove", addressOf<void *(void *, const void *, size_t)>(::memmove)},
      {"memset", addressOf(::memset)},
      // Conversions, for a CPU without instructions for them.
      {"__truncsfhf2", addressOf(f32ToHalf)},
      {"__truncdfhf2", addressOf(f64ToHalf)},
      {"__truncsfbf2", addressOf(f32ToBfloat)},
      {"__truncdfbf2", addressOf(f64ToBfloat)},
      {"__extendhfsf2", addressOf(halfToF32)}};
  symbols.insert(symbols.end(), std::begin(others), std::end(others));
  return symbols;
}
