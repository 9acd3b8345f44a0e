//===- Interrupt.cpp - SIGINT and SIGTERM as a question
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Support/Interrupt.h"
#include "llvm/Support/Signals.h"
#include <csignal>

static volatile std::sig_atomic_t flag = 0;

void klineage::catchInterrupts() {
  llvm::sys::SetInterruptFunction([] { flag = 1; });
}

bool klineage::interrupted() { return flag != 0; }
