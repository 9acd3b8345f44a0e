//===- StepKernels.h - Kernels of every shape for tests of step kinds
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_UNITTESTS_STEPS_STEPKERNELS_H
#define KLINEAGE_UNITTESTS_STEPS_STEPKERNELS_H

#include <cstdint>
#include <string>
#include <vector>

namespace klineage::test {

/// Extents of a kernel's loops (-1 is dynamic) and its element type.
struct KernelSizes {
  std::vector<int64_t> extents;
  std::string element = "f32";

  std::string name() const;
  bool isStatic() const;
};

/// Entry functions on memrefs, plain linalg; sums are f32 (f64 for f64).
std::string matmul(const KernelSizes &sizes);         ///< m, n, k
std::string batchedMatmul(const KernelSizes &sizes);  ///< b, m, n, k
std::string matmulBiasRelu(const KernelSizes &sizes); ///< m, n, k
/// z = exp(x * y) + y as three operations on a matrix: rows, columns.
std::string chain(const KernelSizes &sizes);
std::string scaleVector(const KernelSizes &sizes); ///< y = 2 * x; elements
/// y[i, j, k] = x[i, j, k] + b[k]: three extents.
std::string broadcast(const KernelSizes &sizes);
std::string transpose(const KernelSizes &sizes); ///< rows, columns of the input
std::string columnSum(const KernelSizes &sizes); ///< rows, columns

} // namespace klineage::test

#endif // KLINEAGE_UNITTESTS_STEPS_STEPKERNELS_H
