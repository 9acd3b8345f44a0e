//===- Enums.cpp - Generated string conversions
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Support/Enums.h"
#include "llvm/ADT/StringSwitch.h"

#include "KLineage/Support/Enums.cpp.inc"
