//===- Undo.h - Simplifications of kernels that no step recorded
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_PASSES_UNDO_H
#define KLINEAGE_LIB_PASSES_UNDO_H

#include "KLineage/Support/Enums.h"
#include "KLineage/Support/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <optional>
#include <string>

namespace klineage {

/// What an undo made of a state.
struct UndoResult {
  mlir::OwningOpRef<mlir::ModuleOp> state;
  Numerics numerics = Numerics::bit_exact;
};

/// One simplification. It proposes; whether the result computes the same is
/// judged by whoever calls it.
class Undo {
public:
  virtual ~Undo();
  virtual llvm::StringRef getName() const = 0;
  /// Positions (`locusOf`) in a normalized state where it may be done.
  virtual llvm::SmallVector<int64_t> places(mlir::ModuleOp state) const = 0;
  /// A simplified copy, not normalized; nothing, and `why`, if it cannot be
  /// done. `reference` ties extents.
  virtual std::optional<UndoResult> apply(mlir::ModuleOp state, int64_t place,
                                          mlir::ModuleOp reference,
                                          const TargetInfo &target,
                                          std::string &why) const = 0;
};

/// All undos in the order in which the walk tries them.
llvm::ArrayRef<const Undo *> allUndos();

const Undo &dropBarrierUndo(); ///< a barrier goes away
const Undo &scalarizeUndo();   ///< vectors are accessed element by element
const Undo &raiseUndo();       ///< kernels become linalg on whole buffers

} // namespace klineage

#endif // KLINEAGE_LIB_PASSES_UNDO_H
