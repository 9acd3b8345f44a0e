//===- TextOutput.cpp - Text that a pass produces besides the module
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Passes/TextOutput.h"

static llvm::raw_ostream *output = nullptr;

llvm::raw_ostream &klineage::textOutput() {
  return output ? *output : llvm::outs();
}

void klineage::setTextOutput(llvm::raw_ostream *stream) { output = stream; }
