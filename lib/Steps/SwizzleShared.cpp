//===- SwizzleShared.cpp - Columns of a shared buffer permuted by row
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "KLineage/Steps/Swizzle.h"
#include "KLineage/Steps/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace klineage;

int64_t Swizzle::column(int64_t row, int64_t column) const {
  return column ^ ((row & (period - 1)) * vector);
}

bool Swizzle::isInjective(int64_t rowLength) const {
  if (vector < 1 || period < 1 || !llvm::isPowerOf2_64(vector) ||
      !llvm::isPowerOf2_64(period))
    return false;
  // Rows repeat after `period`, and columns after `period * vector`: what holds
  // for one period of rows holds for all.
  for (int64_t row = 0; row < period; ++row) {
    llvm::BitVector seen(rowLength);
    for (int64_t from = 0; from < rowLength; ++from) {
      int64_t to = column(row, from);
      if (to < 0 || to >= rowLength || seen.test(to))
        return false;
      // A vector that starts at a multiple of its length stays whole.
      if (from % vector && to != column(row, from - 1) + 1)
        return false;
      seen.set(to);
    }
  }
  return true;
}

Swizzle klineage::chooseSwizzle(int64_t rowLength, int64_t vector,
                                int64_t elementBytes, int64_t bankBytes) {
  Swizzle swizzle{vector, 1};
  if (vector < 1 || rowLength % vector != 0)
    return swizzle;
  // More units than all banks together hold bring nothing.
  while (rowLength % (2 * swizzle.period * vector) == 0 &&
         2 * swizzle.period * vector * elementBytes <= bankBytes)
    swizzle.period *= 2;
  return swizzle;
}

namespace {

class SwizzleShared final : public StepKind {
public:
  SwizzleShared()
      : StepKind("swizzle_shared",
                 "Permute the columns of a shared buffer by row") {}
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override {
    auto alloc = targets.size() == 1 ? dyn_cast<memref::AllocOp>(targets[0])
                                     : memref::AllocOp();
    if (!alloc || !isWorkgroup(alloc.getType()) ||
        !alloc.getType().hasStaticShape() || alloc.getType().getRank() < 2)
      return targets[0]->emitError()
             << getName()
             << " takes one static allocation of shared memory with at least "
                "two dimensions";
    if (params.get("period") &&
        failed(verifyRange(targets[0], params, "period", 1, 1024)))
      return failure();
    return verifyRange(targets[0], params, "vector", 1, 16);
  }
  void clauses(ArrayRef<Operation *> targets, DictionaryAttr params,
               const StepContext &context,
               SmallVectorImpl<ClauseResult> &results) const override;
  FailureOr<StepOutcome> apply(RewriterBase &rewriter,
                               ArrayRef<Operation *> targets,
                               DictionaryAttr params,
                               const StepContext &context,
                               ArrayRef<ClauseResult> unknown) const override;
  /// The buffer must not be optimized away.
  SmallVector<MechanismFact> mechanism(DictionaryAttr) const override {
    return {{"st.shared", 1, -1}, {"ld.shared", 1, -1}};
  }
  FailureOr<SmallVector<Operation *>>
  undo(RewriterBase &rewriter, Operation *locus, DictionaryAttr params,
       const StepContext &context) const override;
};

/// The column operand of a load or store, and the width of the access.
struct Accessor {
  OpOperand *row = nullptr, *column = nullptr;
  int64_t width = 1;
};

std::optional<Accessor> accessorOf(Operation *op, Value buffer) {
  Accessor accessor;
  MutableOperandRange indices(op, 0, 0);
  bool plain = true;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    indices = load.getIndicesMutable();
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    indices = store.getIndicesMutable();
    plain = store.getValueToStore() != buffer;
  } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    indices = load.getIndicesMutable();
    accessor.width = load.getVectorType().getNumElements();
    plain = load.getVectorType().getRank() == 1;
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    indices = store.getIndicesMutable();
    accessor.width = store.getVectorType().getNumElements();
    plain = store.getVectorType().getRank() == 1;
  } else {
    return std::nullopt;
  }
  if (!plain || indices.size() < 2)
    return std::nullopt;
  accessor.row = &indices[indices.size() - 2];
  accessor.column = &indices[indices.size() - 1];
  return accessor;
}

Swizzle swizzleOf(memref::AllocOp alloc, DictionaryAttr params,
                  const TargetInfo &target) {
  MemRefType type = alloc.getType();
  Swizzle swizzle =
      chooseSwizzle(type.getShape().back(), intParam(params, "vector"),
                    type.getElementTypeBitWidth() / 8, target.sharedBanks * 4);
  swizzle.period = intParam(params, "period", swizzle.period);
  return swizzle;
}

/// What is XORed to the column: (row mod period) * vector.
Value maskOf(RewriterBase &rewriter, Location loc, Value row,
             const Swizzle &swizzle) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  Value low =
      arith::AndIOp::create(rewriter, loc, row, constant(swizzle.period - 1));
  if (swizzle.vector == 1)
    return low;
  return arith::MulIOp::create(rewriter, loc, low, constant(swizzle.vector));
}

} // namespace

