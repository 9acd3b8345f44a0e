//===- VectorizeAccess.cpp - Vector loads and stores through a register buffer
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Kinds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <numeric>

using namespace mlir;
using namespace klineage;

namespace {

class VectorizeAccess final : public StepKind {
public:
  VectorizeAccess()
      : StepKind("vectorize_access",
                 "Access memory by vectors through a register buffer") {}
  LogicalResult verify(ArrayRef<Operation *> targets,
                       DictionaryAttr params) const override {
    FailureOr<linalg::LinalgOp> op = verifyLinalgTarget(targets, getName());
    if (failed(op))
      return failure();
    return verifyRange(*op, params, "vector", 1, 16);
  }
  void clauses(ArrayRef<Operation *> targets, DictionaryAttr params,
               const StepContext &context,
               SmallVectorImpl<ClauseResult> &results) const override;
  bool canGuard(const ClauseResult &clause) const override {
    return clause.name == "static_extent";
  }
  FailureOr<StepOutcome> apply(RewriterBase &rewriter,
                               ArrayRef<Operation *> targets,
                               DictionaryAttr params,
                               const StepContext &context,
                               ArrayRef<ClauseResult> unknown) const override;
  FailureOr<SmallVector<Operation *>>
  undo(RewriterBase &rewriter, Operation *locus, DictionaryAttr params,
       const StepContext &context) const override;
  SmallVector<MechanismFact> mechanism(DictionaryAttr params) const override {
    if (intParam(params, "vector") < 2)
      return {};
    return {{"vector_access", 1, -1}};
  }
};

constexpr int64_t kMaxVectors = 64;

/// Operands that get vectors: in memory, not a scalar.
SmallVector<OpOperand *> candidates(linalg::LinalgOp op) {
  SmallVector<OpOperand *> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (type && type.getRank() > 0 && !isPrivate(type))
      operands.push_back(&operand);
  }
  return operands;
}

int64_t vectorBytes(Value buffer, int64_t vector) {
  return vector * cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() /
         8;
}

/// Elements of one access: `vector`, or fewer where they would be too wide.
int64_t accessWidth(Value buffer, int64_t vector, const TargetInfo &target) {
  int64_t element = vectorBytes(buffer, 1);
  return element > 0
             ? std::min(vector, std::max<int64_t>(1, target.globalVectorBytes /
                                                         element))
             : vector;
}

/// True if the operand can be accessed by vectors: unit stride, divisible rows,
/// aligned. The last result that fails is what the caller reports.
bool isVectorizable(Operation *op, Value buffer, int64_t vector,
                    const TargetInfo &target,
                    SmallVectorImpl<ClauseResult> &results) {
  Location loc = op->getLoc();
  results.push_back(wholeBytes(loc, buffer));
  if (results.back().truth != Truth::proved)
    return false;
  SmallVector<int64_t> shape = boundedShape(buffer);
  vector = accessWidth(buffer, vector, target);
  int64_t bytes = vectorBytes(buffer, vector);
  results.push_back(unitStrideInnermost(loc, buffer));
  results.push_back(
      formClause(loc, "divisible", ClauseClass::layout,
                 !shape.empty() && shape.back() % vector == 0,
                 "rows of a multiple of " + Twine(vector) + " elements",
                 shape.empty() ? Twine("no bound") : Twine(shape.back())));
  if (!shape.empty() && shape.back() > 0)
    results.back().nearestLegal =
        std::to_string(std::gcd(shape.back(), vector));
  results.push_back(formClause(loc, "vector_width", ClauseClass::hardware,
                               bytes <= target.globalVectorBytes &&
                                   llvm::isPowerOf2_64(bytes),
                               "accesses of a power of two up to " +
                                   Twine(target.globalVectorBytes) + " bytes",
                               Twine(bytes) + " bytes"));
  if (vector > 1)
    results.push_back(alignedBase(loc, buffer, bytes));
  return conjunction(results) == Truth::proved;
}

/// One index vector for each vector of the shape, innermost fastest.
SmallVector<SmallVector<int64_t>> positions(ArrayRef<int64_t> shape,
                                            int64_t vector) {
  SmallVector<SmallVector<int64_t>> all;
  SmallVector<int64_t> index(shape.size(), 0);
  if (llvm::is_contained(shape, 0))
    return all;
  while (true) {
    all.push_back(index);
    int64_t dim = shape.size() - 1;
    index[dim] += vector;
    while (index[dim] >= shape[dim]) {
      index[dim] = 0;
      if (--dim < 0)
        return all;
      ++index[dim];
    }
  }
}

