//===- OutputFile.h - Files that are whole or not there
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_SUPPORT_OUTPUTFILE_H
#define KLINEAGE_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace klineage {

/// Writes `text` to `path` by way of a temporary file beside it and a rename:
/// a reader, or a process that is killed, never sees half of it. "-" is
/// standard output; what is no regular file (a pipe, /dev/null) is written to
/// directly. The error is one line that names the file.
llvm::Error writeOutputFile(llvm::StringRef path, llvm::StringRef text);

} // namespace klineage

#endif // KLINEAGE_SUPPORT_OUTPUTFILE_H
