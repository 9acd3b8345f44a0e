//===- Data.cpp - Buffers of the gate: inputs, poison, comparison
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Data.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace klineage;
using llvm::APFloat;
using llvm::APInt;
using llvm::StringRef;

int64_t klineage::elementBytes(StringRef type) {
  return llvm::StringSwitch<int64_t>(type)
      .Cases({"f64", "i64", "index"}, 8)
      .Cases({"f32", "i32"}, 4)
      .Cases({"f16", "bf16", "i16"}, 2)
      .Cases({"i8", "i1"}, 1)
      .Default(0);
}

int64_t HostBuffer::count() const {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

static const llvm::fltSemantics *semanticsOf(StringRef type) {
  if (type == "f16")
    return &APFloat::IEEEhalf();
  return type == "bf16" ? &APFloat::BFloat() : nullptr;
}

template <typename T> static T load(const HostBuffer &buffer, int64_t index) {
  T value;
  std::memcpy(&value, buffer.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
static void store(HostBuffer &buffer, int64_t index, T value) {
  std::memcpy(buffer.bytes.data() + index * sizeof(T), &value, sizeof(T));
}

double HostBuffer::get(int64_t index) const {
  if (type == "f64")
    return load<double>(*this, index);
  if (type == "f32")
    return load<float>(*this, index);
  if (const auto *semantics = semanticsOf(type)) {
    APFloat value(*semantics, APInt(16, load<uint16_t>(*this, index)));
    bool lossy;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
    return value.convertToDouble();
  }
  switch (elementBytes(type)) {
  case 8:
    return double(load<int64_t>(*this, index));
  case 4:
    return load<int32_t>(*this, index);
  case 2:
    return load<int16_t>(*this, index);
  default:
    return load<int8_t>(*this, index);
  }
}

void HostBuffer::set(int64_t index, double value) {
  if (type == "f64")
    return store(*this, index, value);
  if (type == "f32")
    return store(*this, index, float(value));
  if (const auto *semantics = semanticsOf(type)) {
    APFloat narrow(value);
    bool lossy;
    narrow.convert(*semantics, APFloat::rmNearestTiesToEven, &lossy);
    return store(*this, index,
                 uint16_t(narrow.bitcastToAPInt().getZExtValue()));
  }
  switch (elementBytes(type)) {
  case 8:
    return store(*this, index, int64_t(value));
  case 4:
    return store(*this, index, int32_t(value));
  case 2:
    return store(*this, index, int16_t(value));
  default:
    return store(*this, index, int8_t(type == "i1" ? value != 0 : value));
  }
}

void klineage::fillInput(HostBuffer &buffer, Fill fill, uint64_t seed) {
  static const double specials[] = {0.0, -0.0, INFINITY, -INFINITY, 1.0, -1.0};
  bool isFloat = StringRef(buffer.type).contains('f');
  uint64_t state = seed * 0x9E3779B97F4A7C15ull + 1;
  for (int64_t i = 0, e = buffer.count(); i < e; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    // Multiples of 1/64 in [-2, 2): exact in every float type.
    double value = double(int64_t(state % 256) - 128) / 64;
    if (!isFloat)
      value = double(int64_t(state % 15) - 7);
    if (fill == Fill::negative)
      value = -std::fabs(value) - (isFloat ? 1.0 / 64 : 1);
    if (fill == Fill::special && isFloat && state % 11 == 0)
      value = specials[state / 11 % 6];
    buffer.set(i, value);
  }
}

double klineage::toleranceOf(Numerics numerics, StringRef type,
                             int64_t reductionLength) {
  double unit = llvm::StringSwitch<double>(type)
                    .Case("f64", 0x1p-52)
                    .Case("f32", 0x1p-23)
                    .Case("f16", 0x1p-10)
                    .Case("bf16", 0x1p-7)
                    .Default(0);
  double growth =
      4 + 2 * std::sqrt(double(std::max<int64_t>(1, reductionLength)));
  if (numerics == Numerics::approximate)
    growth *= 16;
  if (numerics == Numerics::precision_changing)
    growth *= 4;
  // Sums are taken in f32 at least, whatever the output type is.
  return 2 * unit + growth * std::min(unit, 0x1p-23);
}

Difference klineage::compare(const HostBuffer &reference,
                             const HostBuffer &candidate, double tolerance) {
  Difference result;
  double scale = 0;
  int64_t count = reference.count();
  for (int64_t i = 0; i < count; ++i)
    if (double value = std::fabs(reference.get(i)); std::isfinite(value))
      scale = std::max(scale, value);
  for (int64_t i = 0; i < count; ++i) {
    double expected = reference.get(i), found = candidate.get(i);
    double error = 0;
    if (std::isnan(expected) || std::isnan(found))
      error = std::isnan(expected) == std::isnan(found) ? 0 : INFINITY;
    else if (std::isinf(expected) || std::isinf(found))
      error = expected == found ? 0 : INFINITY;
    else if (expected != found)
      // The error of one element is measured against its own size and, for what
      // cancellation left over, against a part of the output's scale.
      error = std::fabs(expected - found) /
              std::max(std::fabs(expected), scale / 4);
    if (error > result.maxError || (error > 0 && result.worst.empty())) {
      result.maxError = error;
      result.worst = llvm::formatv("element {0}: expected {1}, found {2}", i,
                                   expected, found);
    }
  }
  result.equal = result.maxError <= tolerance;
  return result;
}

void klineage::convert(const HostBuffer &from, HostBuffer &to) {
  if (from.type == to.type) {
    to.bytes = from.bytes;
    return;
  }
  for (int64_t i = 0, e = from.count(); i < e; ++i)
    to.set(i, from.get(i));
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
