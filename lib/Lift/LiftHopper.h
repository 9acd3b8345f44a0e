//===- LiftHopper.h - Inline PTX of TMA, mbarrier and wgmma
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_LIFT_LIFTHOPPER_H
#define KLINEAGE_LIB_LIFT_LIFTHOPPER_H

#include "AsmBuilder.h"

namespace klineage {

/// False if the statement is none of these.
bool buildHopper(AsmBuilder &a);

/// Why no operation says what a wgmma does; empty if one does.
llvm::StringRef whyWgmmaKept(const AsmBuilder &a);

} // namespace klineage

#endif // KLINEAGE_LIB_LIFT_LIFTHOPPER_H
