//===- Data.h - Buffers of the gate: inputs, poison, comparison
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_DATA_H
#define KLINEAGE_LIB_GATE_DATA_H

#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Support/Enums.h"
#include <algorithm>
#include <string>
#include <vector>

namespace klineage {

/// Host copy of one argument.
struct HostBuffer {
  std::string type; ///< "f32", "bf16", "i8", ...
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  int64_t count() const;
  double get(int64_t index) const;
  void set(int64_t index, double value);
  /// The same for `count` elements from `begin`; integers are exact up to 2^53.
  void read(int64_t begin, int64_t count, double *values) const;
  void write(int64_t begin, int64_t count, const double *values);
};

/// Calls `body(begin, count)` on ranges that cover `total`, until it is false.
constexpr int64_t kElementsAtOnce = 4096;
template <typename F> void forEachRange(int64_t total, F body) {
  for (int64_t begin = 0; begin < total; begin += kElementsAtOnce)
    if (!body(begin, std::min(kElementsAtOnce, total - begin)))
      return;
}

/// Which values a fill has.
enum class Fill { mixed, tiny, far, special, nan };

/// Fills by a rule that tells elements apart. Every value is exact in the
/// buffer's type.
void fillInput(HostBuffer &buffer, Fill fill, uint64_t seed);

/// Element size in bytes; 0 for an unknown type.
int64_t elementBytes(llvm::StringRef type);

struct Difference {
  bool equal = true;
  double maxError = 0; ///< relative to the scale of the reference
  int64_t first = -1;  ///< first element beyond the tolerance
  std::string worst;   ///< text of the worst element
};

/// Compares an output with the reference. A NaN equals a NaN and nothing else.
/// Where `native`, what state 0 gives in its own types, is no number although
/// the reference is, the candidate may be no number in the same way.
Difference compare(const HostBuffer &reference, const HostBuffer &candidate,
                   double tolerance, const HostBuffer *native = nullptr);

/// The largest finite magnitude of a buffer.
double scaleOf(const HostBuffer &buffer);
bool isAllNaN(const HostBuffer &buffer);

/// Copies values from one element type to another.
void convert(const HostBuffer &from, HostBuffer &to);

/// The first element whose bits differ, as text; empty if there is none. Any
/// NaN equals any NaN: payloads are not specified (docs/numerics.md).
std::string firstDifferentBits(const HostBuffer &expected,
                               const HostBuffer &found);

/// Distance of 1 and the next larger number of a type; 0 for integers.
double unitOf(llvm::StringRef type);

/// Bound on the relative error: units of the last place of the output type,
/// grown with the square root of the reduction length, doubled for
/// approximate functions (docs/gate.md).
double toleranceOf(Numerics numerics, llvm::StringRef type,
                   int64_t reductionLength);

/// The bound where state 0 itself, in its own types, errs by `ownError`: twice
/// that, but at most 16 times the tolerance (docs/numerics.md).
double allowedError(double tolerance, double ownError);

} // namespace klineage

#endif // KLINEAGE_LIB_GATE_DATA_H
