//===- RowRaise.cpp - Row-wise operations out of the kernel that computes them
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowGroup.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <map>

using namespace mlir;
using namespace klineage;

namespace {

/// Value, buffer and indices of a load or a store of scalars or vectors.
struct Access {
  Value value, buffer;
  SmallVector<Value> indices;
  bool write = false;
};

std::optional<Access> accessOf(Operation *op) {
  auto make = [](Value value, Value buffer, ValueRange indices, bool write) {
    return Access{value, buffer, SmallVector<Value>(indices), write};
  };
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return make(load, load.getMemRef(), load.getIndices(), false);
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return make(load, load.getBase(), load.getIndices(), false);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return make(store.getValueToStore(), store.getMemRef(), store.getIndices(),
                true);
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return make(store.getValueToStore(), store.getBase(), store.getIndices(),
                true);
  return std::nullopt;
}

class RowRaiser {
public:
  RowRaiser(RewriterBase &b, scf::ForallOp rows, DictionaryAttr facts)
      : b(b), rows(rows), facts(facts), rowRank(rows.getRank()) {}

  FailureOr<Operation *> run();

private:
  LogicalResult readTemporaries();
  LogicalResult findOutputs();
  std::optional<RowSource> loadedFrom(Value local);
  Value storedTo(Value local);
  Value reducedInto(Value partial);
  FailureOr<linalg::LinalgOp> raise(linalg::LinalgOp op, bool unitLoop);
  static void unmask(linalg::LinalgOp op);

