//===- LineDiff.h - What changed between two texts
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_SUPPORT_LINEDIFF_H
#define KLINEAGE_SUPPORT_LINEDIFF_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace klineage {

/// Writes a unified diff of two texts, line by line, with `context` equal lines
/// around each change: the hunks as `diff -u` writes them, without the two
/// lines of file names. Equal texts give nothing. A shortest edit script
/// (Myers, "An O(ND) Difference Algorithm and Its Variations", 1986): time and
/// memory grow with the number of changed lines times that of all lines.
/// Returns whether there was a change.
bool printLineDiff(llvm::raw_ostream &os, llvm::StringRef before,
                   llvm::StringRef after, unsigned context = 3);

} // namespace klineage

#endif // KLINEAGE_SUPPORT_LINEDIFF_H
