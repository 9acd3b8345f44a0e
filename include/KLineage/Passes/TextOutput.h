//===- TextOutput.h - Text that a pass produces besides the module
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_PASSES_TEXTOUTPUT_H
#define KLINEAGE_PASSES_TEXTOUTPUT_H

#include "llvm/Support/raw_ostream.h"

namespace klineage {

/// Where reports and emitted code go: standard output, or what a tool has set.
llvm::raw_ostream &textOutput();

/// Redirects `textOutput`; null is standard output. Not thread safe: a tool
/// calls it once, before it runs passes.
void setTextOutput(llvm::raw_ostream *stream);

} // namespace klineage

#endif // KLINEAGE_PASSES_TEXTOUTPUT_H
