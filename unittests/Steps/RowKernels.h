//===- RowKernels.h - Row-wise kernels as frontends emit them
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_UNITTESTS_STEPS_ROWKERNELS_H
#define KLINEAGE_UNITTESTS_STEPS_ROWKERNELS_H

#include <cstdint>
#include <string>
#include <vector>

namespace klineage::test {

/// Extents and element type of the matrix; -1 is a dynamic extent.
struct RowSizes {
  int64_t rows, columns;
  std::string element = "f32";
};

/// One tensor function per kernel, one linalg operation per operation; sums and
/// row values are f32, as are all temporaries.
std::string softmax(const RowSizes &sizes);
std::string layerNorm(const RowSizes &sizes);
std::string rmsNorm(const RowSizes &sizes);
/// h = x + r, y = rms(h) * gamma; both are results.
std::string addRmsNorm(const RowSizes &sizes);
std::string rowSum(const RowSizes &sizes);
/// `combiner` as in "arith.maximumf", `initial` as in "0xFF800000".
std::string rowReduce(const RowSizes &sizes, const std::string &combiner,
                      const std::string &initial);

struct RowKernel {
  const char *name;
  std::string (*make)(const RowSizes &);
};
const std::vector<RowKernel> &rowKernels();

} // namespace klineage::test

#endif // KLINEAGE_UNITTESTS_STEPS_ROWKERNELS_H
