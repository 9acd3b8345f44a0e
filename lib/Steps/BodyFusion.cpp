//===- BodyFusion.cpp - Two elementwise bodies made one
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace klineage;

/// The only input of `consumer` that is the producer's output; -1 otherwise.
static int64_t fusedInput(linalg::LinalgOp producer,
                          linalg::LinalgOp consumer) {
  Value buffer = producer.getDpsInits()[0];
  int64_t found = -1;
  for (auto [index, input] : llvm::enumerate(consumer.getDpsInputs())) {
    if (input != buffer)
      continue;
    if (found >= 0)
      return -1;
    found = index;
  }
  return found;
}

static bool isTemporaryBetween(Value buffer, Operation *producer,
                               Operation *consumer) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  return alloc && llvm::all_of(buffer.getUsers(), [&](Operation *user) {
           return user == producer || user == consumer;
         });
}

/// What the producer computes: a value of its body.
static Value yieldedBy(linalg::LinalgOp producer) {
  return producer.getBlock()->getTerminator()->getOperand(0);
}

/// Marks, in a fused body, the operation that computes what a producer stored:
/// normalization reorders bodies, so positions in them mean nothing.
constexpr StringLiteral kCutAttr = "klineage.cut";

/// An operation or an argument of the body, not a value from outside, and not
/// what an earlier producer stored.
static bool isComputed(linalg::LinalgOp producer) {
  Value value = yieldedBy(producer);
  Operation *def = value.getDefiningOp();
  return value.getParentBlock() == producer.getBlock() &&
         !(def && def->hasAttr(kCutAttr));
}

static int64_t countCuts(linalg::LinalgOp op) {
  return llvm::count_if(*op.getBlock(), [](Operation &nested) {
    return nested.hasAttr(kCutAttr);
  });
}

/// A product that meets a sum is rounded once, not twice (docs/numerics.md).
static bool contracts(linalg::LinalgOp producer, linalg::LinalgOp consumer,
                      int64_t input) {
  return yieldedBy(producer).getDefiningOp<arith::MulFOp>() &&
         llvm::any_of(consumer.getBlock()->getArgument(input).getUsers(),
                      llvm::IsaPred<arith::AddFOp, arith::SubFOp>);
}

void BodyFusion::clauses(linalg::LinalgOp producer, linalg::LinalgOp consumer,
                         SmallVectorImpl<ClauseResult> &results) {
  Location loc = producer.getLoc();
  auto form = [&](StringRef name, ClauseClass cls, bool holds,
                  const Twine &expected, const Twine &found) {
    results.push_back(formClause(loc, name, cls, holds, expected,
                                 holds ? Twine("so") : found));
    return holds;
  };
  results.push_back(simpleMaps(producer));
  results.push_back(simpleMaps(consumer));
  bool generic = isa<linalg::GenericOp>(producer.getOperation()) &&
                 isa<linalg::GenericOp>(consumer.getOperation());
  bool single = producer.getNumDpsInits() == 1;
  if (!form("generic", ClauseClass::types, generic && single,
            "two linalg.generic, the producer with one output",
            "another operation"))
    return;
  bool parallel =
      producer.getNumParallelLoops() == producer.getNumLoops() &&
      producer.getMatchingIndexingMap(producer.getDpsInitOperand(0))
          .isPermutation() &&
      isComputed(producer) &&
      !producer.payloadUsesValueFromOperand(producer.getDpsInitOperand(0));
  form("elementwise", ClauseClass::types, parallel,
       "a producer that computes each element once",
       "a reduction or a constant");
  int64_t input = fusedInput(producer, consumer);
  if (!form("consumed_once", ClauseClass::storage, input >= 0,
            "one input of the consumer to be the producer's output",
            "none or several"))
    return;
  Value buffer = producer.getDpsInits()[0];
  form("temporary", ClauseClass::storage,
       isTemporaryBetween(buffer, producer, consumer),
       "a temporary with no other use", "a buffer with other uses");
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  form("size_recoverable", ClauseClass::layout,
       alloc && sizeSources(alloc).has_value(),
       "a temporary sized by constants and dimensions of arguments",
       "another size");
  form("no_recompute", ClauseClass::layout,
       consumer.getMatchingIndexingMap(consumer.getDpsInputOperand(input))
           .isPermutation(),
       "each element read once", "a broadcast: elements would be recomputed");
  results.push_back(noInterference(producer, consumer));
  for (Value init : consumer.getDpsInits())
    for (Value in : producer.getDpsInputs())
      if (isa<MemRefType>(in.getType()) && isa<MemRefType>(init.getType()))
        results.push_back(noAlias(loc, in, init));
}

