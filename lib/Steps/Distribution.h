//===- Distribution.h - How one operation is spread over threads
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_STEPS_DISTRIBUTION_H
#define KLINEAGE_LIB_STEPS_DISTRIBUTION_H

#include "KLineage/Steps/Utils.h"

namespace klineage {

/// Marks, on distributed operations and on the loops made for them.
constexpr llvm::StringLiteral kMappingAttr = "klineage.mapping";
constexpr llvm::StringLiteral kSplitAttr = "klineage.split";
constexpr llvm::StringLiteral kThreadLoopAttr = "klineage.thread_loop";

/// Parameters of distribute_to_threads, and the indices of the SIMT loop.
struct ThreadGrid {
  llvm::SmallVector<int64_t> threads; ///< x, y, z
  llvm::SmallVector<int64_t> chunk;   ///< x, y; empty: contiguous thread tiles
  int64_t vector = 1;
  llvm::SmallVector<int64_t> warps;   ///< warps along x, y; empty: row-major
  llvm::SmallVector<mlir::Value> ids; ///< x, y, z
  /// Which tile a thread has, as x and y: `ids`, or arranged by warps.
  llvm::SmallVector<mlir::Value> tileIds;

  int64_t count() const;
  /// Sets `tileIds` for the present `ids`. With `warps`, each warp has a
  /// rectangle of tiles, and so has each of its rows of lanes.
  void arrangeTiles(mlir::OpBuilder &b, mlir::Location loc);
  /// x + X * (y + Y * z).
  mlir::OpFoldResult linear(mlir::OpBuilder &b, mlir::Location loc) const;
};

/// One buffer that a distributed operation uses. Two accesses with the same
/// operand and key are of the same thread, element by element.
struct Access {
  mlir::Value operand, base;
  bool write = false;
  std::string key;
};

/// The distributed form: the outermost new operation, and what it accesses.
struct Distributed {
  mlir::Operation *top = nullptr;
  llvm::SmallVector<Access> accesses;
};

/// Thread tiles over the last two parallel loops, for contractions and for what
/// shares their output.
Distributed distributeTiles(mlir::OpBuilder &b, mlir::linalg::LinalgOp op,
                            const ThreadGrid &grid);
/// Rows and vectors cyclically over all threads, for everything else.
Distributed distributeRows(mlir::OpBuilder &b, mlir::linalg::LinalgOp op,
                           const ThreadGrid &grid);
/// The first thread alone, for operations without a parallel loop.
Distributed distributeSingle(mlir::OpBuilder &b, mlir::linalg::LinalgOp op,
                             const ThreadGrid &grid);

/// The operation of the block program that `op` was made from; erases the
/// distributed form. Emits one error if it has another form.
mlir::LogicalResult undistribute(mlir::RewriterBase &rewriter,
                                 mlir::linalg::LinalgOp op,
                                 const ThreadGrid &grid);

/// Static bound of a loop's extent, through the views of the operands.
std::optional<int64_t> loopBound(mlir::linalg::LinalgOp op, int64_t loop);

/// Positions of the parallel loops, outermost first.
llvm::SmallVector<int64_t> parallelLoops(mlir::linalg::LinalgOp op);

/// True if the tiles of both thread dimensions split into chunks exactly.
bool canSplit(mlir::linalg::LinalgOp op, const ThreadGrid &grid);

/// Puts gpu.barrier before each operation that conflicts with an access of
/// another thread since the last barrier; around loops too.
void placeBarriers(mlir::RewriterBase &rewriter, mlir::Block &body,
                   const llvm::DenseMap<mlir::Operation *,
                                        llvm::SmallVector<Access>> &accesses);

} // namespace klineage

#endif // KLINEAGE_LIB_STEPS_DISTRIBUTION_H
