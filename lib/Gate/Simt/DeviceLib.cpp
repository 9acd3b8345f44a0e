//===- DeviceLib.cpp - libdevice and libm functions of compiled kernels
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceLib.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include <cmath>
#include <cstring>

using namespace klineage::simt;
using namespace llvm;

namespace {

float rsqrt32(float x) { return 1.0f / std::sqrt(x); }
double rsqrt64(double x) { return 1.0 / std::sqrt(x); }
float rcbrt32(float x) { return 1.0f / std::cbrt(x); }
double rcbrt64(double x) { return 1.0 / std::cbrt(x); }
float normcdf32(float x) { return float(0.5 * std::erfc(-x * M_SQRT1_2)); }
double normcdf64(double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }
float exp10F32(float x) { return float(std::pow(10.0, double(x))); }
double exp10F64(double x) { return std::pow(10.0, x); }
float sinpi32(float x) { return float(std::sin(M_PI * std::fmod(x, 2.0f))); }
double sinpi64(double x) { return std::sin(M_PI * std::fmod(x, 2.0)); }
float cospi32(float x) { return float(std::cos(M_PI * std::fmod(x, 2.0f))); }
double cospi64(double x) { return std::cos(M_PI * std::fmod(x, 2.0)); }
float fdivide32(float x, float y) { return x / y; }
float saturate32(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
int signbit32(float x) { return std::signbit(x); }
int signbit64(double x) { return std::signbit(x); }
int isnan32(float x) { return std::isnan(x); }
int isnan64(double x) { return std::isnan(x); }
int isinf32(float x) { return std::isinf(x); }
int isinf64(double x) { return std::isinf(x); }
int finite32(float x) { return std::isfinite(x); }
int finite64(double x) { return std::isfinite(x); }
int abs32(int x) { return x < 0 ? int(0u - unsigned(x)) : x; }
int min32(int x, int y) { return x < y ? x : y; }
int max32(int x, int y) { return x > y ? x : y; }
unsigned umin32(unsigned x, unsigned y) { return x < y ? x : y; }
unsigned umax32(unsigned x, unsigned y) { return x > y ? x : y; }
int popc32(unsigned x) { return __builtin_popcount(x); }
int clz32(unsigned x) { return x ? __builtin_clz(x) : 32; }

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

using Map = StringMap<void *>;

template <typename F> void *address(F *function) {
  return reinterpret_cast<void *>(function);
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

Map buildDeviceMap() {
  Map map;
#define UNARY(NAME)                                                            \
  map["__nv_" #NAME] = address<double(double)>(::NAME);                        \
  map["__nv_" #NAME "f"] = address<float(float)>(::NAME##f);
#define BINARY(NAME)                                                           \
  map["__nv_" #NAME] = address<double(double, double)>(::NAME);                \
  map["__nv_" #NAME "f"] = address<float(float, float)>(::NAME##f);
  KLINEAGE_SAME_NAME_1(UNARY)
  KLINEAGE_SAME_NAME_2(BINARY)
#undef UNARY
#undef BINARY
  for (const char *name : {"exp", "log", "log2", "log10", "sin", "cos", "tan"})
    map[(Twine("__nv_fast_") + name + "f").str()] =
        map.lookup((Twine("__nv_") + name + "f").str());
  map["__nv_fast_powf"] = map.lookup("__nv_powf");
  const std::pair<const char *, void *> others[] = {
      {"__nv_rsqrtf", address(rsqrt32)},
      {"__nv_rsqrt", address(rsqrt64)},
      {"__nv_rcbrtf", address(rcbrt32)},
      {"__nv_rcbrt", address(rcbrt64)},
      {"__nv_normcdff", address(normcdf32)},
      {"__nv_normcdf", address(normcdf64)},
      {"__nv_exp10f", address(exp10F32)},
      {"__nv_exp10", address(exp10F64)},
      {"__nv_fast_exp10f", address(exp10F32)},
      {"__nv_sinpif", address(sinpi32)},
      {"__nv_sinpi", address(sinpi64)},
      {"__nv_cospif", address(cospi32)},
      {"__nv_cospi", address(cospi64)},
      {"__nv_fdividef", address(fdivide32)},
      {"__nv_fast_fdividef", address(fdivide32)},
      {"__nv_saturatef", address(saturate32)},
      {"__nv_signbitf", address(signbit32)},
      {"__nv_signbitd", address(signbit64)},
      {"__nv_isnanf", address(isnan32)},
      {"__nv_isnand", address(isnan64)},
      {"__nv_isinff", address(isinf32)},
      {"__nv_isinfd", address(isinf64)},
      {"__nv_finitef", address(finite32)},
      {"__nv_isfinited", address(finite64)},
      {"__nv_fmaxf", address(orderedMax<float>)},
      {"__nv_fmax", address(orderedMax<double>)},
      {"__nv_fminf", address(orderedMin<float>)},
      {"__nv_fmin", address(orderedMin<double>)},
      {"__nv_fmaf", address<float(float, float, float)>(::fmaf)},
      {"__nv_fma", address<double(double, double, double)>(::fma)},
      {"__nv_ldexpf", address<float(float, int)>(::ldexpf)},
      {"__nv_ldexp", address<double(double, int)>(::ldexp)},
      {"__nv_abs", address(abs32)},
      {"__nv_min", address(min32)},
      {"__nv_max", address(max32)},
      {"__nv_umin", address(umin32)},
      {"__nv_umax", address(umax32)},
      {"__nv_popc", address(popc32)},
      {"__nv_clz", address(clz32)}};
  for (auto [name, function] : others)
    map[name] = function;
  return map;
}

} // namespace

void *klineage::simt::lookupDeviceFunction(StringRef name) {
  static const Map map = buildDeviceMap();
  return map.lookup(name);
}

std::vector<std::pair<StringRef, void *>> klineage::simt::codegenSymbols() {
  std::vector<std::pair<StringRef, void *>> symbols;
#define UNARY(NAME)                                                            \
  symbols.push_back({#NAME, address<double(double)>(::NAME)});                 \
  symbols.push_back({#NAME "f", address<float(float)>(::NAME##f)});
#define BINARY(NAME)                                                           \
  symbols.push_back({#NAME, address<double(double, double)>(::NAME)});         \
  symbols.push_back({#NAME "f", address<float(float, float)>(::NAME##f)});
  KLINEAGE_SAME_NAME_1(UNARY)
  KLINEAGE_SAME_NAME_2(BINARY)
#undef UNARY
#undef BINARY
  const std::pair<StringRef, void *> others[] = {
      // The rounding mode is never changed, so it is ties to even.
      {"roundeven", address<double(double)>(::nearbyint)},
      {"roundevenf", address<float(float)>(::nearbyintf)},
      {"exp10", address(exp10F64)},
      {"exp10f", address(exp10F32)},
      {"fma", address<double(double, double, double)>(::fma)},
      {"fmaf", address<float(float, float, float)>(::fmaf)},
      {"fmax", address(orderedMax<double>)},
      {"fmaxf", address(orderedMax<float>)},
      {"fmin", address(orderedMin<double>)},
      {"fminf", address(orderedMin<float>)},
      {"ldexp", address<double(double, int)>(::ldexp)},
      {"ldexpf", address<float(float, int)>(::ldexpf)},
      {"memcpy", address<void *(void *, const void *, size_t)>(::memcpy)},
      {"memmove", address<void *(void *, const void *, size_t)>(::memmove)},
      {"memset", address(::memset)},
      // Conversions, for a CPU without instructions for them.
      {"__truncsfhf2", address(f32ToHalf)},
      {"__truncdfhf2", address(f64ToHalf)},
      {"__truncsfbf2", address(f32ToBfloat)},
      {"__truncdfbf2", address(f64ToBfloat)},
      {"__extendhfsf2", address(halfToF32)}};
  symbols.insert(symbols.end(), std::begin(others), std::end(others));
  return symbols;
}