/// Copies `from` to `to` by vectors.
void copyByVectors(RewriterBase &rewriter, Location loc, Value from, Value to,
                   ArrayRef<int64_t> shape, int64_t vector) {
  Type element = cast<MemRefType>(from.getType()).getElementType();
  auto type = VectorType::get({vector}, element);
  for (ArrayRef<int64_t> position : positions(shape, vector)) {
    SmallVector<Value> indices =
        llvm::map_to_vector(position, [&](int64_t i) -> Value {
          return arith::ConstantIndexOp::create(rewriter, loc, i);
        });
    Value value = vector::LoadOp::create(rewriter, loc, type, from, indices);
    vector::StoreOp::create(rewriter, loc, value, to, indices);
  }
}

} // namespace

void VectorizeAccess::clauses(ArrayRef<Operation *> targets,
                              DictionaryAttr params, const StepContext &context,
                              SmallVectorImpl<ClauseResult> &results) const {
  auto op = cast<linalg::LinalgOp>(targets[0]);
  Location loc = op.getLoc();
  results.push_back(inSimtForm(op));
  results.push_back(simpleMaps(op));
  SmallVector<OpOperand *> operands = candidates(op);
  if (results.front().truth != Truth::proved)
    return;
  int64_t vector = intParam(params, "vector"), vectorizable = 0, count = 0;
  bool isStatic = true, full = true;
  scf::ForallOp threads = enclosingThreadLoop(op);
  SmallVector<ClauseResult> worst;
  for (OpOperand *operand : operands) {
    SmallVector<ClauseResult> own;
    SmallVector<int64_t> shape = boundedShape(operand->get());
    isStatic &= cast<MemRefType>(operand->get().getType()).hasStaticShape();
    full &= isFullBehindGuard(threads, operand->get());
    int64_t elements = 1;
    for (int64_t extent : shape)
      elements *= extent;
    count = std::max(
        count, elements / accessWidth(operand->get(), vector, context.target));
    if (isVectorizable(op, operand->get(), vector, context.target, own)) {
      ++vectorizable;
      results.append(own);
    } else {
      worst = own;
    }
  }
  // One operand is enough: the others keep their scalar accesses.
  if (vectorizable == 0)
    results.append(worst);
  ClauseResult extent(loc);
  extent.name = "static_extent";
  extent.clauseClass = ClauseClass::layout;
  extent.engine = "folding";
  extent.expected = "a thread tile of constant size";
  extent.found = isStatic ? "a constant size"
                 : full   ? "a dynamic size"
                          : "a tile that is partial for some threads";
  bool guardable = full && hasGuardableTiles(threads);
  extent.truth = isStatic    ? Truth::proved
                 : guardable ? Truth::unknown
                             : Truth::refuted;
  results.push_back(extent);
  results.push_back(
      formClause(loc, "vector_count", ClauseClass::layout,
                 count >= 1 && count <= kMaxVectors,
                 "1 to " + Twine(kMaxVectors) + " vectors a thread and operand",
                 Twine(count)));
}

FailureOr<StepOutcome>
VectorizeAccess::apply(RewriterBase &rewriter, ArrayRef<Operation *> targets,
                       DictionaryAttr params, const StepContext &context,
                       ArrayRef<ClauseResult> unknown) const {
  StepOutcome outcome;
  outcome.guarded = !unknown.empty();
  Operation *target = targets[0];
  // Which operands qualify is decided before the guard changes their types.
  int64_t vector = intParam(params, "vector");
  SmallVector<unsigned> chosen;
  for (OpOperand *operand : candidates(cast<linalg::LinalgOp>(target))) {
    SmallVector<ClauseResult> own;
    if (isVectorizable(target, operand->get(), vector, context.target, own))
      chosen.push_back(operand->getOperandNumber());
  }
  if (outcome.guarded)
    target = guardFullTiles(rewriter, enclosingThreadLoop(target), target);
  auto op = cast<linalg::LinalgOp>(target);
  Location loc = op.getLoc();
  auto fact = [&](StringRef name, Attribute value) {
    outcome.undoFacts.push_back(rewriter.getNamedAttr(name, value));
  };
  if (outcome.guarded)
    fact("guarded", rewriter.getUnitAttr());
  auto copy = dyn_cast<linalg::CopyOp>(target);
  if (copy && chosen.size() == 2) {
    rewriter.setInsertionPoint(copy);
    copyByVectors(rewriter, loc, copy.getInputs()[0], copy.getOutputs()[0],
                  boundedShape(copy.getInputs()[0]),
                  accessWidth(copy.getInputs()[0], vector, context.target));
    outcome.locus = copy->getPrevNode();
    outcome.handles = {{"target", {outcome.locus}}};
    fact("attributes", rewriter.getDictionaryAttr(
                           llvm::to_vector(copy->getDiscardableAttrs())));
    rewriter.eraseOp(copy);
    return outcome;
  }
  for (unsigned number : chosen) {
    OpOperand &operand = op->getOpOperand(number);
    Value buffer = operand.get();
    auto type = cast<MemRefType>(buffer.getType());
    SmallVector<int64_t> shape = boundedShape(buffer);
    int64_t width = accessWidth(buffer, vector, context.target);
    rewriter.setInsertionPoint(op);
    Value local = memref::AllocaOp::create(
        rewriter, loc, withSpace(type, shape, gpu::AddressSpace::Private),
        rewriter.getI64IntegerAttr(vectorBytes(buffer, width)));
    bool init = op.isDpsInit(&operand);
    if (!init || op.payloadUsesValueFromOperand(&operand))
      copyByVectors(rewriter, loc, buffer, local, shape, width);
    rewriter.modifyOpInPlace(op, [&] { operand.set(local); });
    if (init) {
      rewriter.setInsertionPointAfter(op);
      copyByVectors(rewriter, loc, local, buffer, shape, width);
    }
  }
  outcome.locus = op;
  outcome.handles = {{"target", {op}}};
  return outcome;
}

