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
  initial,   ///< fill of a reduction's output
};

struct RowOp {
  mlir::linalg::LinalgOp op;
  RowRole role;
  /// One value a row, but with a last loop of one iteration: frontends keep
  /// reduced dimensions that way.
  bool unitLoop = false;
};

/// The index of a dimension that is always 0.
constexpr int64_t kNoLoop = -1;

/// A buffer as an operation uses it: which loop indexes each dimension. Loop
/// number `rowRank` is the column; kNoLoop stands for a reduced dimension.
struct RowSource {
  mlir::Value buffer;
  llvm::SmallVector<int64_t> loops;

  bool hasColumn(int64_t rowRank) const {
    return !loops.empty() && loops.back() == rowRank;
  }
  /// Whether each row reads elements of its own.
  bool hasRow(int64_t rowRank) const {
    return llvm::any_of(loops, [&](int64_t loop) {
      return loop != kNoLoop && loop != rowRank;
    });
  }
  bool operator==(const RowSource &other) const {
    return buffer == other.buffer && loops == other.loops;
  }
};

/// Consecutive operations over the same rows, connected by buffers.
struct RowGroup {
  llvm::SmallVector<RowOp> ops; ///< in program order
  int64_t rowRank = 0;          ///< loops outside of the columns
  mlir::linalg::LinalgOp seed;  ///< a reduction of the group

  bool contains(mlir::Operation *op) const;
  /// What the group reads before any operation of it writes it, each once.
  llvm::SmallVector<RowSource> sources() const;
  /// Whether the operation of that stage reads it.
  bool reads(size_t stage, const RowSource &source) const;
  /// Written in the group and visible outside of it.
  bool isOutput(mlir::Value buffer) const;
  bool isWritten(mlir::Value buffer) const;
  /// The buffers that only the group uses.
  llvm::SmallVector<mlir::Value> temporaries() const;
  /// Static extent of the columns, or kDynamic.
  int64_t columns() const;
  mlir::Location getLoc() const;
};

/// `operand` of an operation as a source; nullopt for a scalar value.
std::optional<RowSource> sourceOf(RowOp row, mlir::OpOperand &operand);
RowSource resultOf(RowOp row);

/// The maximal group that `target` belongs to; empty if there is none.
RowGroup collectRowGroup(mlir::linalg::LinalgOp target);

/// How a row is spread over the threads of a block. Element `v` of vector `c`
/// of thread `t` is column (c * threads + t) * vector + v.
struct RowShape {
  int64_t threads = 0, vector = 1;
  int64_t columns = 0; ///< kDynamic if not static
  int64_t chunks = 0;  ///< vectors a thread; 0: loops over the row

  bool inRegisters() const { return chunks > 0; }
  /// Every thread has all of its vectors inside the row.
  bool exact() const { return chunks * threads * vector == columns; }
};

/// Values that a thread holds at once when its part of the row has `elements`.
int64_t liveElements(const RowGroup &group, int64_t elements);

/// Emits the loop over rows and erases the group. `accessBytes` is the widest
/// access to memory; `facts` gets what the undo cannot read off.
mlir::scf::ForallOp
emitRows(mlir::RewriterBase &rewriter, RowGroup &group, const RowShape &shape,
         int64_t accessBytes,
         llvm::SmallVectorImpl<mlir::NamedAttribute> &facts);

/// The same behind a guard that the columns are a multiple of the vector, with
/// the group itself as the other branch.
mlir::scf::ForallOp emitGuardedRows(mlir::RewriterBase &rewriter,
                                    RowGroup &group, const RowShape &shape,
                                    int64_t accessBytes);

/// The operations back in host form, in the place of `rows`. Emits one error if
/// the loop or the facts have another form. Returns the target.
mlir::FailureOr<mlir::Operation *> raiseRows(mlir::RewriterBase &rewriter,
                                             mlir::scf::ForallOp rows,
                                             mlir::DictionaryAttr facts);

/// The reduction of a block with this combiner, if the hardware form has one.
std::optional<mlir::gpu::AllReduceOperation>
allReduceOf(mlir::Operation *combiner);

/// Number of an operation in its group, on the operations that emitRows makes.
constexpr llvm::StringLiteral kStageAttr = "klineage.stage";

} // namespace klineage

#endif // KLINEAGE_LIB_STEPS_ROWGROUP_H
