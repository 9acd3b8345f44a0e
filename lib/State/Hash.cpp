//===- Hash.cpp - Identity of a state, and loci within it
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/State/State.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace mlir;
using namespace klineage;

std::string klineage::hashState(ModuleOp state) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  // The custom form survives parsing; in the generic one, defaults that are set
  // look different from defaults that are left out.
  flags.enableDebugInfo(false).useLocalScope();
  // Command-line printing flags must not change the identity of a state.
  flags.elideLargeElementsAttrs(std::numeric_limits<int64_t>::max());
  state->print(os, flags);
  auto digest = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
  return llvm::toHex(digest, /*LowerCase=*/true);
}

int64_t klineage::locusOf(ModuleOp state, Operation *op) {
  int64_t index = 0, found = -1;
  state->walk<WalkOrder::PreOrder>([&](Operation *other) {
    if (other == op) {
      found = index;
      return WalkResult::interrupt();
    }
    ++index;
    return WalkResult::advance();
  });
  return found;
}

Operation *klineage::opAtLocus(ModuleOp state, int64_t locus) {
  Operation *found = nullptr;
  int64_t index = 0;
  state->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (index++ != locus)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}
