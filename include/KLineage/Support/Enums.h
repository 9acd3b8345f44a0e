//===- Enums.h - Numerics, certificate, verdict, truth, clause class
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_SUPPORT_ENUMS_H
#define KLINEAGE_SUPPORT_ENUMS_H

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

#include "KLineage/Support/Enums.h.inc"

namespace klineage {

/// Numerics of two steps done one after the other: the stronger change.
inline Numerics compose(Numerics a, Numerics b) { return a < b ? b : a; }

/// Certificate of two transitions done one after the other: the weaker one.
inline CertificateLevel compose(CertificateLevel a, CertificateLevel b) {
  return a < b ? a : b;
}

/// Conjunction of two clause results: refuted wins, then unknown.
inline Truth conjunction(Truth a, Truth b) {
  if (a == Truth::refuted || b == Truth::refuted)
    return Truth::refuted;
  return a == Truth::unknown || b == Truth::unknown ? Truth::unknown
                                                    : Truth::proved;
}

} // namespace klineage

#endif // KLINEAGE_SUPPORT_ENUMS_H
