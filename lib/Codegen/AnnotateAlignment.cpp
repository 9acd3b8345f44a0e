//===- AnnotateAlignment.cpp - Alignment that is known of vector accesses
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "Lowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace klineage;

void klineage::annotateAlignment(Operation *root) {
  root->walk([&](Operation *op) {
    Value buffer;
    VectorType type;
    if (auto load = dyn_cast<vector::LoadOp>(op)) {
      buffer = load.getBase();
      type = load.getVectorType();
    } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
      buffer = store.getBase();
      type = store.getVectorType();
    } else {
      return;
    }
    if (op->hasAttr("alignment"))
      return;
    int64_t bytes = type.getNumElements() *
                    llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    ClauseResult aligned = alignedBase(op->getLoc(), buffer, bytes);
    // Indices inside a row are multiples of the vector when it starts at one.
    bool multiple = true;
    auto indices = isa<vector::LoadOp>(op)
                       ? cast<vector::LoadOp>(op).getIndices()
                       : cast<vector::StoreOp>(op).getIndices();
    if (!indices.empty())
      multiple = knownDivisor(indices.back()) % type.getNumElements() == 0;
    if (aligned.truth == Truth::proved && multiple &&
        llvm::isPowerOf2_64(bytes))
      op->setAttr("alignment",
                  Builder(op->getContext()).getI64IntegerAttr(bytes));
  });
}
