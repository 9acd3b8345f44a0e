//===- KernelModel.h - What one kernel accesses, where, when and under which
// conditions
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_KERNELMODEL_H
#define KLINEAGE_ANALYSIS_KERNELMODEL_H

#include "KLineage/Analysis/Formula.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <array>

namespace klineage {

/// One piece of memory: a kernel argument, a shared variable or an alloca.
/// Sizes and strides are in elements.
struct MemoryRoot {
  enum class Space { global, shared, local };
  mlir::Value base;
  Space space = Space::global;
  std::string name;
  llvm::SmallVector<Expr> sizes, strides;
  int64_t elementBytes = 0;
  int64_t alignment = 1; ///< of the first element, bytes
  bool noAlias = false;
  bool injective = true; ///< distinct indices in bounds are distinct places
};

/// A branch or a loop around an operation. `holds` is what a thread that gets
/// there satisfies; an inexact guard admits more than the kernel does.
struct Guard {
  mlir::Operation *op = nullptr;
  Formula holds, fails;
  bool exact = true;
  Var counter = ~0u; ///< of a loop
};

struct KernelAccess {
  mlir::Operation *op = nullptr;
  unsigned root = 0;
  llvm::SmallVector<Expr> index; ///< per dimension of the root
  int64_t width = 1;             ///< elements along the last dimension
  int64_t alignment = 1;         ///< that the operation promises, bytes
  bool write = false, atomic = false;
  llvm::SmallVector<unsigned> guards; ///< outermost first
  Expr barriers = 0; ///< barriers the thread passed before the access
  bool exactBarriers = true;
  unsigned count = 1; ///< operations that this access stands for
};

struct KernelBarrier {
  mlir::Operation *op = nullptr;
  llvm::SmallVector<unsigned> guards;
};

/// Extents of the entry's buffers (argument, dimension) that every call has
/// equal, by a representative; and those that are constant.
struct ExtentTies {
  using Extent = std::pair<unsigned, int64_t>;
  std::map<Extent, Extent> leader;
  std::map<Extent, int64_t> fixed; ///< by leader
};

/// A kernel as affine facts. Whatever the reader did not understand is listed:
/// nothing about memory is proved then.
struct KernelModel {
  explicit KernelModel(mlir::gpu::GPUFuncOp kernel) : kernel(kernel) {}

  mlir::gpu::GPUFuncOp kernel;
  ExprArena arena;
  std::vector<MemoryRoot> roots;
  std::vector<Guard> guards;
  std::vector<KernelAccess> accesses;
  std::vector<KernelBarrier> barriers;
  std::array<Var, 3> thread, block;
  std::array<int64_t, 3> blockSize = {0, 0, 0}; ///< 0: not known
  std::array<Expr, 3> gridSize = {0, 0, 0};
  /// Facts of the launch that hold everywhere: block ids below the grid size.
  Formula launch = Formula::always();
  bool launched = false;    ///< `gridSize` is what the host computes
  bool tiedExtents = false; ///< relies on ties between extents
  bool warpOps = false;     ///< lanes of a warp may wait for each other
  std::vector<std::pair<mlir::Operation *, std::string>> notUnderstood;

  /// Conjunction of the guards and the launch facts.
  Formula domainOf(llvm::ArrayRef<unsigned> guards) const;
  bool exactDomain(llvm::ArrayRef<unsigned> guards) const;
};

/// Reads one kernel in stage-A form. `launch` binds its arguments and the grid;
/// null if it is not known. Never fails: see `notUnderstood`.
KernelModel buildKernelModel(mlir::gpu::GPUFuncOp kernel,
                             mlir::gpu::LaunchFuncOp launch,
                             const ExtentTies &ties = {});
/// The only launch of the kernel in the module; null if there is none or more.
mlir::gpu::LaunchFuncOp findLaunch(mlir::gpu::GPUFuncOp kernel);

void printKernelModel(const KernelModel &model, llvm::raw_ostream &os);

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_KERNELMODEL_H
