//===- PromoteShared.cpp - A tile of an input staged in shared memory
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "KLineage/Steps/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace klineage;

namespace {

class PromoteShared final : public StepKind {
public:
  PromoteShared()
      : StepKind("promote_shared", "Stage an input's tile in shared memory") {}
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override;
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

/// Bytes of a buffer of that shape, or nullopt on overflow.
std::optional<int64_t> bytesOf(MemRefType type, ArrayRef<int64_t> shape) {
  std::optional<int64_t> bytes = (type.getElementTypeBitWidth() + 7) / 8;
  for (int64_t extent : shape)
    bytes = bytes ? llvm::checkedMul(*bytes, extent) : bytes;
  return bytes;
}

/// Shared bytes that the block loop around `op` uses already.
int64_t sharedInUse(Operation *op) {
  int64_t bytes = 0;
  if (scf::ForallOp loop = enclosingBlockLoop(op))
    loop.walk([&](memref::AllocOp alloc) {
      if (isWorkgroup(alloc.getType()))
        bytes +=
            bytesOf(alloc.getType(), alloc.getType().getShape()).value_or(0);
    });
  return bytes;
}

} // namespace

LogicalResult PromoteShared::verify(ArrayRef<Operation *> targets,
                                    DictionaryAttr params) const {
  FailureOr<linalg::LinalgOp> op = verifyLinalgTarget(targets, getName());
  if (failed(op))
    return failure();
  return verifyRange(*op, params, "operand", 0, op->getNumDpsInputs() - 1);
}

void PromoteShared::clauses(ArrayRef<Operation *> targets,
                            DictionaryAttr params, const StepContext &context,
                            SmallVectorImpl<ClauseResult> &results) const {
  auto op = cast<linalg::LinalgOp>(targets[0]);
  Location loc = op.getLoc();
  scf::ForallOp block = enclosingBlockLoop(op);
  results.push_back(formClause(loc, "block_program", ClauseClass::types,
                               block && !threadLoopOf(block),
                               "an operation of a block program",
                               !block                ? "no block loop around it"
                               : threadLoopOf(block) ? "a SIMT body"
                                                     : "a block program"));
  Value tile = op->getOperand(intParam(params, "operand"));
  auto type = dyn_cast<MemRefType>(tile.getType());
  bool global = type && !isWorkgroup(type) && !isPrivate(type);
  results.push_back(formClause(loc, "global_operand", ClauseClass::storage,
                               global, "an operand in global memory",
                               !type    ? "a scalar"
                               : global ? "one"
                                        : "one in another memory space"));
  if (!global || !block)
    return;
  results.push_back(wholeBytes(loc, tile));
  if (results.back().truth != Truth::proved)
    return;
  SmallVector<int64_t> shape = boundedShape(tile);
  bool bounded = int64_t(shape.size()) == type.getRank();
  results.push_back(formClause(loc, "static_extent", ClauseClass::layout,
                               bounded, "a tile of bounded size",
                               bounded ? "a static bound" : "no static bound"));
  if (!bounded)
    return;
  std::optional<int64_t> bytes = bytesOf(type, shape);
  results.push_back(sharedCapacity(
      loc, bytes ? *bytes + sharedInUse(op) : INT64_MAX, context.target));
  // The copy stands right before the reader, so only the reader can interfere.
  for (Value init : op.getDpsInits())
    results.push_back(noAlias(loc, tile, init));
}

FailureOr<StepOutcome> PromoteShared::apply(RewriterBase &rewriter,
                                            ArrayRef<Operation *> targets,
                                            DictionaryAttr params,
                                            const StepContext &,
                                            ArrayRef<ClauseResult>) const {
  auto op = cast<linalg::LinalgOp>(targets[0]);
  Location loc = op.getLoc();
  int64_t operand = intParam(params, "operand");
  Value tile = op->getOperand(operand);
  auto type = cast<MemRefType>(tile.getType());
  SmallVector<int64_t> shape = boundedShape(tile);

  scf::ForallOp block = enclosingBlockLoop(op);
  rewriter.setInsertionPointToStart(block.getBody());
  auto alloc = memref::AllocOp::create(
      rewriter, loc, withSpace(type, shape, gpu::AddressSpace::Workgroup),
      rewriter.getI64IntegerAttr(16));
  rewriter.setInsertionPoint(op);
  Value staged = alloc;
  if (!type.hasStaticShape()) {
    SmallVector<OpFoldResult> zeros(shape.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(shape.size(), rewriter.getIndexAttr(1));
    staged = memref::SubViewOp::create(
        rewriter, loc, alloc, zeros,
        tile.getDefiningOp<memref::SubViewOp>().getMixedSizes(), ones);
  }
  auto copy = linalg::CopyOp::create(rewriter, loc, tile, staged);
  rewriter.modifyOpInPlace(op, [&] { op->setOperand(operand, staged); });
  StepOutcome outcome;
  outcome.locus = copy;
  outcome.handles = {{"target", {op}}, {"copy", {copy}}, {"alloc", {alloc}}};
  return outcome;
}

FailureOr<SmallVector<Operation *>>
PromoteShared::undo(RewriterBase &rewriter, Operation *locus,
                    DictionaryAttr params, const StepContext &) const {
  auto copy = dyn_cast<linalg::CopyOp>(locus);
  if (!copy || !isWorkgroup(copy.getOutputs()[0].getType()))
    return locus->emitError()
           << "undo of " << getName() << " expects a copy to shared memory";
  Value staged = copy.getOutputs()[0];
  int64_t operand = intParam(params, "operand");
  Operation *reader = nullptr;
  for (OpOperand &use : staged.getUses())
    if (use.getOwner() != copy && int64_t(use.getOperandNumber()) == operand &&
        isa<linalg::LinalgOp>(use.getOwner()))
      reader = use.getOwner();
  if (!reader)
    return locus->emitError()
           << "undo of " << getName() << " finds no reader of the shared tile";
  rewriter.modifyOpInPlace(
      reader, [&] { reader->setOperand(operand, copy.getInputs()[0]); });
  rewriter.eraseOp(copy);
  return SmallVector<Operation *>{reader};
}

std::unique_ptr<StepKind> klineage::createPromoteShared() {
  return std::make_unique<PromoteShared>();
}
