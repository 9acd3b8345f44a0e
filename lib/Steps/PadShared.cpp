//===- PadShared.cpp - Rows of a shared buffer padded against bank conflicts
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "KLineage/Steps/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace klineage;

namespace {

class PadShared final : public StepKind {
public:
  PadShared() : StepKind("pad_shared", "Pad the rows of a shared buffer") {}
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override {
    auto alloc = targets.size() == 1 ? dyn_cast<memref::AllocOp>(targets[0])
                                     : memref::AllocOp();
    if (!alloc || !isWorkgroup(alloc.getType()) ||
        !alloc.getType().hasStaticShape() || alloc.getType().getRank() < 2)
      return targets[0]->emitError()
             << getName()
             << " takes one static allocation of shared memory "
                "with at least two dimensions";
    return verifyRange(targets[0], params, "pad", 1, 128);
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

/// Views that the padding passes through, and whether all users are known.
struct Users {
  int64_t widest = 1; ///< bytes of the widest vector access
  Operation *foreign = nullptr;

  void visit(Value buffer) {
    for (Operation *user : buffer.getUsers()) {
      if (isa<memref::SubViewOp, memref::ExpandShapeOp, memref::CastOp>(user)) {
        visit(user->getResult(0));
      } else if (auto load = dyn_cast<vector::LoadOp>(user)) {
        note(load.getVectorType());
      } else if (auto store = dyn_cast<vector::StoreOp>(user)) {
        note(store.getVectorType());
      } else if (!isa<memref::LoadOp, memref::StoreOp, linalg::LinalgOp>(
                     user)) {
        foreign = user;
      }
    }
  }
  void note(VectorType type) {
    widest = std::max<int64_t>(widest, type.getNumElements() *
                                           type.getElementTypeBitWidth() / 8);
  }
};

/// Replaces `before` by `after`, which has other strides; views are made anew.
void replaceBuffer(RewriterBase &rewriter, Value before, Value after) {
  for (OpOperand &use : llvm::make_early_inc_range(before.getUses())) {
    Operation *user = use.getOwner();
    rewriter.setInsertionPoint(user);
    Value view;
    if (auto subview = dyn_cast<memref::SubViewOp>(user)) {
      auto offsets = subview.getMixedOffsets(), sizes = subview.getMixedSizes(),
           strides = subview.getMixedStrides();
      auto type =
          cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
              subview.getType().getShape(), cast<MemRefType>(after.getType()),
              offsets, sizes, strides));
      view = memref::SubViewOp::create(rewriter, subview.getLoc(), type, after,
                                       offsets, sizes, strides);
    } else if (auto expand = dyn_cast<memref::ExpandShapeOp>(user)) {
      view = memref::ExpandShapeOp::create(rewriter, expand.getLoc(),
                                           expand.getType().getShape(), after,
                                           expand.getReassociationIndices());
    } else if (isa<memref::CastOp>(user)) {
      view = after;
    } else {
      rewriter.modifyOpInPlace(user, [&] { use.set(after); });
      continue;
    }
    replaceBuffer(rewriter, user->getResult(0), view);
    rewriter.eraseOp(user);
  }
}

} // namespace

void PadShared::clauses(ArrayRef<Operation *> targets, DictionaryAttr params,
                        const StepContext &context,
                        SmallVectorImpl<ClauseResult> &results) const {
  auto alloc = cast<memref::AllocOp>(targets[0]);
  MemRefType type = alloc.getType();
  results.push_back(wholeBytes(alloc.getLoc(), alloc));
  if (results.back().truth != Truth::proved)
    return;
  int64_t pad = intParam(params, "pad");
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  int64_t rows = type.getNumElements() / type.getShape().back();
  int64_t total = rows * (type.getShape().back() + pad) * bytes;
  Operation *scope = alloc->getParentOp();
  scope->walk([&](memref::AllocOp other) {
    if (other != alloc && isWorkgroup(other.getType()) &&
        other.getType().hasStaticShape() &&
        other.getType().getElementType().isIntOrFloat())
      total += other.getType().getNumElements() *
               llvm::divideCeil(other.getType().getElementTypeBitWidth(), 8);
  });
  results.push_back(sharedCapacity(alloc.getLoc(), total, context.target));
  Users users;
  users.visit(alloc);
  results.push_back(
      formClause(users.foreign ? users.foreign->getLoc() : alloc.getLoc(),
                 "known_accessors", ClauseClass::layout, !users.foreign,
                 "only loads, stores and strided views of the buffer",
                 users.foreign ? users.foreign->getName().getStringRef()
                               : StringRef("only these")));
  int64_t row = (type.getShape().back() + pad) * bytes;
  ClauseResult aligned = formClause(
      alloc.getLoc(), "aligned", ClauseClass::storage, row % users.widest == 0,
      "padded rows of a multiple of " + Twine(users.widest) + " bytes",
      Twine(row) + " bytes");
  aligned.nearestLegal =
      std::to_string(llvm::alignTo(pad * bytes, users.widest) / bytes);
  results.push_back(aligned);
}

FailureOr<StepOutcome> PadShared::apply(RewriterBase &rewriter,
                                        ArrayRef<Operation *> targets,
                                        DictionaryAttr params,
                                        const StepContext &,
                                        ArrayRef<ClauseResult>) const {
  auto alloc = cast<memref::AllocOp>(targets[0]);
  SmallVector<int64_t> shape(alloc.getType().getShape());
  SmallVector<OpFoldResult> sizes;
  for (int64_t extent : shape)
    sizes.push_back(rewriter.getIndexAttr(extent));
  shape.back() += intParam(params, "pad");
  rewriter.setInsertionPoint(alloc);
  auto padded = memref::AllocOp::create(
      rewriter, alloc.getLoc(),
      MemRefType::get(shape, alloc.getType().getElementType(), AffineMap(),
                      alloc.getType().getMemorySpace()),
      alloc.getAlignmentAttr());
  SmallVector<OpFoldResult> zeros(shape.size(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(shape.size(), rewriter.getIndexAttr(1));
  Value view = memref::SubViewOp::create(rewriter, alloc.getLoc(), padded,
                                         zeros, sizes, ones);
  replaceBuffer(rewriter, alloc, view);
  rewriter.eraseOp(alloc);
  StepOutcome outcome;
  outcome.locus = padded;
  outcome.handles = {{"alloc", {padded}}};
  return outcome;
}

FailureOr<SmallVector<Operation *>> PadShared::undo(RewriterBase &rewriter,
                                                    Operation *locus,
                                                    DictionaryAttr params,
                                                    const StepContext &) const {
  auto padded = dyn_cast<memref::AllocOp>(locus);
  int64_t pad = intParam(params, "pad");
  if (!padded || !isWorkgroup(padded.getType()) ||
      padded.getType().getShape().back() <= pad)
    return locus->emitError()
           << "undo of " << getName() << " expects a padded shared buffer";
  SmallVector<int64_t> shape(padded.getType().getShape());
  shape.back() -= pad;
  rewriter.setInsertionPoint(padded);
  auto alloc = memref::AllocOp::create(
      rewriter, padded.getLoc(),
      MemRefType::get(shape, padded.getType().getElementType(), AffineMap(),
                      padded.getType().getMemorySpace()),
      padded.getAlignmentAttr());
  replaceBuffer(rewriter, padded, alloc);
  rewriter.eraseOp(padded);
  return SmallVector<Operation *>{alloc};
}

std::unique_ptr<StepKind> klineage::createPadShared() {
  return std::make_unique<PadShared>();
}