/// The memory behind a register buffer that vectors fill or drain, or null.
static Value memoryBehind(Value local, SmallVectorImpl<Operation *> &accesses) {
  Value memory;
  for (Operation *user : local.getUsers()) {
    if (auto store = dyn_cast<vector::StoreOp>(user)) {
      auto load = store.getValueToStore().getDefiningOp<vector::LoadOp>();
      if (!load)
        return {};
      memory = load.getBase();
      accesses.append({store, load});
    } else if (auto load = dyn_cast<vector::LoadOp>(user)) {
      for (Operation *other : load->getUsers()) {
        auto store = dyn_cast<vector::StoreOp>(other);
        if (!store)
          return {};
        memory = store.getBase();
        accesses.push_back(store);
      }
      accesses.push_back(load);
    }
  }
  return memory;
}

static FailureOr<SmallVector<Operation *>>
undoCopy(RewriterBase &rewriter, vector::StoreOp locus, DictionaryAttr params) {
  auto load = locus.getValueToStore().getDefiningOp<vector::LoadOp>();
  if (!load)
    return locus.emitError("undo of vectorize_access expects a stored load");
  Value from = load.getBase(), to = locus.getBase();
  SmallVector<Operation *> stores, loads;
  for (Operation &op : *locus->getBlock())
    if (auto store = dyn_cast<vector::StoreOp>(op)) {
      auto own = store.getValueToStore().getDefiningOp<vector::LoadOp>();
      if (own && own.getBase() == from && store.getBase() == to) {
        stores.push_back(store);
        loads.push_back(own);
      }
    }
  rewriter.setInsertionPointAfter(locus);
  auto copy = linalg::CopyOp::create(rewriter, locus.getLoc(), from, to);
  if (auto attributes = params.getAs<DictionaryAttr>("attributes"))
    copy->setDiscardableAttrs(attributes);
  for (Operation *op : stores)
    rewriter.eraseOp(op);
  for (Operation *op : loads)
    rewriter.eraseOp(op);
  return SmallVector<Operation *>{copy};
}

FailureOr<SmallVector<Operation *>>
VectorizeAccess::undo(RewriterBase &rewriter, Operation *locus,
                      DictionaryAttr params, const StepContext &) const {
  if (params.get("guarded")) {
    if (failed(removeGuard(rewriter, locus)))
      return failure();
    return SmallVector<Operation *>{};
  }
  if (auto store = dyn_cast<vector::StoreOp>(locus))
    return undoCopy(rewriter, store, params);
  auto op = dyn_cast<linalg::LinalgOp>(locus);
  if (!op)
    return locus->emitError()
           << "undo of " << getName()
           << " expects a linalg operation or a vector store";
  for (OpOperand &operand : op->getOpOperands()) {
    auto local = operand.get().getDefiningOp<memref::AllocaOp>();
    SmallVector<Operation *> accesses;
    Value memory = local ? memoryBehind(local.getResult(), accesses) : Value();
    if (!memory)
      continue;
    if (Operation *view = memory.getDefiningOp())
      if (view->getBlock() == op->getBlock() && op->isBeforeInBlock(view))
        rewriter.moveOpBefore(view, op);
    rewriter.modifyOpInPlace(op, [&] { operand.set(memory); });
    llvm::SetVector<Operation *> once(accesses.begin(), accesses.end());
    for (Operation *access : once)
      if (access->use_empty())
        rewriter.eraseOp(access);
    for (Operation *access : llvm::make_early_inc_range(local->getUsers()))
      if (access->use_empty())
        rewriter.eraseOp(access);
  }
  return SmallVector<Operation *>{op};
}

std::unique_ptr<StepKind> klineage::createVectorizeAccess() {
  return std::make_unique<VectorizeAccess>();
}