/// Body of the fused operation: the producer's, then the consumer's. Returns
/// the number of the cut between them.
static int64_t fuseBodies(RewriterBase &rewriter, linalg::LinalgOp producer,
                          linalg::LinalgOp consumer, int64_t input,
                          Block *body) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(body);
  IRMapping mapping;
  unsigned producerInputs = producer.getNumDpsInputs();
  for (unsigned i = 0; i < producerInputs; ++i)
    mapping.map(producer.getBlock()->getArgument(i),
                body->getArgument(input + i));
  for (Operation &op : producer.getBlock()->without_terminator())
    rewriter.clone(op, mapping);
  Value produced = mapping.lookup(yieldedBy(producer));
  int64_t cut = countCuts(producer) + countCuts(consumer);
  if (Operation *def = produced.getDefiningOp())
    def->setAttr(kCutAttr, rewriter.getI64IntegerAttr(cut));
  for (BlockArgument arg : consumer.getBlock()->getArguments()) {
    unsigned number = arg.getArgNumber();
    if (number == unsigned(input))
      mapping.map(arg, produced);
    else
      mapping.map(arg, body->getArgument(number < unsigned(input)
                                             ? number
                                             : number + producerInputs - 1));
  }
  for (Operation &op : *consumer.getBlock())
    rewriter.clone(op, mapping);
  return cut;
}

StepOutcome BodyFusion::apply(RewriterBase &rewriter, linalg::LinalgOp producer,
                              linalg::LinalgOp consumer) {
  int64_t input = fusedInput(producer, consumer);
  AffineMap toLoops = inversePermutation(producer.getMatchingIndexingMap(
                                             producer.getDpsInitOperand(0)))
                          .compose(consumer.getMatchingIndexingMap(
                              consumer.getDpsInputOperand(input)));
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : consumer.getDpsInputOperands()) {
    if (int64_t(operand->getOperandNumber()) != input) {
      inputs.push_back(operand->get());
      maps.push_back(consumer.getMatchingIndexingMap(operand));
      continue;
    }
    for (OpOperand *own : producer.getDpsInputOperands()) {
      inputs.push_back(own->get());
      maps.push_back(producer.getMatchingIndexingMap(own).compose(toLoops));
    }
  }
  for (OpOperand &init : consumer.getDpsInitsMutable())
    maps.push_back(consumer.getMatchingIndexingMap(&init));
  rewriter.setInsertionPoint(consumer);
  auto fused =
      linalg::GenericOp::create(rewriter, consumer.getLoc(), inputs,
                                llvm::to_vector(consumer.getDpsInits()), maps,
                                consumer.getIteratorTypesArray());
  SmallVector<Type> types;
  SmallVector<Location> locs;
  for (Value operand : fused->getOperands()) {
    types.push_back(getElementTypeOrSelf(operand.getType()));
    locs.push_back(consumer.getLoc());
  }
  Block *body = rewriter.createBlock(&fused.getRegion(), {}, types, locs);
  int64_t cut = fuseBodies(rewriter, producer, consumer, input, body);

  auto alloc = producer.getDpsInits()[0].getDefiningOp<memref::AllocOp>();
  MLIRContext *context = rewriter.getContext();
  StepOutcome outcome;
  auto fact = [&](StringRef name, Attribute value) {
    outcome.undoFacts.push_back(rewriter.getNamedAttr(name, value));
  };
  fact("input", rewriter.getI64IntegerAttr(input));
  fact("inputs", rewriter.getI64IntegerAttr(producer.getNumDpsInputs()));
  fact("cut", rewriter.getI64IntegerAttr(cut));
  fact("temporary", TypeAttr::get(alloc.getType()));
  fact("sizes", intArrayAttr(context, *sizeSources(alloc)));
  fact("alignment",
       rewriter.getI64IntegerAttr(alloc.getAlignment().value_or(0)));
  fact("producer_map", AffineMapAttr::get(producer.getMatchingIndexingMap(
                           producer.getDpsInitOperand(0))));
  fact("consumer_map", AffineMapAttr::get(consumer.getMatchingIndexingMap(
                           consumer.getDpsInputOperand(input))));
  if (auto arg = dyn_cast<BlockArgument>(yieldedBy(producer)))
    fact("yielded_input", rewriter.getI64IntegerAttr(arg.getArgNumber()));
  if (contracts(producer, consumer, input))
    fact("contracts", rewriter.getUnitAttr());
  rewriter.eraseOp(producer);
  rewriter.eraseOp(consumer);
  outcome.locus = fused;
  outcome.handles = {{"fused", {fused}}};
  return outcome;
}

namespace {
/// Takes a fused operation apart again.
struct Splitter {
  linalg::GenericOp fused;
  int64_t input, count, cut, yieldedInput;
  AffineMap producerMap, consumerMap;

  /// What the producer stored: a value of the fused body, or null.
  Value stored() {
    if (yieldedInput >= 0)
      return yieldedInput < count
                 ? Value(fused.getBlock()->getArgument(input + yieldedInput))
                 : Value();
    for (Operation &op : *fused.getBlock())
      if (auto number = op.getAttrOfType<IntegerAttr>(kCutAttr))
        if (number.getInt() == cut)
          return op.getResult(0);
    return {};
  }

  bool fits() {
    return input >= 0 && count >= 0 &&
           input + count <= int64_t(fused.getNumDpsInputs()) && producerMap &&
           consumerMap && stored();
  }

