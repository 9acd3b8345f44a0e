//===- Swizzle.h - The permutation of swizzle_shared
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_STEPS_SWIZZLE_H
#define KLINEAGE_STEPS_SWIZZLE_H

#include <cstdint>

namespace klineage {

/// Column `c` of row `r` goes to c xor (r mod period) * vector: units of
/// `vector` elements change places, elements inside a unit keep theirs.
struct Swizzle {
  int64_t vector = 1;
  int64_t period = 1; ///< rows after which the permutation repeats

  int64_t column(int64_t row, int64_t column) const;
  /// Every row of that length is permuted into itself. By enumeration.
  bool isInjective(int64_t rowLength) const;
};

/// The largest period that is injective for the row length, up to all banks
/// (`bankBytes` together); 1 if there is none but the identity.
Swizzle chooseSwizzle(int64_t rowLength, int64_t vector, int64_t elementBytes,
                      int64_t bankBytes);

} // namespace klineage

#endif // KLINEAGE_STEPS_SWIZZLE_H
