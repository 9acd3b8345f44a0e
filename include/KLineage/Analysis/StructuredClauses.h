//===- StructuredClauses.h - Clauses on linalg operations and buffers
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_STRUCTUREDCLAUSES_H
#define KLINEAGE_ANALYSIS_STRUCTUREDCLAUSES_H

#include "KLineage/Analysis/Clause.h"
#include "KLineage/Support/TargetInfo.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace klineage {

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// The buffer under all views of `value`: an allocation or an entry argument.
mlir::Value baseOf(mlir::Value value);

/// Largest power of two, in bytes, that provably divides the address of the
/// first element of `buffer`. Looks through views; entry arguments have their
/// `llvm.align`, allocations their alignment (device temporaries 256 bytes).
int64_t knownAlignment(mlir::Value buffer);

/// Largest known divisor of an index value (1 if nothing is known, 0 for zero).
int64_t knownDivisor(mlir::OpFoldResult value);

/// True if the buffer under `value` is an allocation or an entry argument with
/// `llvm.noalias`: it shares no byte with one that is not a view of it.
bool ownsItsMemory(mlir::Value value);

/// True if two values of memref type provably share no byte.
bool provablyDistinct(mlir::Value a, mlir::Value b);

/// An operation nested in `root` that may write the buffer under `buffer`; null
/// if none does. `certain` tells whether it does so for sure. Operations whose
/// effects are unknown count as writers.
mlir::Operation *findWriter(mlir::Operation *root, mlir::Value buffer,
                            bool *certain = nullptr);

/// True if `op` by itself, not by what is nested in it, may write the buffer
/// under `buffer`.
bool mayWrite(mlir::Operation *op, mlir::Value buffer);

/// An operation in `root` (or `root` itself) that may read or write the buffer
/// under `buffer`, through any view or alias; null if there is none. Those for
/// which `skip` holds do not count. Unknown effects do.
mlir::Operation *findAccess(
    mlir::Operation *root, mlir::Value buffer,
    llvm::function_ref<bool(mlir::Operation *)> skip = [](mlir::Operation *) {
      return false;
    });

/// The combiner of a reduction with one output: the operation in the body that
/// joins the output argument with the rest. Null if the body has another form.
mlir::Operation *findCombiner(mlir::linalg::LinalgOp op);

/// Neutral element of a combiner for its result type, e.g. -inf for maximumf.
std::optional<mlir::TypedAttr> neutralElementOf(mlir::Operation *combiner);

//===----------------------------------------------------------------------===//
// Clauses; each says "expected", "found" and, where it can, the nearest legal
//===----------------------------------------------------------------------===//

/// layout: the extent of loop `dim` is a multiple of `factor`.
ClauseResult divisible(mlir::linalg::LinalgOp op, int64_t dim, int64_t factor);

/// layout: the extent of loop `dim` is a compile-time constant.
ClauseResult staticExtent(mlir::linalg::LinalgOp op, int64_t dim);

/// layout: the innermost dimension of `buffer` has stride 1.
ClauseResult unitStrideInnermost(mlir::Location loc, mlir::Value buffer);

/// storage: each row of `buffer` starts at a multiple of `bytes`.
ClauseResult alignedBase(mlir::Location loc, mlir::Value buffer, int64_t bytes);

/// storage: the two buffers share no byte.
ClauseResult noAlias(mlir::Location loc, mlir::Value a, mlir::Value b);

/// storage: no operation in `region` writes the buffer under `buffer`.
ClauseResult notWrittenIn(mlir::Region &region, mlir::Value buffer,
                          mlir::Location loc);

/// storage: iterations of loop `dim` write different elements of every output.
ClauseResult disjointWrites(mlir::linalg::LinalgOp op, int64_t dim);

/// types: the buffer's elements are integers or floats of whole bytes.
ClauseResult wholeBytes(mlir::Location loc, mlir::Value buffer);

/// types: loop `dim` is parallel.
ClauseResult loopParallel(mlir::linalg::LinalgOp op, int64_t dim);

/// types: the combiner is associative and commutative. A float sum or product
/// counts as such: the step's numerics say `reassociating`.
ClauseResult reductionReorderable(mlir::linalg::LinalgOp op);

/// types: the combiner has a neutral element.
ClauseResult neutralElementKnown(mlir::linalg::LinalgOp op);

/// storage: the nearest earlier operation of the op's block that may write the
/// output fills exactly it with the neutral element of the op's combiner.
ClauseResult dominatingFill(mlir::linalg::LinalgOp op);

/// hardware: `bytes` of shared memory fit one block of the target.
ClauseResult sharedCapacity(mlir::Location loc, int64_t bytes,
                            const TargetInfo &target);

/// hardware: the block shape is within the limits of the target.
ClauseResult threadLimit(mlir::Location loc, llvm::ArrayRef<int64_t> threads,
                         const TargetInfo &target);

/// hardware: an estimate of registers a thread is within the limit.
ClauseResult registerEstimate(mlir::Location loc, int64_t registers,
                              const TargetInfo &target);

/// hardware: grid extents (x, y, z; dynamic ones as ShapedType::kDynamic) fit.
ClauseResult gridLimits(mlir::Location loc, llvm::ArrayRef<int64_t> grid,
                        const TargetInfo &target);

/// hardware: the chip has the feature.
ClauseResult chipFeature(mlir::Location loc, llvm::StringRef feature,
                         const TargetInfo &target);

/// A clause that says yes or no about the form of an operation.
ClauseResult formClause(mlir::Location loc, llvm::StringRef name,
                        ClauseClass clauseClass, bool holds,
                        const llvm::Twine &expected, const llvm::Twine &found);

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_STRUCTUREDCLAUSES_H
