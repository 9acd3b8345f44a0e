//===- RowRaise.cpp - From a loop over rows back to operations in host form
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "RowGroup.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace klineage;

namespace {
class RowRaiser {
public:
  RowRaiser(RewriterBase &b, scf::ForallOp rows, DictionaryAttr facts)
      : b(b), rows(rows), loc(rows.getLoc()) {
    buffers = facts.getAs<ArrayAttr>("buffers");
    stages = facts.getAs<ArrayAttr>("stages");
    seed = intParam(facts, "seed", -1);
    rows.walk([&](linalg::LinalgOp op) {
      if (auto stage = op->getAttrOfType<IntegerAttr>(kStageAttr))
        emitted[stage.getInt()] = op;
    });
  }

  FailureOr<Operation *> run();

private:
  LogicalResult makeBuffers();
  FailureOr<linalg::LinalgOp> raise(DictionaryAttr stage, int64_t number);
  linalg::LinalgOp raiseInitial(ArrayRef<int64_t> ids);
  void unmask(linalg::GenericOp generic);

  RewriterBase &b;
  scf::ForallOp rows;
  Location loc;
  ArrayAttr buffers, stages;
  int64_t seed = -1;
  DenseMap<int64_t, linalg::LinalgOp> emitted;
  SmallVector<Value> values;
};
} // namespace

LogicalResult RowRaiser::makeBuffers() {
  auto entry = rows->getParentOfType<FunctionOpInterface>();
  for (auto buffer : buffers.getAsRange<DictionaryAttr>()) {
    if (auto arg = buffer.getAs<IntegerAttr>("arg")) {
      if (arg.getInt() < 0 || arg.getInt() >= entry.getNumArguments())
        return failure();
      values.push_back(entry.getArgument(arg.getInt()));
      continue;
    }
    auto type = buffer.getAs<TypeAttr>("type");
    auto memref = type ? dyn_cast<MemRefType>(type.getValue()) : MemRefType();
    SmallVector<int64_t> sources = intArrayParam(buffer, "sizes");
    if (!memref || sources.size() != 2 * size_t(memref.getNumDynamicDims()))
      return failure();
    SmallVector<Value> sizes;
    for (size_t i = 0; i < sources.size(); i += 2)
      sizes.push_back(memref::DimOp::create(
          b, loc, entry.getArgument(sources[i]), sources[i + 1]));
    int64_t alignment = intParam(buffer, "alignment");
    values.push_back(memref::AllocOp::create(
        b, loc, memref, sizes,
        alignment ? b.getI64IntegerAttr(alignment) : IntegerAttr()));
  }
  return success();
}

/// The select that masks the tail of a row goes away; what computed its
/// condition is dead then.
void RowRaiser::unmask(linalg::GenericOp generic) {
  Operation *combiner = findCombiner(generic);
  if (!combiner)
    return;
  for (OpOperand &operand : combiner->getOpOperands()) {
    auto select = operand.get().getDefiningOp<arith::SelectOp>();
    if (select)
      operand.set(select.getTrueValue());
  }
  SmallVector<Operation *> body;
  for (Operation &op : generic.getBlock()->without_terminator())
    body.push_back(&op);
  for (Operation *op : llvm::reverse(body))
    if (op->use_empty() && isMemoryEffectFree(op))
      b.eraseOp(op);
}

/// A reduction starts from its neutral element.
linalg::LinalgOp RowRaiser::raiseInitial(ArrayRef<int64_t> ids) {
  for (auto [number, stage] :
       llvm::enumerate(stages.getAsRange<DictionaryAttr>())) {
    linalg::LinalgOp reduction = emitted.lookup(number);
    if (intParam(stage, "role") != int64_t(RowRole::reduction) || !reduction ||
        intArrayParam(stage, "operands").back() != ids.back())
      continue;
    Operation *combiner = findCombiner(reduction);
    std::optional<TypedAttr> neutral =
        combiner ? neutralElementOf(combiner) : std::nullopt;
    if (!neutral)
      return {};
    Value value = arith::ConstantOp::create(b, loc, *neutral);
    return linalg::FillOp::create(b, loc, value, values[ids.back()]);
  }
  return {};
}

FailureOr<linalg::LinalgOp> RowRaiser::raise(DictionaryAttr stage,
                                             int64_t number) {
  SmallVector<int64_t> ids = intArrayParam(stage, "operands");
  if (llvm::any_of(ids,
                   [&](int64_t id) { return id >= int64_t(values.size()); }))
    return failure();
  if (intParam(stage, "role") == int64_t(RowRole::initial)) {
    linalg::LinalgOp fill = raiseInitial(ids);
    if (!fill)
      return failure();
    return fill;
  }
  linalg::LinalgOp op = emitted.lookup(number);
  if (!op || op->getNumOperands() != ids.size())
    return failure();
  SmallVector<Value> operands;
  for (auto [id, operand] : llvm::zip(ids, op->getOperands()))
    operands.push_back(id < 0 ? operand : values[id]);
  if (isa<linalg::FillOp>(op))
    return linalg::LinalgOp(
        linalg::FillOp::create(b, loc, operands[0], operands[1]));
  SmallVector<AffineMap> maps;
  for (auto map : stage.getAs<ArrayAttr>("maps").getAsRange<AffineMapAttr>())
    maps.push_back(map.getValue());
  SmallVector<utils::IteratorType> iterators(maps.back().getNumDims(),
                                             utils::IteratorType::parallel);
  if (intParam(stage, "role") == int64_t(RowRole::reduction))
    iterators.back() = utils::IteratorType::reduction;
  size_t inputs = op.getNumDpsInputs();
  auto generic = linalg::GenericOp::create(
      b, op.getLoc(), ValueRange(operands).take_front(inputs),
      ValueRange(operands).drop_front(inputs), maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  if (op->hasAttr(kMaskedAttr))
    unmask(generic);
  return linalg::LinalgOp(generic);
}

FailureOr<Operation *> RowRaiser::run() {
  auto malformed = [&]() -> FailureOr<Operation *> {
    return rows.emitError("undo of block_row_reduction expects the recorded "
                          "stages in the loop over rows");
  };
  if (!buffers || !stages || seed < 0)
    return malformed();
  b.setInsertionPoint(rows);
  if (failed(makeBuffers()))
    return malformed();
  Operation *seedOp = nullptr;
  for (auto [number, stage] :
       llvm::enumerate(stages.getAsRange<DictionaryAttr>())) {
    FailureOr<linalg::LinalgOp> raised = raise(stage, number);
    if (failed(raised))
      return malformed();
    if (int64_t(number) == seed)
      seedOp = *raised;
  }
  if (!seedOp)
    return malformed();
  b.eraseOp(rows);
  return seedOp;
}

FailureOr<Operation *> klineage::raiseRows(RewriterBase &rewriter,
                                           scf::ForallOp rows,
                                           DictionaryAttr facts) {
  return RowRaiser(rewriter, rows, facts).run();
}
