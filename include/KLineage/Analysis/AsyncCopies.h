//===- AsyncCopies.h - Where a cp.async must have arrived
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_ASYNCCOPIES_H
#define KLINEAGE_ANALYSIS_ASYNCCOPIES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

namespace klineage {

/// On a linalg.copy: code generation makes cp.async of this many bytes of it,
/// one group that is waited for before the next barrier.
constexpr llvm::StringLiteral kAsyncAttr = "klineage.async";

/// The barrier that every execution of `op` reaches next: after it in its
/// block, or after an enclosing operation that holds no barrier itself. Null if
/// a loop that holds barriers, a thread loop or the kernel ends before.
mlir::gpu::BarrierOp nextBarrier(mlir::Operation *op);

/// What may touch `target`, or write `source`, between a copy at `op` and the
/// barrier: `op`'s neighbours, and whatever else is in loops around it that the
/// barrier is not in. `skip` are the copies of the same group.
mlir::Operation *
touchedWhileUnderWay(mlir::Operation *op, mlir::gpu::BarrierOp barrier,
                     mlir::Value source, mlir::Value target,
                     llvm::function_ref<bool(mlir::Operation *)> skip);

/// Why a cp.async is more than a load and a store that end where it stands, or
/// an empty string: it is waited for before the next barrier, whole, and
/// nothing looks at its bytes or changes its source before.
std::string whyUnwaited(mlir::nvgpu::DeviceAsyncCopyOp copy);

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_ASYNCCOPIES_H
