//===- Lowering.h - Parts of stage A
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_CODEGEN_LOWERING_H
#define KLINEAGE_LIB_CODEGEN_LOWERING_H

#include "KLineage/Support/TargetInfo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace klineage {

constexpr llvm::StringLiteral kKernelModule = "kernels";

/// Host-form linalg operations become SIMT loops: one thread a point of the
/// parallel loops, reductions serial.
mlir::LogicalResult mapHostLinalg(mlir::func::FuncOp entry);

/// Copies with `klineage.async` become cp.async; each group is waited for
/// before the next barrier.
mlir::LogicalResult lowerAsyncCopies(mlir::Operation *root);

/// Loops and straight-line code for all linalg operations under `root`.
mlir::LogicalResult lowerLinalg(mlir::Operation *root);

/// The body of `op` at one point: loads, computation, stores.
void emitPoint(mlir::OpBuilder &b, mlir::linalg::LinalgOp op,
               mlir::ValueRange ivs);

/// Extents of the loops of `op` as index values.
llvm::SmallVector<mlir::Value> loopExtentValues(mlir::OpBuilder &b,
                                                mlir::linalg::LinalgOp op);

/// Declares on vector accesses the alignment that is known of them.
void annotateAlignment(mlir::Operation *root);

/// Obeys `klineage.unroll` on loops.
mlir::LogicalResult unrollLoops(mlir::Operation *root);

/// Block loops of the entry become kernels and launches.
mlir::LogicalResult outlineBlockLoops(mlir::func::FuncOp entry,
                                      mlir::gpu::GPUModuleOp kernels);

/// Gives hand-written kernels the parameter convention of outlined ones.
mlir::LogicalResult normalizeLaunches(mlir::func::FuncOp entry);

/// gpu.all_reduce becomes shuffles and shared memory.
mlir::LogicalResult lowerAllReduce(mlir::gpu::GPUFuncOp kernel);

/// Shared buffers get their place: attributions up to the static limit, one
/// dynamic arena above. Private buffers move to the kernel's entry block.
mlir::LogicalResult planMemory(mlir::gpu::GPUFuncOp kernel,
                               const TargetInfo &target);

/// math.ctlz, cttz and ctpop become instructions of LLVM.
std::unique_ptr<mlir::Pass> createIntegerMathPass();

} // namespace klineage

#endif // KLINEAGE_LIB_CODEGEN_LOWERING_H
