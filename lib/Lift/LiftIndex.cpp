//===- LiftIndex.cpp - Address arithmetic moves to index
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lift/Passes.h"
#include "Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace klineage {
#define GEN_PASS_DEF_LIFTINDEXPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {
/// index_cast(a + b) is index_cast(a) + index_cast(b) if a + b cannot wrap as a
/// signed number. At 64 bits it always is: index has 64 bits, too.
template <typename Op> struct PushCast : OpRewritePattern<arith::IndexCastOp> {
  PushCast(MLIRContext *context, bool assume)
      : OpRewritePattern(context), assume(assume) {}

  LogicalResult matchAndRewrite(arith::IndexCastOp cast,
                                PatternRewriter &rewriter) const override {
    auto op = cast.getIn().getDefiningOp<Op>();
    if (!op || !cast.getType().isIndex())
      return failure();
    bool exact = op.getType().getIntOrFloatBitWidth() == 64 ||
                 bitEnumContainsAny(op.getOverflowFlags(),
                                    arith::IntegerOverflowFlags::nsw);
    if (!exact && !assume)
      return failure();
    if (!exact)
      stampAssumption(op, "index-no-wrap");
    Type type = cast.getType();
    Location loc = op.getLoc();
    Value lhs = arith::IndexCastOp::create(rewriter, loc, type, op.getLhs());
    Value rhs = arith::IndexCastOp::create(rewriter, loc, type, op.getRhs());
    rewriter.replaceOpWithNewOp<Op>(cast, lhs, rhs);
    return success();
  }

  bool assume;
};

/// index_cast(extsi(a)) and, for an a that is no less than zero, of extui(a).
struct DropExtension : OpRewritePattern<arith::IndexCastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::IndexCastOp cast,
                                PatternRewriter &rewriter) const override {
    if (!cast.getType().isIndex())
      return failure();
    if (auto extension = cast.getIn().getDefiningOp<arith::ExtSIOp>()) {
      rewriter.replaceOpWithNewOp<arith::IndexCastOp>(cast, cast.getType(),
                                                      extension.getIn());
      return success();
    }
    if (auto extension = cast.getIn().getDefiningOp<arith::ExtUIOp>()) {
      rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(cast, cast.getType(),
                                                        extension.getIn());
      return success();
    }
    return failure();
  }
};

/// Positions and extents of grids and blocks need 31 bits, so i32 holds them,
/// with a sign and without.
template <typename CastOp> struct DropRoundTrip : OpRewritePattern<CastOp> {
  using OpRewritePattern<CastOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp cast,
                                PatternRewriter &rewriter) const override {
    auto inner = cast.getIn().template getDefiningOp<arith::IndexCastOp>();
    if (!cast.getType().isIndex() || !inner)
      return failure();
    Operation *source = inner.getIn().getDefiningOp();
    if (!source ||
        !isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp,
             gpu::LaneIdOp>(source) ||
        inner.getType().getIntOrFloatBitWidth() < 32)
      return failure();
    rewriter.replaceOp(cast, inner.getIn());
    return success();
  }
};

/// A signed loop over i32 or i64 counts in index: scf.for has no wrap.
struct IndexLoop : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override {
    Type old = loop.getInductionVar().getType();
    if (old.isIndex() || loop.getUnsignedCmp())
      return failure();
    Location loc = loop.getLoc();
    Type index = rewriter.getIndexType();
    auto cast = [&](Value value) {
      return arith::IndexCastOp::create(rewriter, loc, index, value)
          .getResult();
    };
    Value bounds[] = {cast(loop.getLowerBound()), cast(loop.getUpperBound()),
                      cast(loop.getStep())};
    rewriter.modifyOpInPlace(loop, [&] {
      loop.setLowerBound(bounds[0]);
      loop.setUpperBound(bounds[1]);
      loop.setStep(bounds[2]);
      loop.getInductionVar().setType(index);
      rewriter.setInsertionPointToStart(loop.getBody());
      auto back = arith::IndexCastOp::create(rewriter, loc, old,
                                             loop.getInductionVar());
      loop.getInductionVar().replaceAllUsesExcept(back, back);
    });
    return success();
  }
};

/// index -> i32 -> index of a loop counter: the loop counted in i32 before, so
/// nothing was cut off.
struct DropCounterTrip : OpRewritePattern<arith::IndexCastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::IndexCastOp cast,
                                PatternRewriter &rewriter) const override {
    auto inner = cast.getIn().getDefiningOp<arith::IndexCastOp>();
    if (!cast.getType().isIndex() || !inner)
      return failure();
    auto iv = dyn_cast<BlockArgument>(inner.getIn());
    auto loop =
        iv ? dyn_cast<scf::ForOp>(iv.getOwner()->getParentOp()) : nullptr;
    if (!loop || loop.getInductionVar() != iv)
      return failure();
    // Both bounds come from the narrow type, hence so does each value between.
    auto narrow = [&](Value bound) {
      if (auto constant = constantOf(bound))
        return llvm::isIntN(inner.getType().getIntOrFloatBitWidth(), *constant);
      if (Operation *source = bound.getDefiningOp();
          source && isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::LaneIdOp>(source))
        return true;
      auto from = bound.getDefiningOp<arith::IndexCastOp>();
      return from && !from.getIn().getType().isIndex() &&
             from.getIn().getType().getIntOrFloatBitWidth() <=
                 inner.getType().getIntOrFloatBitWidth();
    };
    if (inner.getType().getIntOrFloatBitWidth() < 64 &&
        (!narrow(loop.getLowerBound()) || !narrow(loop.getUpperBound())))
      return failure();
    rewriter.replaceOp(cast, inner.getIn());
    return success();
  }
};

struct LiftIndex : klineage::impl::LiftIndexPassBase<LiftIndex> {
  using LiftIndexPassBase::LiftIndexPassBase;

  void runOnOperation() override {
    // One after the other: bounds are judged by the casts that they have.
    RewritePatternSet loops(&getContext());
    loops.add<IndexLoop>(&getContext());
    RewritePatternSet casts(&getContext());
    casts.add<PushCast<arith::AddIOp>, PushCast<arith::SubIOp>,
              PushCast<arith::MulIOp>>(&getContext(), assumeNoWrap);
    casts.add<DropExtension, DropRoundTrip<arith::IndexCastOp>,
              DropRoundTrip<arith::IndexCastUIOp>, DropCounterTrip>(
        &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(loops))) ||
        failed(applyPatternsGreedily(getOperation(), std::move(casts))))
      signalPassFailure();
  }
};
} // namespace
