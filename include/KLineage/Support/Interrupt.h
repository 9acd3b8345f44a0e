//===- Interrupt.h - SIGINT and SIGTERM as a question
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_SUPPORT_INTERRUPT_H
#define KLINEAGE_SUPPORT_INTERRUPT_H

namespace klineage {

/// Makes the first SIGINT or SIGTERM set a flag instead of ending the process;
/// the second one ends it. For tools, not for libraries inside other programs.
void catchInterrupts();

/// True after such a signal: long work stops at the next point where what it
/// has done is valid.
bool interrupted();

} // namespace klineage

#endif // KLINEAGE_SUPPORT_INTERRUPT_H
