//===- OutputMap.h - From what blocks store to one function of the element
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_OUTPUTMAP_H
#define KLINEAGE_ANALYSIS_OUTPUTMAP_H

#include "KLineage/Analysis/BlockSummary.h"

namespace klineage {

/// A buffer in row-major order, with a symbol for each coordinate.
struct ArrayShape {
  llvm::SmallVector<sym::Poly, 4> sizes, coordinates;
  sym::Poly linear{}; ///< offset of the element at the coordinates
};

/// Makes the symbols; they are within the extents from now on.
ArrayShape makeShape(sym::Arena &arena, llvm::ArrayRef<sym::Poly> sizes);

/// What the launch leaves in each element of the array, over the coordinates of
/// the shape. It is proved that every element is stored exactly once and that
/// all threads and blocks store the same function of the coordinates. Otherwise
/// nothing, and `why`.
std::optional<sym::Term> mapOutput(sym::Arena &arena,
                                   const BlockSummary &summary,
                                   const KernelLaunch &launch, uint64_t array,
                                   const ArrayShape &shape, std::string &why);

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_OUTPUTMAP_H