  /// Clones what `goal` needs, but for what is mapped already.
  Value cloneSlice(OpBuilder &b, Value goal, IRMapping &mapping) {
    if (mapping.contains(goal))
      return mapping.lookup(goal);
    Operation *def = goal.getDefiningOp();
    if (!def || def->getBlock() != fused.getBlock())
      return goal;
    for (Value operand : def->getOperands())
      cloneSlice(b, operand, mapping);
    Operation *copy = b.clone(*def, mapping);
    if (goal == stored())
      copy->removeAttr(kCutAttr);
    return mapping.lookup(goal);
  }

  linalg::GenericOp makeProducer(RewriterBase &rewriter, Value temporary) {
    // Loops of the fused operation as functions of the producer's.
    AffineMap toFused = inversePermutation(consumerMap).compose(producerMap);
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (int64_t i = 0; i < count; ++i) {
      OpOperand *operand = fused.getDpsInputOperand(input + i);
      inputs.push_back(operand->get());
      maps.push_back(fused.getMatchingIndexingMap(operand).compose(toFused));
    }
    maps.push_back(producerMap);
    SmallVector<utils::IteratorType> iterators(producerMap.getNumDims(),
                                               utils::IteratorType::parallel);
    return linalg::GenericOp::create(
        rewriter, fused.getLoc(), inputs, ValueRange{temporary}, maps,
        iterators, [&](OpBuilder &b, Location loc, ValueRange args) {
          IRMapping mapping;
          for (int64_t i = 0; i < count; ++i)
            mapping.map(fused.getBlock()->getArgument(input + i), args[i]);
          Value last = cloneSlice(b, stored(), mapping);
          linalg::YieldOp::create(b, loc, last);
        });
  }

  linalg::GenericOp makeConsumer(RewriterBase &rewriter, Value temporary) {
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : fused.getDpsInputOperands()) {
      int64_t number = operand->getOperandNumber();
      if (number == input) {
        inputs.push_back(temporary);
        maps.push_back(consumerMap);
      }
      if (number >= input && number < input + count)
        continue;
      inputs.push_back(operand->get());
      maps.push_back(fused.getMatchingIndexingMap(operand));
    }
    if (input == int64_t(fused.getNumDpsInputs())) {
      inputs.push_back(temporary);
      maps.push_back(consumerMap);
    }
    for (OpOperand &init : fused.getDpsInitsMutable())
      maps.push_back(fused.getMatchingIndexingMap(&init));
    return linalg::GenericOp::create(
        rewriter, fused.getLoc(), inputs, llvm::to_vector(fused.getDpsInits()),
        maps, fused.getIteratorTypesArray(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          IRMapping mapping;
          for (BlockArgument arg : fused.getBlock()->getArguments()) {
            int64_t number = arg.getArgNumber();
            if (number < input)
              mapping.map(arg, args[number]);
            else if (number >= input + count)
              mapping.map(arg, args[number - count + 1]);
          }
          mapping.map(stored(), args[input]);
          SmallVector<Value> results;
          for (Value result : fused.getBlock()->getTerminator()->getOperands())
            results.push_back(cloneSlice(b, result, mapping));
          linalg::YieldOp::create(b, loc, results);
        });
  }
};
} // namespace

FailureOr<SmallVector<Operation *>> BodyFusion::undo(RewriterBase &rewriter,
                                                     Operation *locus,
                                                     DictionaryAttr params) {
  auto fused = dyn_cast<linalg::GenericOp>(locus);
  auto map = [&](StringRef name) {
    auto attr = params.getAs<AffineMapAttr>(name);
    return attr ? attr.getValue() : AffineMap();
  };
  Splitter splitter{fused,
                    intParam(params, "input", -1),
                    intParam(params, "inputs", -1),
                    intParam(params, "cut", -1),
                    intParam(params, "yielded_input", -1),
                    map("producer_map"),
                    map("consumer_map")};
  auto type = params.getAs<TypeAttr>("temporary");
  auto memref = type ? dyn_cast<MemRefType>(type.getValue()) : MemRefType();
  SmallVector<int64_t> sources = intArrayParam(params, "sizes");
  if (!fused || !memref || !splitter.fits() ||
      sources.size() != 2 * size_t(memref.getNumDynamicDims()))
    return locus->emitError() << "undo of fuse_producer expects the fused "
                                 "linalg.generic and the recorded split";
  rewriter.setInsertionPoint(fused);
  auto entry = fused->getParentOfType<FunctionOpInterface>();
  SmallVector<Value> sizes;
  for (size_t i = 0; i < sources.size(); i += 2)
    sizes.push_back(memref::DimOp::create(rewriter, fused.getLoc(),
                                          entry.getArgument(sources[i]),
                                          sources[i + 1]));
  int64_t alignment = intParam(params, "alignment");
  auto alloc = memref::AllocOp::create(
      rewriter, fused.getLoc(), memref, sizes,
      alignment ? rewriter.getI64IntegerAttr(alignment) : IntegerAttr());
  linalg::GenericOp producer = splitter.makeProducer(rewriter, alloc);
  linalg::GenericOp consumer = splitter.makeConsumer(rewriter, alloc);
  rewriter.eraseOp(fused);
  return SmallVector<Operation *>{producer, consumer};
}
