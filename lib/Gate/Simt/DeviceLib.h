//===- DeviceLib.h - libdevice and libm functions of compiled kernels
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMT_DEVICELIB_H
#define KLINEAGE_LIB_GATE_SIMT_DEVICELIB_H

#include "llvm/ADT/StringRef.h"
#include <utility>
#include <vector>

namespace klineage::simt {

/// The host's function for a libdevice name (`__nv_expf`), null if there is
/// none. Accuracy is that of the C library; docs/numerics.md compares.
void *lookupDeviceFunction(llvm::StringRef name);

/// True for a function with two results, which splitDeviceCalls takes apart.
bool isSplitDeviceFunction(llvm::StringRef name);

/// Symbols that the host's code generator may call for generic LLVM intrinsics.
std::vector<std::pair<llvm::StringRef, void *>> codegenSymbols();

} // namespace klineage::simt

#endif // KLINEAGE_LIB_GATE_SIMT_DEVICELIB_H
