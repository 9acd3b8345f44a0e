//===- Kernels.h - MLIR kernels that the tests run and break
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_UNITTESTS_SIMT_KERNELS_H
#define KLINEAGE_UNITTESTS_SIMT_KERNELS_H

namespace klineage::simt::test {

/// C = A B, 64 x 64 f32, one thread an element, no barrier. (A, B, C)
extern const char *const naiveMatmul;
/// The same by 16 x 16 tiles in shared memory, two barriers a step. (A, B, C)
extern const char *const tiledMatmul;
/// Y[block] = sum of exp(X) over 256 values: shuffles, shared memory. (X, Y)
extern const char *const blockReduce;
/// D = A B, 16 x 8 x 16, f16 to f32: cp.async, ldmatrix, mma.sync. (A, B, D)
extern const char *const tensorCore;
/// H[X[i] mod 16] += 1, atomics in shared and in global memory. (X, H)
extern const char *const histogram;
/// Dynamic shared memory: reverses 128 values. (X, Y)
extern const char *const dynamicShared;

} // namespace klineage::simt::test

#endif // KLINEAGE_UNITTESTS_SIMT_KERNELS_H
