//===- RowGroup.h - The operations that one row-wise kernel computes
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_STEPS_ROWGROUP_H
#define KLINEAGE_LIB_STEPS_ROWGROUP_H

#include "KLineage/Steps/Utils.h"

namespace klineage {

/// What an operation of the group does with a row.
enum class RowRole {
  matrix,    ///< computes every element: all loops parallel
  reduction, ///< reduces the columns
  scalar,    ///< computes one value a row
  fill,      ///< writes a constant
  initial,   ///< fill of a reduction's output with its neutral element
};

struct RowOp {
  mlir::linalg::LinalgOp op;
  RowRole role;
};

/// Consecutive operations over the same rows, connected by buffers.
struct RowGroup {
  llvm::SmallVector<RowOp> ops; ///< in program order
  int64_t rowRank = 0;          ///< loops outside of the columns
  mlir::linalg::LinalgOp seed;  ///< the reduction that the step was aimed at

  bool contains(mlir::Operation *op) const;
  /// Buffers used by the group, in order of first use.
  llvm::SmallVector<mlir::Value> buffers() const;
  /// Written in the group, and visible outside of it.
  bool isOutput(mlir::Value buffer) const;
  /// Written by some operation of the group.
  bool isWritten(mlir::Value buffer) const;
};

/// The group around a reduction of the innermost loop; empty if `seed` is none.
RowGroup collectRowGroup(mlir::linalg::LinalgOp seed);

/// True if the map's last result is the column.
bool hasColumn(RowGroup &group, mlir::linalg::LinalgOp op,
               mlir::OpOperand &operand);

/// How rows are spread over the threads of a block.
struct RowShape {
  int64_t threads = 0, vector = 1;
  int64_t columns = 0; ///< kDynamic if not static
  int64_t chunks = 0;  ///< vectors a thread; 0 if they do not fit registers

  bool inRegisters() const { return chunks > 0; }
  /// Every thread has all of its vectors inside the row.
  bool exact() const { return chunks * threads * vector == columns; }
};
RowShape shapeOf(RowGroup &group, int64_t threads, int64_t vector);

/// The loop over rows; `facts` gets what the undo needs.
mlir::scf::ForallOp emitRows(mlir::RewriterBase &rewriter, RowGroup &group,
                             const RowShape &shape,
                             llvm::SmallVectorImpl<mlir::NamedAttribute> &facts);

/// The operations back in host form. Emits one error if the loop or the facts
/// have another form. Returns the seed.
mlir::FailureOr<mlir::Operation *> raiseRows(mlir::RewriterBase &rewriter,
                                             mlir::scf::ForallOp rows,
                                             mlir::DictionaryAttr facts);

/// Where the sizes of an allocation come from: pairs of entry argument and
/// dimension; nullopt if from elsewhere.
std::optional<llvm::SmallVector<int64_t>> sizeSources(mlir::Operation *alloc);

/// Number of the operation in the group; and that its tail is masked.
constexpr llvm::StringLiteral kStageAttr = "klineage.stage";
constexpr llvm::StringLiteral kMaskedAttr = "klineage.masked";

} // namespace klineage

#endif // KLINEAGE_LIB_STEPS_ROWGROUP_H