  RewriterBase &b;
  scf::ForallOp rows;
  DictionaryAttr facts;
  int64_t rowRank;
  std::map<int64_t, SmallVector<linalg::LinalgOp>> stages;
  std::map<int64_t, Value> temporaries; ///< by the stage that computes them
  DenseMap<Value, RowSource> computed;  ///< by private buffer
};

/// Makes the temporaries that live in registers, from the recorded facts.
LogicalResult RowRaiser::readTemporaries() {
  auto list = facts.getAs<ArrayAttr>("temporaries");
  if (!list)
    return rows.emitError("undo of block_row_reduction finds no 'temporaries'");
  auto entry = rows->getParentOfType<func::FuncOp>();
  Type element;
  for (Attribute attr : list) {
    SmallVector<int64_t> values;
    if (auto array = dyn_cast<ArrayAttr>(attr))
      for (Attribute value : array)
        if (auto integer = dyn_cast<IntegerAttr>(value))
          values.push_back(integer.getInt());
    if (values.size() < 3 || !stages.count(values[0]) || values[2] < 0 ||
        int64_t(values.size()) < 3 + values[2])
      return rows.emitError(
                 "undo of block_row_reduction finds no temporary in ")
             << attr;
    SmallVector<int64_t> shape(ArrayRef<int64_t>(values).slice(3, values[2]));
    ArrayRef<int64_t> rest =
        ArrayRef<int64_t>(values).drop_front(3 + values[2]);
    SmallVector<Value> sizes;
    for (int64_t &extent : shape) {
      if (extent >= 0)
        continue;
      extent = ShapedType::kDynamic;
      if (rest.size() < 2 || rest[0] < 0 ||
          rest[0] >= int64_t(entry.getNumArguments()))
        return rows.emitError(
            "undo of block_row_reduction finds no size of a temporary");
      sizes.push_back(memref::DimOp::create(
          b, rows.getLoc(), entry.getArgument(rest[0]), rest[1]));
      rest = rest.drop_front(2);
    }
    linalg::LinalgOp op = stages[values[0]].front();
    element = cast<MemRefType>(op.getDpsInits()[0].getType()).getElementType();
    temporaries[values[0]] = memref::AllocOp::create(
        b, rows.getLoc(), MemRefType::get(shape, element), sizes,
        values[1] ? b.getI64IntegerAttr(values[1]) : IntegerAttr());
  }
  return success();
}

/// Where the contents of a private buffer were loaded from.
std::optional<RowSource> RowRaiser::loadedFrom(Value local) {
  for (Operation *user : local.getUsers()) {
    std::optional<Access> store = accessOf(user);
    if (!store || !store->write || store->buffer != local)
      continue;
    Operation *producer = store->value.getDefiningOp();
    std::optional<Access> load =
        producer ? accessOf(producer) : std::optional<Access>();
    if (!load || isPrivate(load->buffer.getType()))
      continue;
    RowSource source{load->buffer, {}};
    bool column = cast<MemRefType>(local.getType()).getRank() > 0;
    SmallVector<Value> rowIds = rows.getInductionVars();
    for (auto [position, index] : llvm::enumerate(load->indices)) {
      int64_t loop = llvm::find(rowIds, index) - rowIds.begin();
      // What indexes no row is the column, at the end, or constant 0.
      bool last = column && position + 1 == load->indices.size();
      source.loops.push_back(last ? rowRank : loop == rowRank ? kNoLoop : loop);
    }
    return source;
  }
  return std::nullopt;
}

/// The memory that a private buffer is stored to, or null.
Value RowRaiser::storedTo(Value local) {
  for (Operation *user : local.getUsers()) {
    std::optional<Access> load = accessOf(user);
    if (!load || load->write)
      continue;
    for (Operation *next : load->value.getUsers())
      if (std::optional<Access> store = accessOf(next))
        if (store->write && !isPrivate(store->buffer.getType()))
          return store->buffer;
  }
  return {};
}

/// The private buffer that gets the block's reduction of `partial`.
Value RowRaiser::reducedInto(Value partial) {
  for (Operation *user : partial.getUsers()) {
    if (!isa<memref::LoadOp>(user))
      continue;
    for (Operation *next : user->getUsers()) {
      if (!isa<gpu::AllReduceOp>(next))
        continue;
      Operation *last = next;
      while (last->hasOneUse() && last->getNumResults() == 1) {
        last = *last->getUsers().begin();
        if (auto store = dyn_cast<memref::StoreOp>(last))
          return store.getMemRef();
      }
    }
  }
  return {};
}

static bool isReduction(linalg::LinalgOp op) {
  return op.getNumReductionLoops() > 0;
}

/// Which buffer of the host form each private result stands for.
LogicalResult RowRaiser::findOutputs() {
  auto loops = [&](Value buffer, bool column) {
    auto all = llvm::to_vector(llvm::seq<int64_t>(0, rowRank + column));
    all.resize(cast<MemRefType>(buffer.getType()).getRank(), kNoLoop);
    return all;
  };
  for (auto &[stage, copies] : stages) {
    bool reduction = isReduction(copies.front());
    Value buffer;
    if (auto it = temporaries.find(stage); it != temporaries.end())
      buffer = it->second;
    SmallVector<Value> locals;
    for (linalg::LinalgOp op : copies) {
      Value local = op.getDpsInits()[0];
      if (reduction)
        local = reducedInto(local);
      if (!local)
        return op.emitError("undo of block_row_reduction finds no reduction "
                            "over the block");
      locals.push_back(local);
      if (!buffer)
        buffer = storedTo(local);
    }
    bool initial =
        !buffer && isa<linalg::FillOp>(copies.front().getOperation());
    if (!buffer && !initial)
      return copies.front().emitError(
          "undo of block_row_reduction finds no buffer of the result");
    for (Value local : locals) {
      bool column = cast<MemRefType>(local.getType()).getRank() > 0;
      if (buffer)
        computed[local] = RowSource{buffer, loops(buffer, column)};
    }
  }
  return success();
}

/// Takes the condition that guards against columns outside of the row away.
void RowRaiser::unmask(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  Operation *yield = body->getTerminator();
  auto select = yield->getOperand(0).getDefiningOp<arith::SelectOp>();
  if (!select || select.getFalseValue() != body->getArguments().back())
    return;
  Operation *condition = select.getCondition().getDefiningOp();
  yield->setOperand(0, select.getTrueValue());
  select.erase();
  SmallVector<Operation *> dead{condition};
  while (!dead.empty()) {
    Operation *op = dead.pop_back_val();
    if (!op || op->getBlock() != body || !op->use_empty())
      continue;
    for (Value operand : op->getOperands())
      dead.push_back(operand.getDefiningOp());
    op->erase();
  }
}

FailureOr<linalg::LinalgOp> RowRaiser::raise(linalg::LinalgOp op,
                                             bool unitLoop) {
  MLIRContext *context = b.getContext();
  bool reduction = isReduction(op);
  Value result = op.getDpsInits()[0];
  if (reduction)
    result = reducedInto(result);
  int64_t loops = rowRank + (op.getNumLoops() > 0 || unitLoop);
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    Value local = op.isDpsInit(&operand) ? result : operand.get();
    RowSource source{local, {}};
    if (isa<MemRefType>(local.getType())) {
      auto it = computed.find(local);
      std::optional<RowSource> loaded;
      if (it != computed.end())
        loaded = it->second;
      else
        loaded = loadedFrom(local);
      if (!loaded)
        return op.emitError("undo of block_row_reduction finds no buffer of "
                            "an operand");
      source = *loaded;
    }
    operands.push_back(source.buffer);
    SmallVector<AffineExpr> exprs;
    for (int64_t loop : source.loops) {
      if (loop == kNoLoop && !unitLoop)
        exprs.push_back(getAffineConstantExpr(0, context));
      else
        exprs.push_back(
            getAffineDimExpr(loop == kNoLoop ? loops - 1 : loop, context));
    }
    maps.push_back(AffineMap::get(loops, 0, exprs, context));
  }
  auto copy = cast<linalg::LinalgOp>(mlir::clone(b, op, TypeRange(), operands));
  copy->removeAttr(kStageAttr);
  if (auto generic = dyn_cast<linalg::GenericOp>(copy.getOperation())) {
    if (reduction)
      unmask(copy);
    generic.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
    SmallVector<Attribute> iterators(
        loops,
        linalg::IteratorTypeAttr::get(context, utils::IteratorType::parallel));
    if (reduction)
      iterators.back() = linalg::IteratorTypeAttr::get(
          context, utils::IteratorType::reduction);
    generic.setIteratorTypesAttr(b.getArrayAttr(iterators));
  }
  return copy;
}

FailureOr<Operation *> RowRaiser::run() {
  rows.walk([&](linalg::LinalgOp op) {
    if (auto stage = op->getAttrOfType<IntegerAttr>(kStageAttr))
      stages[stage.getInt()].push_back(op);
  });
  b.setInsertionPoint(rows);
  if (stages.empty())
    return rows.emitError(
               "undo of block_row_reduction finds no operation with ")
           << kStageAttr;
  if (failed(readTemporaries()) || failed(findOutputs()))
    return failure();
  Operation *target = nullptr;
  int64_t wanted = intParam(facts, "stage");
  SmallVector<int64_t> unitLoops = intArrayParam(facts, "unit_loops");
  for (auto &[stage, copies] : stages) {
    FailureOr<linalg::LinalgOp> op =
        raise(copies.front(), llvm::is_contained(unitLoops, stage));
    if (failed(op))
      return failure();
    if (!target || stage == wanted)
      target = *op;
  }
  b.eraseOp(rows);
  return target;
}

} // namespace

FailureOr<Operation *> klineage::raiseRows(RewriterBase &rewriter,
                                           scf::ForallOp rows,
                                           DictionaryAttr facts) {
  return RowRaiser(rewriter, rows, facts).run();
}
