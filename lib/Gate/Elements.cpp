//===- Elements.cpp - Elements of host buffers, as f64
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Data.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
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

//===----------------------------------------------------------------------===//
// 16-bit floats: buffers of real kernels have 10^8 of them
//===----------------------------------------------------------------------===//

static double widen(const llvm::fltSemantics &semantics, uint16_t bits) {
  APFloat value(semantics, APInt(16, bits));
  bool lossy;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  return value.convertToDouble();
}

/// All values of a type, by their bits.
static const std::vector<double> &tableOf(const llvm::fltSemantics &semantics) {
  auto build = [](const llvm::fltSemantics &type) {
    std::vector<double> table(1 << 16);
    for (size_t bits = 0; bits < table.size(); ++bits)
      table[bits] = widen(type, bits);
    return table;
  };
  static const std::vector<double> half = build(APFloat::IEEEhalf());
  static const std::vector<double> brain = build(APFloat::BFloat());
  return &semantics == &APFloat::IEEEhalf() ? half : brain;
}

static uint16_t narrow(const llvm::fltSemantics &semantics, double value) {
  APFloat result(value);
  bool lossy;
  result.convert(semantics, APFloat::rmNearestTiesToEven, &lossy);
  return uint16_t(result.bitcastToAPInt().getZExtValue());
}

/// The same; fast where the value is one of the type and normal, as inputs are.
static uint16_t narrowFast(const llvm::fltSemantics &semantics,
                           const std::vector<double> &table, double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  bool half = &semantics == &APFloat::IEEEhalf();
  int fraction = half ? 10 : 7, bias = half ? 15 : 127;
  int64_t exponent = int64_t(bits >> 52 & 0x7ff) - 1023 + bias;
  int64_t most = half ? 31 : 255;
  if (exponent > 0 && exponent < most) {
    uint16_t guess =
        uint16_t(bits >> 63 << 15 | exponent << fraction |
                 (bits >> (52 - fraction) & ((1 << fraction) - 1)));
    if (table[guess] == value)
      return guess;
  }
  return narrow(semantics, value);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

template <typename T>
static void load(const HostBuffer &buffer, int64_t begin, int64_t count,
                 double *values) {
  for (int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, buffer.bytes.data() + (begin + i) * sizeof(T),
                sizeof(T));
    values[i] = double(value);
  }
}

template <typename T, typename F>
static void store(HostBuffer &buffer, int64_t begin, int64_t count,
                  const double *values, F cast) {
  for (int64_t i = 0; i < count; ++i) {
    T value = cast(values[i]);
    std::memcpy(buffer.bytes.data() + (begin + i) * sizeof(T), &value,
                sizeof(T));
  }
}

static const llvm::fltSemantics *semanticsOf(StringRef type) {
  if (type == "f16")
    return &APFloat::IEEEhalf();
  return type == "bf16" ? &APFloat::BFloat() : nullptr;
}

void HostBuffer::read(int64_t begin, int64_t count, double *values) const {
  if (type == "f64")
    return load<double>(*this, begin, count, values);
  if (type == "f32")
    return load<float>(*this, begin, count, values);
  if (const auto *semantics = semanticsOf(type)) {
    const std::vector<double> &table = tableOf(*semantics);
    for (int64_t i = 0; i < count; ++i) {
      uint16_t bits;
      std::memcpy(&bits, bytes.data() + (begin + i) * 2, 2);
      values[i] = table[bits];
    }
    return;
  }
  switch (elementBytes(type)) {
  case 8:
    return load<int64_t>(*this, begin, count, values);
  case 4:
    return load<int32_t>(*this, begin, count, values);
  case 2:
    return load<int16_t>(*this, begin, count, values);
  default:
    return load<int8_t>(*this, begin, count, values);
  }
}

void HostBuffer::write(int64_t begin, int64_t count, const double *values) {
  auto plain = [&](auto zero) {
    using T = decltype(zero);
    store<T>(*this, begin, count, values, [](double v) { return T(v); });
  };
  if (type == "f64")
    return plain(double());
  if (type == "f32")
    return plain(float());
  if (const auto *semantics = semanticsOf(type)) {
    const std::vector<double> &table = tableOf(*semantics);
    return store<uint16_t>(*this, begin, count, values, [&](double v) {
      return narrowFast(*semantics, table, v);
    });
  }
  if (type == "i1")
    return store<int8_t>(*this, begin, count, values,
                         [](double v) { return int8_t(v != 0); });
  switch (elementBytes(type)) {
  case 8:
    return plain(int64_t());
  case 4:
    return plain(int32_t());
  case 2:
    return plain(int16_t());
  default:
    return plain(int8_t());
  }
}

double HostBuffer::get(int64_t index) const {
  double value;
  read(index, 1, &value);
  return value;
}

void HostBuffer::set(int64_t index, double value) { write(index, 1, &value); }

void klineage::convert(const HostBuffer &from, HostBuffer &to) {
  if (from.type == to.type) {
    to.bytes = from.bytes;
    return;
  }
  std::vector<double> values(kElementsAtOnce);
  forEachRange(from.count(), [&](int64_t begin, int64_t count) {
    from.read(begin, count, values.data());
    to.write(begin, count, values.data());
    return true;
  });
}
