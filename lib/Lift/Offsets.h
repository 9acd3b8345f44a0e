//===- Offsets.h - Pointers as offsets from their object
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_LIFT_OFFSETS_H
#define KLINEAGE_LIB_LIFT_OFFSETS_H

#include "Pointers.h"

namespace klineage {

/// Fails the base if some pointer is not a whole number of elements from it.
void checkOffsets(PointerBase &base);

/// Offsets in elements, as index values, of pointers of checked bases. Adds an
/// argument to each block that takes such a pointer.
class OffsetBuilder {
public:
  explicit OffsetBuilder(const PointerAnalysis &analysis)
      : analysis(analysis) {}

  mlir::Value elements(mlir::Value pointer);

private:
  mlir::Value ofGep(mlir::LLVM::GEPOp gep, int64_t size);
  mlir::Value ofArgument(mlir::BlockArgument arg);

  const PointerAnalysis &analysis;
  llvm::DenseMap<mlir::Value, mlir::Value> known;
};

} // namespace klineage

#endif // KLINEAGE_LIB_LIFT_OFFSETS_H
