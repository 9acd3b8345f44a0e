//===- RowEmitter.h - Emits a group of row-wise operations as one kernel
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_STEPS_ROWEMITTER_H
#define KLINEAGE_LIB_STEPS_ROWEMITTER_H

#include "RowGroup.h"

namespace klineage {

/// One vector of a thread: its column in memory, its place in the private
/// buffer, and the condition under which it is inside the row (null: always).
struct Piece {
  mlir::Value column;
  int64_t element = 0;
  mlir::Value inside;
};

/// Emits at the insertion point of the builder; the group itself stays.
class RowEmitter {
public:
  RowEmitter(mlir::RewriterBase &b, RowGroup &group, const RowShape &shape,
             int64_t accessBytes)
      : b(b), group(group), shape(shape), accessBytes(accessBytes),
        loc(group.seed.getLoc()) {}

  mlir::scf::ForallOp run();

private:
  // Structure.
  void emitInRegisters();
  void emitLoops();
  void emitLoop(int64_t level);
  int64_t levelOf(size_t stage) { return levels[stage]; }
  void computeLevels();
  llvm::SmallVector<size_t> needed(llvm::ArrayRef<size_t> goals);

  // Operations.
  mlir::Value localOf(const RowSource &source) const;
  mlir::Value allocate(mlir::Type element, bool column);
  void declareOutput(size_t stage);
  mlir::linalg::LinalgOp emitOp(size_t stage);
  void maskTail(mlir::linalg::LinalgOp op);
  void startReduction(size_t stage);
  void finishReduction(size_t stage);
  bool startsNeutral(size_t stage) const;

  // Memory.
  void load(const RowSource &source);
  void store(size_t stage);
  void copyColumn(const RowSource &source, mlir::Value local, bool toMemory);
  llvm::SmallVector<mlir::Value> indices(const RowSource &source,
                                         mlir::Value column);
  mlir::Value offset(mlir::Value base, int64_t constant);
  mlir::Value constant(int64_t value);

  int64_t elements() const {
    return shape.inRegisters() ? shape.chunks * shape.vector : shape.vector;
  }
  mlir::ArrayAttr mapping(llvm::ArrayRef<mlir::gpu::MappingId> ids, bool block);

  mlir::RewriterBase &b;
  RowGroup &group;
  RowShape shape;
  int64_t accessBytes;
  mlir::Location loc;
  llvm::SmallVector<mlir::Value> rows;
  mlir::Value thread;
  llvm::SmallVector<Piece> reads, writes;
  mlir::Value tailInside; ///< in registers, if the last vectors may be outside
  std::vector<std::pair<RowSource, mlir::Value>> locals;
  llvm::DenseMap<mlir::Value, mlir::Value>
      partials; ///< of reductions, by original buffer
  llvm::SmallVector<int64_t> levels;
};

} // namespace klineage

#endif // KLINEAGE_LIB_STEPS_ROWEMITTER_H
