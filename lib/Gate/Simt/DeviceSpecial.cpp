//===- DeviceSpecial.cpp - Functions of libdevice that libm has not
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceMap.h"
#include <cmath>
#include <cstdint>
#include <cstring>

using namespace klineage::simt;

namespace {

double reciprocalRoot(double x) { return 1.0 / std::sqrt(x); }
double reciprocalCubeRoot(double x) { return 1.0 / std::cbrt(x); }
double normalCdf(double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }
double powerOfTen(double x) { return std::pow(10.0, x); }
double sineOfPi(double x) { return std::sin(M_PI * std::fmod(x, 2.0)); }
double cosineOfPi(double x) { return std::cos(M_PI * std::fmod(x, 2.0)); }
double besselI0(double x) { return std::cyl_bessel_i(0.0, std::fabs(x)); }
double besselI1(double x) {
  return std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x);
}

/// exp(x * x) * erfc(x); the factors overflow and vanish long before the
/// product does, which is 1 / (x * sqrt(pi)) times a series then.
double scaledErfc(double x) {
  if (!(x > 20))
    return std::exp(x * x) * std::erfc(x);
  double square = 1 / (2 * x * x);
  return (1 - square + 3 * square * square - 15 * square * square * square) /
         (x * std::sqrt(M_PI));
}

/// The x of erfc(x) = y: a start from the tail's leading term, then Newton
/// steps on log(erfc), which is nearly quadratic where erfc itself is flat.
double inverseErfc(double y) {
  if (!(y > 0 && y < 2))
    return y == 0 ? HUGE_VAL : y == 2 ? -HUGE_VAL : std::nan("");
  if (y > 1)
    return -inverseErfc(2 - y);
  double x = y > 0.5 ? (1 - y) * std::sqrt(M_PI) / 2
                     : std::sqrt(-std::log(y * std::sqrt(-std::log(y) + 1)));
  for (int i = 0; i < 30; ++i) {
    double value = std::erfc(x);
    double slope = -2 / std::sqrt(M_PI) * std::exp(-x * x);
    double step = value * (std::log(value) - std::log(y)) / slope;
    x -= step;
    if (std::fabs(step) <= 1e-16 * std::fabs(x))
      break;
  }
  return x;
}
double inverseErf(double y) {
  if (!(std::fabs(y) < 0.5))
    return std::copysign(inverseErfc(1 - std::fabs(y)), y);
  double x = y * std::sqrt(M_PI) / 2;
  for (int i = 0; i < 30 && x != 0; ++i) {
    double step = (std::erf(x) - y) / (2 / std::sqrt(M_PI) * std::exp(-x * x));
    x -= step;
    if (std::fabs(step) <= 1e-17 * std::fabs(x))
      break;
  }
  return x;
}
double inverseNormalCdf(double y) { return -M_SQRT2 * inverseErfc(2 * y); }

double norm3(double x, double y, double z) { return std::hypot(x, y, z); }
double norm4(double x, double y, double z, double w) {
  return std::hypot(std::hypot(x, y), std::hypot(z, w));
}
double reciprocalHypot(double x, double y) { return 1 / std::hypot(x, y); }
double rnorm3(double x, double y, double z) { return 1 / norm3(x, y, z); }
double rnorm4(double x, double y, double z, double w) {
  return 1 / norm4(x, y, z, w);
}

double power(double x, int n) {
  double result = 1;
  for (uint32_t left = n < 0 ? 0u - uint32_t(n) : uint32_t(n); left;
       left /= 2) {
    if (left % 2)
      result *= x;
    x *= x;
  }
  return n < 0 ? 1 / result : result;
}

double frexpFraction(double x) {
  int exponent;
  return std::frexp(x, &exponent);
}
int frexpExponent(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::isfinite(x) ? exponent : 0;
}
double modfFraction(double x) {
  double whole;
  return std::modf(x, &whole);
}
template <typename T> int remquoQuotient(T x, T y) {
  int quotient = 0;
  std::remquo(x, y, &quotient);
  return quotient;
}
/// The upper half of the reciprocal; the lower one is zero.
double reciprocalHigh(double x) {
  double value = 1 / x;
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  bits &= ~uint64_t(0xffffffff);
  std::memcpy(&value, &bits, sizeof(bits));
  return value;
}

