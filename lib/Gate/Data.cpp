//===- Data.cpp - Buffers of the gate: inputs, tolerance, comparison
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Data.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace klineage;
using llvm::StringRef;

/// Values in [-2, 2) that use all bits of the type's significand: a narrower
/// type cannot hold them.
static int64_t finestGrid(StringRef type) {
  return llvm::StringSwitch<int64_t>(type)
      .Case("f64", int64_t(1) << 51)
      .Case("f32", int64_t(1) << 22)
      .Case("f16", int64_t(1) << 9)
      .Default(int64_t(1) << 6);
}

void klineage::fillInput(HostBuffer &buffer, Fill fill, uint64_t seed) {
  static const double specials[] = {0.0, -0.0, INFINITY, -INFINITY, 1.0, -1.0};
  bool isFloat = StringRef(buffer.type).contains('f');
  // Coarse values tie and cancel, fine ones cannot be narrowed.
  bool coarse = fill == Fill::tiny || fill == Fill::far;
  int64_t grid = coarse ? 64 : finestGrid(buffer.type);
  uint64_t state = seed * 0x9E3779B97F4A7C15ull + 1;
  auto next = [&] {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    double value = double(int64_t(state % (4 * grid)) - 2 * grid) / grid;
    if (!isFloat)
      value = double(int64_t(state % 15) - 7);
    // Beside them the epsilon of a norm counts.
    if (fill == Fill::tiny && isFloat)
      value /= 256;
    // Far from zero, the neutral element of sums: exp() of them is nothing.
    if (fill == Fill::far)
      value = isFloat ? -128 - 64 * std::fabs(value) : -std::fabs(value) - 1;
    bool special = fill == Fill::special || fill == Fill::nan;
    if (special && isFloat && state % 11 == 0)
      value = specials[state / 11 % 6];
    if (fill == Fill::nan && isFloat && state % 13 == 0)
      value = NAN;
    return value;
  };
  std::vector<double> values(kElementsAtOnce);
  forEachRange(buffer.count(), [&](int64_t begin, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      values[i] = next();
    buffer.write(begin, count, values.data());
    return true;
  });
}

double klineage::unitOf(StringRef type) {
  return llvm::StringSwitch<double>(type)
      .Case("f64", 0x1p-52)
      .Case("f32", 0x1p-23)
      .Case("f16", 0x1p-10)
      .Case("bf16", 0x1p-7)
      .Default(0);
}

double klineage::toleranceOf(Numerics numerics, StringRef type,
                             int64_t reductionLength) {
  double unit = unitOf(type);
  double growth =
      4 + 2 * std::sqrt(double(std::max<int64_t>(1, reductionLength)));
  if (numerics == Numerics::approximate)
    growth *= 16;
  if (numerics == Numerics::precision_changing)
    growth *= 4;
  // Sums are taken in f32 at least, whatever the output type is: a narrower one
  // is rounded once, at the end.
  bool roundsOnce = unit > 0x1p-23 && numerics <= Numerics::reassociating;
  return (roundsOnce ? unit / 2 : 2 * unit) + growth * std::min(unit, 0x1p-23);
}

double klineage::allowedError(double tolerance, double ownError) {
  return ownError <= tolerance ? tolerance
                               : std::min(2 * ownError, 16 * tolerance);
}

double klineage::scaleOf(const HostBuffer &buffer) {
  double scale = 0;
  std::vector<double> values(kElementsAtOnce);
  forEachRange(buffer.count(), [&](int64_t begin, int64_t count) {
    buffer.read(begin, count, values.data());
    for (int64_t i = 0; i < count; ++i)
      if (double value = std::fabs(values[i]); std::isfinite(value))
        scale = std::max(scale, value);
    return true;
  });
  return scale;
}

bool klineage::isAllNaN(const HostBuffer &buffer) {
  bool all = true;
  std::vector<double> values(kElementsAtOnce);
  forEachRange(buffer.count(), [&](int64_t begin, int64_t count) {
    buffer.read(begin, count, values.data());
    all = std::all_of(values.begin(), values.begin() + count,
                      [](double value) { return std::isnan(value); });
    return all;
  });
  return all;
}

/// Below this, differences are those of subnormal numbers.
static double floorOf(StringRef type) {
  return llvm::StringSwitch<double>(type)
      .Case("f64", 0x1p-1022)
      .Cases({"f32", "bf16"}, 0x1p-126)
      .Case("f16", 0x1p-24)
      .Default(0);
}

static double errorOf(double expected, double found, double scale,
                      double floor) {
  if (std::isnan(expected) || std::isnan(found))
    return std::isnan(expected) == std::isnan(found) ? 0 : INFINITY;
  if (expected == found || std::fabs(expected - found) <= floor)
    return 0;
  if (std::isinf(expected) || std::isinf(found))
    return INFINITY;
  // The error of one element is measured against its own size and, for what
  // cancellation left over, against a part of the output's scale.
  return std::fabs(expected - found) / std::max(std::fabs(expected), scale / 4);
}

/// Both NaN, or the same infinity: an overflow of state 0 that f64 has not.
static bool isSameNonNumber(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (std::isinf(a) && a == b);
}

Difference klineage::compare(const HostBuffer &reference,
                             const HostBuffer &candidate, double tolerance,
                             const HostBuffer *native) {
  Difference result;
  double scale = scaleOf(reference), floor = floorOf(candidate.type);
  std::vector<double> expected(kElementsAtOnce), found(kElementsAtOnce);
  forEachRange(reference.count(), [&](int64_t begin, int64_t count) {
    reference.read(begin, count, expected.data());
    candidate.read(begin, count, found.data());
    for (int64_t i = 0; i < count; ++i) {
      double error = errorOf(expected[i], found[i], scale, floor);
      bool isFirst = result.first < 0 && error > tolerance;
      if (error <= result.maxError && !isFirst)
        continue;
      if (std::isinf(error) && native &&
          isSameNonNumber(native->get(begin + i), found[i]))
        continue;
      if (isFirst)
        result.first = begin + i;
      if (error <= result.maxError)
        continue;
      result.maxError = error;
      result.worst = llvm::formatv("element {0}: expected {1}, found {2}",
                                   begin + i, expected[i], found[i]);
    }
    return true;
  });
  result.equal = result.maxError <= tolerance;
  return result;
}

std::string klineage::firstDifferentBits(const HostBuffer &expected,
                                         const HostBuffer &found) {
  if (expected.bytes == found.bytes)
    return "";
  int64_t size = elementBytes(expected.type);
  for (int64_t i = 0, e = expected.count(); i < e; ++i) {
    if (!std::memcmp(&expected.bytes[i * size], &found.bytes[i * size], size))
      continue;
    double want = expected.get(i), have = found.get(i);
    if (std::isnan(want) && std::isnan(have))
      continue;
    return llvm::formatv("element {0}: expected {1}, found {2}{3}", i, want,
                         have, want == have ? " (zeros of other signs)" : "");
  }
  return "";
}
