//===- KernelReader.h - From a kernel's operations to its model
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_ANALYSIS_KERNELREADER_H
#define KLINEAGE_LIB_ANALYSIS_KERNELREADER_H

#include "KLineage/Analysis/KernelModel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineExpr.h"

namespace klineage {

/// A condition both ways. Inexact: both sides admit more than the kernel does.
struct Branch {
  Formula holds, fails;
  bool exact = true;
};

class KernelReader {
public:
  KernelReader(KernelModel &model, const ExtentTies &ties)
      : model(model), arena(model.arena), ties(ties) {}

  void read(mlir::gpu::LaunchFuncOp launch);

private:
  // KernelValues.cpp
  Expr valueOf(mlir::Value value);
  Expr readValue(mlir::Value value);
  Expr readArith(mlir::Operation *op);
  /// Either value: bounded by both unless they are equal.
  Expr oneOf(Expr a, Expr b, llvm::StringRef what);
  Expr readSelect(mlir::arith::SelectOp select);
  Expr affine(mlir::AffineExpr expr, mlir::ValueRange operands,
              unsigned numDims);
  Expr nonNegativeOr(Expr input, Expr result, llvm::StringRef what);
  Branch conditionOf(mlir::Value value);
  void bindLaunch(mlir::gpu::LaunchFuncOp launch);
  Expr hostValue(mlir::Value value);
  Expr extentOf(ExtentTies::Extent extent);

  // KernelViews.cpp
  std::optional<unsigned> rootOf(mlir::Value memref);
  std::optional<unsigned> makeRoot(mlir::Value memref, mlir::Value base);
  /// Element indices of the root; nullopt if a view is not understood.
  std::optional<unsigned> resolve(mlir::Value memref,
                                  llvm::SmallVectorImpl<Expr> &index);
  Expr sizeOf(mlir::Value memref, int64_t dim);

  // KernelLoops.cpp
  void visitFor(mlir::scf::ForOp loop);
  void visitForOfUnknownStep(mlir::scf::ForOp loop, Expr lower, Expr upper);
  void visitWhile(mlir::scf::WhileOp loop);
  void unroll(mlir::scf::ForOp loop, int64_t lower, int64_t step,
              int64_t trips);
  std::optional<Expr> addend(mlir::scf::WhileOp loop, unsigned number);
  bool unrollWhile(mlir::scf::WhileOp loop);
  void walkLoop(Guard guard, llvm::function_ref<void()> walkBody,
                std::optional<Expr> trips);
  std::optional<bool> decided(const Branch &branch);
  /// Values of the last iteration.
  void forget(mlir::Region &region);

  // KernelWalk.cpp
  void walk(mlir::Region &region);
  void visit(mlir::Operation *op);
  void visitIf(mlir::scf::IfOp branch);
  bool visitAccess(mlir::Operation *op);
  void visitCopy(mlir::nvgpu::DeviceAsyncCopyOp copy);
  void addAccess(mlir::Operation *op, mlir::Value memref,
                 mlir::ValueRange indices, int64_t width, bool write,
                 bool atomic, int64_t alignment);
  void giveUp(mlir::Operation *op, llvm::StringRef why);

  KernelModel &model;
  ExprArena &arena;
  const ExtentTies &ties;
  std::map<ExtentTies::Extent, Expr> extents;
  llvm::DenseMap<mlir::Value, Expr> values;
  llvm::DenseMap<mlir::Value, unsigned> rootIds;
  llvm::SmallVector<unsigned> guards;
  Expr barriers = 0;
  bool exactBarriers = true;
  unsigned loopDepth = 0;
};

/// Flat buffers of `rows * columns` elements get two dimensions.
void delinearize(KernelModel &model);

} // namespace klineage

#endif // KLINEAGE_LIB_ANALYSIS_KERNELREADER_H
