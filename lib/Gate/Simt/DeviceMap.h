//===- DeviceMap.h - The tables that DeviceLib is made of
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMT_DEVICEMAP_H
#define KLINEAGE_LIB_GATE_SIMT_DEVICEMAP_H

#include "llvm/ADT/StringMap.h"

namespace klineage::simt {

/// Functions of the host by their libdevice names.
using DeviceMap = llvm::StringMap<void *>;

template <typename F> void *addressOf(F *function) {
  return reinterpret_cast<void *>(function);
}

/// Bit casts, conversions, integers: each bit is defined.
void addExactFunctions(DeviceMap &map);
/// Arithmetic and conversions that name their rounding mode.
void addRoundedFunctions(DeviceMap &map);
/// Functions that libm has not, or has by another name.
void addSpecialFunctions(DeviceMap &map);

} // namespace klineage::simt

#endif // KLINEAGE_LIB_GATE_SIMT_DEVICEMAP_H