void SwizzleShared::clauses(ArrayRef<Operation *> targets,
                            DictionaryAttr params, const StepContext &context,
                            SmallVectorImpl<ClauseResult> &results) const {
  auto alloc = cast<memref::AllocOp>(targets[0]);
  Location loc = alloc.getLoc();
  results.push_back(wholeBytes(loc, alloc));
  if (results.back().truth != Truth::proved)
    return;
  Swizzle swizzle = swizzleOf(alloc, params, context.target);
  int64_t length = alloc.getType().getShape().back();
  ClauseResult injective = formClause(
      loc, "layout_injective", ClauseClass::layout, swizzle.isInjective(length),
      "a permutation of each row of " + Twine(length) + " elements",
      "XOR of units of " + Twine(swizzle.vector) + " by the row modulo " +
          Twine(swizzle.period));
  injective.engine = "enumeration";
  injective.nearestLegal =
      std::to_string(chooseSwizzle(length, swizzle.vector,
                                   alloc.getType().getElementTypeBitWidth() / 8,
                                   context.target.sharedBanks * 4)
                         .period);
  results.push_back(injective);
  results.push_back(formClause(loc, "layout_changes", ClauseClass::layout,
                               swizzle.period > 1,
                               "rows of at least two units that a power of two "
                               "divides",
                               "period " + Twine(swizzle.period)));
  Operation *foreign = nullptr, *wide = nullptr;
  for (Operation *user : alloc->getUsers()) {
    std::optional<Accessor> accessor = accessorOf(user, alloc);
    if (!accessor) {
      foreign = user;
      continue;
    }
    bool whole = swizzle.vector % accessor->width == 0 &&
                 (accessor->width == 1 ||
                  knownDivisor(accessor->column->get()) % accessor->width == 0);
    if (!whole)
      wide = user;
  }
  results.push_back(formClause(
      foreign ? foreign->getLoc() : loc, "known_accessors", ClauseClass::layout,
      !foreign, "only loads and stores of scalars and vectors, without views",
      foreign ? foreign->getName().getStringRef() : StringRef("only these")));
  results.push_back(formClause(
      wide ? wide->getLoc() : loc, "access_in_unit", ClauseClass::layout, !wide,
      "accesses inside one unit of " + Twine(swizzle.vector) + " elements",
      wide ? "one that may cross units" : "only these"));
}

FailureOr<StepOutcome> SwizzleShared::apply(RewriterBase &rewriter,
                                            ArrayRef<Operation *> targets,
                                            DictionaryAttr params,
                                            const StepContext &context,
                                            ArrayRef<ClauseResult>) const {
  auto alloc = cast<memref::AllocOp>(targets[0]);
  Swizzle swizzle = swizzleOf(alloc, params, context.target);
  SmallVector<Operation *> users(alloc->getUsers());
  for (Operation *user : users) {
    Accessor accessor = *accessorOf(user, alloc);
    rewriter.setInsertionPoint(user);
    Value mask = maskOf(rewriter, user->getLoc(), accessor.row->get(), swizzle);
    Value column = arith::XOrIOp::create(rewriter, user->getLoc(),
                                         accessor.column->get(), mask);
    rewriter.modifyOpInPlace(user, [&] { accessor.column->set(column); });
  }
  StepOutcome outcome;
  outcome.locus = alloc;
  outcome.handles = {{"alloc", {alloc}}};
  outcome.undoFacts.push_back(rewriter.getNamedAttr(
      "period", rewriter.getI64IntegerAttr(swizzle.period)));
  return outcome;
}

/// XOR with the same mask again is the identity; folding does the rest, but for
/// what canonicalization turned into other operations.
FailureOr<SmallVector<Operation *>>
SwizzleShared::undo(RewriterBase &rewriter, Operation *locus,
                    DictionaryAttr params, const StepContext &context) const {
  auto alloc = dyn_cast<memref::AllocOp>(locus);
  if (!alloc || !isWorkgroup(alloc.getType()))
    return locus->emitError()
           << "undo of " << getName() << " expects a shared buffer";
  Swizzle swizzle = swizzleOf(alloc, params, context.target);
  SmallVector<Operation *> users(alloc->getUsers());
  for (Operation *user : users) {
    std::optional<Accessor> accessor = accessorOf(user, alloc);
    if (!accessor)
      return user->emitError() << "undo of " << getName()
                               << " expects loads and stores of the buffer";
    rewriter.setInsertionPoint(user);
    Value mask =
        maskOf(rewriter, user->getLoc(), accessor->row->get(), swizzle);
    Value column = arith::XOrIOp::create(rewriter, user->getLoc(),
                                         accessor->column->get(), mask);
    rewriter.modifyOpInPlace(user, [&] { accessor->column->set(column); });
  }
  return SmallVector<Operation *>{alloc};
}

std::unique_ptr<StepKind> klineage::createSwizzleShared() {
  return std::make_unique<SwizzleShared>();
}
