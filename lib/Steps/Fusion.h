//===- Fusion.h - The two uses of fuse_producer
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_STEPS_FUSION_H
#define KLINEAGE_LIB_STEPS_FUSION_H

#include "KLineage/Steps/Utils.h"

namespace klineage {

/// Producer into the block loop of its consumer.
struct LoopFusion {
  static void clauses(mlir::linalg::LinalgOp producer, mlir::scf::ForallOp loop,
                      llvm::SmallVectorImpl<ClauseResult> &results);
  static StepOutcome apply(mlir::RewriterBase &rewriter,
                           mlir::linalg::LinalgOp producer,
                           mlir::scf::ForallOp loop);
  static mlir::FailureOr<llvm::SmallVector<mlir::Operation *>>
  undo(mlir::RewriterBase &rewriter, mlir::Operation *locus,
       mlir::DictionaryAttr params);
};

/// Elementwise producer into a consumer, both in host form.
struct BodyFusion {
  static void clauses(mlir::linalg::LinalgOp producer,
                      mlir::linalg::LinalgOp consumer,
                      llvm::SmallVectorImpl<ClauseResult> &results);
  static StepOutcome apply(mlir::RewriterBase &rewriter,
                           mlir::linalg::LinalgOp producer,
                           mlir::linalg::LinalgOp consumer);
  static mlir::FailureOr<llvm::SmallVector<mlir::Operation *>>
  undo(mlir::RewriterBase &rewriter, mlir::Operation *locus,
       mlir::DictionaryAttr params);
};

/// storage: no operation between `first` and `second` in their block touches
/// the output of `first` or writes one of its inputs.
ClauseResult noInterference(mlir::linalg::LinalgOp first,
                            mlir::Operation *second);

} // namespace klineage

#endif // KLINEAGE_LIB_STEPS_FUSION_H
