//===- Import.cpp - The pass klineage-import
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Passes/Passes.h"
#include "KLineage/State/State.h"
#include "PassDialects.h"

namespace klineage {
#define GEN_PASS_DEF_IMPORTPASS
#include "KLineage/Passes/Passes.h.inc"
} // namespace klineage

using namespace klineage;

namespace {
struct Import : klineage::impl::ImportPassBase<Import> {
  using ImportPassBase::ImportPassBase;

  void runOnOperation() override {
    ImportOptions options;
    options.align = align;
    options.noAlias = noAlias;
    if (mlir::failed(importState(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace
