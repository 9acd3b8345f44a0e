//===- Hash.cpp - Identity of a state, and loci within it
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/State/State.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
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

/// Operations without effects and regions move, merge and fold with the sizes
/// of a kernel; a position that counted them would not carry over to others.
static bool hasPosition(Operation *op) {
  return op->getNumRegions() > 0 || !isMemoryEffectFree(op);
}

/// Visits the operations that have positions, until `visit` returns true.
static void
walkPositions(ModuleOp state,
              llvm::function_ref<bool(Operation *, int64_t)> visit) {
  int64_t position = 0;
  state->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!hasPosition(op))
      return WalkResult::advance();
    return visit(op, position++) ? WalkResult::interrupt()
                                 : WalkResult::advance();
  });
}

int64_t klineage::locusOf(ModuleOp state, Operation *op) {
  int64_t found = -1;
  walkPositions(state, [&](Operation *other, int64_t position) {
    found = other == op ? position : found;
    return other == op;
  });
  return found;
}

Operation *klineage::opAtLocus(ModuleOp state, int64_t locus) {
  Operation *found = nullptr;
  walkPositions(state, [&](Operation *op, int64_t position) {
    found = position == locus ? op : found;
    return position == locus;
  });
  return found;
}