/// The f32 function is the f64 one, rounded.
template <double (*function)(double)> float narrow1(float x) {
  return float(function(x));
}
template <double (*function)(double, double)> float narrow2(float x, float y) {
  return float(function(x, y));
}
template <double (*function)(double, double, double)>
float narrow3(float x, float y, float z) {
  return float(function(x, y, z));
}
template <double (*function)(double, double, double, double)>
float narrow4(float x, float y, float z, float w) {
  return float(function(x, y, z, w));
}
float power32(float x, int n) { return float(power(x, n)); }
int frexpExponent32(float x) { return frexpExponent(x); }
float fdivide(float x, float y) { return x / y; }
float clampToOne(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

} // namespace

static void addLibm(DeviceMap &map) {
  map["__nv_ilogb"] = addressOf<int(double)>(::ilogb);
  map["__nv_ilogbf"] = addressOf<int(float)>(::ilogbf);
  map["__nv_ldexp"] = addressOf<double(double, int)>(::ldexp);
  map["__nv_ldexpf"] = addressOf<float(float, int)>(::ldexpf);
  map["__nv_scalbn"] = addressOf<double(double, int)>(::scalbn);
  map["__nv_scalbnf"] = addressOf<float(float, int)>(::scalbnf);
  map["__nv_j0"] = addressOf<double(double)>(::j0);
  map["__nv_j1"] = addressOf<double(double)>(::j1);
  map["__nv_y0"] = addressOf<double(double)>(::y0);
  map["__nv_y1"] = addressOf<double(double)>(::y1);
  map["__nv_jn"] = addressOf<double(int, double)>(::jn);
  map["__nv_yn"] = addressOf<double(int, double)>(::yn);
  map["__nv_j0f"] = addressOf<float(float)>(::j0f);
  map["__nv_j1f"] = addressOf<float(float)>(::j1f);
  map["__nv_y0f"] = addressOf<float(float)>(::y0f);
  map["__nv_y1f"] = addressOf<float(float)>(::y1f);
  map["__nv_jnf"] = addressOf<float(int, float)>(::jnf);
  map["__nv_ynf"] = addressOf<float(int, float)>(::ynf);
}

void klineage::simt::addSpecialFunctions(DeviceMap &map) {
  addLibm(map);
#define BOTH(NAME, NARROW, FUNCTION)                                           \
  map["__nv_" NAME] = addressOf(FUNCTION);                                     \
  map["__nv_" NAME "f"] = addressOf(NARROW<FUNCTION>)
  BOTH("rsqrt", narrow1, reciprocalRoot);
  BOTH("rcbrt", narrow1, reciprocalCubeRoot);
  BOTH("normcdf", narrow1, normalCdf);
  BOTH("normcdfinv", narrow1, inverseNormalCdf);
  BOTH("exp10", narrow1, powerOfTen);
  BOTH("sinpi", narrow1, sineOfPi);
  BOTH("cospi", narrow1, cosineOfPi);
  BOTH("cyl_bessel_i0", narrow1, besselI0);
  BOTH("cyl_bessel_i1", narrow1, besselI1);
  BOTH("erfcx", narrow1, scaledErfc);
  BOTH("erfcinv", narrow1, inverseErfc);
  BOTH("erfinv", narrow1, inverseErf);
  BOTH("rhypot", narrow2, reciprocalHypot);
  BOTH("norm3d", narrow3, norm3);
  BOTH("norm4d", narrow4, norm4);
  BOTH("rnorm3d", narrow3, rnorm3);
  BOTH("rnorm4d", narrow4, rnorm4);
#undef BOTH
  map["__nv_powi"] = addressOf(power);
  map["__nv_powif"] = addressOf(power32);
  map["__nv_rcp64h"] = addressOf(reciprocalHigh);
  map["__nv_fdividef"] = addressOf(fdivide);
  map["__nv_fast_fdividef"] = addressOf(fdivide);
  map["__nv_saturatef"] = addressOf(clampToOne);
  // Halves of functions that give two results (DeviceCalls.cpp).
  map["__nv_frexp.fraction"] = addressOf(frexpFraction);
  map["__nv_frexpf.fraction"] = addressOf(narrow1<frexpFraction>);
  map["__nv_frexp.exponent"] = addressOf(frexpExponent);
  map["__nv_frexpf.exponent"] = addressOf(frexpExponent32);
  map["__nv_modf.fraction"] = addressOf(modfFraction);
  map["__nv_modff.fraction"] = addressOf(narrow1<modfFraction>);
  map["__nv_remquo.quotient"] = addressOf(remquoQuotient<double>);
  map["__nv_remquof.quotient"] = addressOf(remquoQuotient<float>);
}
