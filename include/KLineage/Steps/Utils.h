//===- Utils.h - Shared by step kinds
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_STEPS_UTILS_H
#define KLINEAGE_STEPS_UTILS_H

#include "KLineage/Analysis/Clause.h"
#include "KLineage/Steps/StepKind.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallBitVector.h"
#include <optional>

namespace klineage {

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

int64_t intParam(mlir::DictionaryAttr params, llvm::StringRef name,
                 int64_t whenAbsent = 0);
/// Values of an array of integers; empty if absent.
llvm::SmallVector<int64_t> intArrayParam(mlir::DictionaryAttr params,
                                         llvm::StringRef name);
mlir::Attribute intArrayAttr(mlir::MLIRContext *context,
                             llvm::ArrayRef<int64_t> values);

/// One target that is a linalg operation on buffers; one error otherwise.
mlir::FailureOr<mlir::linalg::LinalgOp>
verifyLinalgTarget(llvm::ArrayRef<mlir::Operation *> targets,
                   llvm::StringRef kind);
/// All values of the parameter are in [low, high]; one error otherwise.
mlir::LogicalResult verifyRange(mlir::Operation *op,
                                mlir::DictionaryAttr params,
                                llvm::StringRef name, int64_t low,
                                int64_t high);

//===----------------------------------------------------------------------===//
// Tiles of linalg operations
//===----------------------------------------------------------------------===//

/// Part of one loop that a tile covers; std::nullopt is the whole loop.
struct LoopTile {
  mlir::OpFoldResult offset, size;
};
using LoopTiles = llvm::SmallVector<std::optional<LoopTile>>;

/// Extent of each loop, constant where it is static.
llvm::SmallVector<mlir::OpFoldResult> loopExtents(mlir::OpBuilder &b,
                                                  mlir::linalg::LinalgOp op);

/// min(tile, extent - offset), or just `tile` where it divides the extent and
/// the offset is a multiple of it.
mlir::OpFoldResult boundedSize(mlir::OpBuilder &b, mlir::Location loc,
                               int64_t tile, mlir::OpFoldResult extent,
                               mlir::OpFoldResult offset, bool divides);

/// Size of a tile of a loop that starts at 0 with step `tile`: constant where
/// the static `range` (kDynamic if there is none) is a multiple, or one tile.
mlir::OpFoldResult tileSize(mlir::OpBuilder &b, mlir::Location loc,
                            int64_t tile, int64_t range,
                            mlir::OpFoldResult extent, mlir::OpFoldResult iv);

/// Clones `op` onto subviews of its operands. All indexing maps are projected
/// permutations (clause `simpleMaps`).
mlir::linalg::LinalgOp
cloneOnTile(mlir::OpBuilder &b, mlir::linalg::LinalgOp op,
            llvm::ArrayRef<std::optional<LoopTile>> tiles);

/// Clones `op` onto the sources of the subviews of all operands that depend on
/// one of the `tiled` loops. Null if one of these is no subview. With `scope`,
/// subviews outside of it stay: the tile of an operand that has one element
/// along all tiled loops is the operand, and its subview is folded away.
mlir::linalg::LinalgOp cloneUntiled(mlir::OpBuilder &b,
                                    mlir::linalg::LinalgOp op,
                                    const llvm::SmallBitVector &tiled,
                                    mlir::Operation *scope = nullptr);

/// Largest value of an index, if one is known: constants, affine.min/max/apply.
std::optional<int64_t> staticUpperBound(mlir::OpFoldResult value);

/// Static upper bound of each dimension of a buffer or a view of one; empty if
/// some dimension has none (and the rank is not 0).
llvm::SmallVector<int64_t> boundedShape(mlir::Value buffer);

/// layout: every operand is indexed by a projected permutation, and the body
/// does not ask for loop indices.
ClauseResult simpleMaps(mlir::linalg::LinalgOp op);

//===----------------------------------------------------------------------===//
// Forms of a kernel
//===----------------------------------------------------------------------===//

bool isBlockLoop(mlir::Operation *op);  ///< scf.forall over #gpu.block
bool isThreadLoop(mlir::Operation *op); ///< scf.forall over #gpu.thread
/// The SIMT loop inside a block loop; null in a block program.
mlir::scf::ForallOp threadLoopOf(mlir::scf::ForallOp blockLoop);
/// The innermost enclosing loop of that sort, or null.
mlir::scf::ForallOp enclosingBlockLoop(mlir::Operation *op);
mlir::scf::ForallOp enclosingThreadLoop(mlir::Operation *op);
/// Threads of a SIMT loop: product of its static extents.
int64_t threadCount(mlir::scf::ForallOp threadLoop);

bool isWorkgroup(mlir::Type memref);
bool isPrivate(mlir::Type memref);
mlir::MemRefType withSpace(mlir::MemRefType type, llvm::ArrayRef<int64_t> shape,
                           mlir::gpu::AddressSpace space);

/// The only linalg operation nested in `op`; null if there is another number.
mlir::linalg::LinalgOp onlyLinalgOpIn(mlir::Operation *op);

/// Where the dynamic sizes of an allocation come from: pairs of entry argument
/// and dimension; nullopt if from elsewhere.
std::optional<llvm::SmallVector<int64_t>> sizeSources(mlir::Value buffer);

/// On an scf.if whose else branch is the code before a step.
constexpr llvm::StringLiteral kGuardAttr = "klineage.guard";
/// True if `op` is code that a guard keeps for what the new code cannot do.
bool isOldCode(mlir::Operation *op);

/// types: `op` is in host form, directly in the entry function.
ClauseResult inHostForm(mlir::Operation *op);
/// types: `op` is inside a SIMT loop (or a gpu.func, if `orKernel`).
ClauseResult inSimtForm(mlir::Operation *op, bool orKernel = false);

} // namespace klineage

#endif // KLINEAGE_STEPS_UTILS_H
