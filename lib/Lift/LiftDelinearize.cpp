//===- LiftDelinearize.cpp - Flat views of matrices become two-dimensional
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexFacts.h"
#include "KLineage/Lift/Passes.h"
#include "Launch.h"
#include "Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace klineage {
#define GEN_PASS_DEF_LIFTDELINEARIZEPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

namespace {
/// row * columns + column.
struct Split {
  Value row, column; ///< null: zero
};
} // namespace

static Value addTo(OpBuilder &b, Location loc, Value sum, Value term) {
  return sum ? arith::AddIOp::create(b, loc, sum, term).getResult() : term;
}

static void flatten(Value index, SmallVectorImpl<Value> &terms) {
  if (auto add = index.getDefiningOp<arith::AddIOp>()) {
    flatten(add.getLhs(), terms);
    flatten(add.getRhs(), terms);
  } else {
    terms.push_back(index);
  }
}

/// Takes the terms with the factor `columns` apart from the others. New sums
/// are made at `at`.
static Split split(Value index, Value columns, Operation *at) {
  OpBuilder b(at);
  SmallVector<Value> terms;
  flatten(index, terms);
  Split result;
  for (Value term : terms) {
    auto product = term.getDefiningOp<arith::MulIOp>();
    bool right = product && sameIndex(product.getRhs(), columns, false);
    if (right || (product && sameIndex(product.getLhs(), columns, false)))
      result.row = addTo(b, at->getLoc(), result.row,
                         right ? product.getLhs() : product.getRhs());
    else
      result.column = addTo(b, at->getLoc(), result.column, term);
  }
  return result;
}

static OperandRange indicesOf(Operation *access) {
  if (auto load = dyn_cast<memref::LoadOp>(access))
    return load.getIndices();
  if (auto store = dyn_cast<memref::StoreOp>(access))
    return store.getIndices();
  return cast<memref::AtomicRMWOp>(access).getIndices();
}

/// The first use that is no access of one element through `view`, or null.
static Operation *otherUse(Value view) {
  for (OpOperand &use : view.getUses()) {
    Operation *user = use.getOwner();
    bool element = isa<memref::LoadOp, memref::AtomicRMWOp>(user);
    if (auto store = dyn_cast<memref::StoreOp>(user))
      element = store.getMemRef() == view && store.getValue() != view;
    if (!element)
      return user;
  }
  return nullptr;
}

namespace {
struct LiftDelinearize
    : klineage::impl::LiftDelinearizePassBase<LiftDelinearize> {
  void runOnOperation() override {
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      auto text = kernel->getAttrOfType<StringAttr>(kLaunchAttr);
      if (!text)
        return;
      auto launch = LaunchDescription::parse(text.getValue());
      if (!launch)
        return llvm::consumeError(launch.takeError());
      for (auto [param, arg] : llvm::zip(launch->params, kernel.getArguments()))
        if (param.isBuffer && param.shape.size() == 2)
          lift(kernel, *launch, param, arg);
    });
  }

  /// The extents of a buffer as index values at the kernel's beginning.
  static SmallVector<Value> extentsOf(OpBuilder &b, gpu::GPUFuncOp kernel,
                                      const LaunchDescription &launch,
                                      const LaunchParam &buffer) {
    llvm::StringMap<Value> names;
    Location loc = kernel.getLoc();
    for (auto [param, arg] : llvm::zip(launch.params, kernel.getArguments()))
      if (isa<IntegerType>(arg.getType()))
        names[param.name] =
            arith::IndexCastOp::create(b, loc, b.getIndexType(), arg);
    for (int i = 0; i < 3; ++i)
      if (launch.grid[i].kind == Extent::name &&
          !names.contains(launch.grid[i].symbol))
        names[launch.grid[i].symbol] =
            gpu::GridDimOp::create(b, loc, static_cast<gpu::Dimension>(i));
    SmallVector<Value> extents;
    for (const Extent &extent : buffer.shape)
      extents.push_back(extent.build(b, loc, names));
    return extents;
  }

  static void lift(gpu::GPUFuncOp kernel, const LaunchDescription &launch,
                   const LaunchParam &param, BlockArgument arg) {
    if (!arg.hasOneUse())
      return;
    auto view = dyn_cast<memref::ReinterpretCastOp>(*arg.user_begin());
    if (!view || view.getType().getRank() != 1)
      return;
    if (Operation *other = otherUse(view))
      return reportKept(other, "no access of one element, so its buffer keeps "
                               "one dimension");
    OpBuilder b(view);
    SmallVector<Value> extents = extentsOf(b, kernel, launch, param);
    if (!extents[0] || !extents[1])
      return;
    llvm::MapVector<Operation *, Split> splits;
    for (Operation *access : view->getUsers()) {
      Split made = split(indicesOf(access).front(), extents[1], access);
      splits[access] = made;
      if (std::optional<std::string> why =
              whyNoColumn(made.row, made.column, extents[1], access))
        return reportKept(access, *why);
    }
    Location loc = view.getLoc();
    auto matrix = memref::ReinterpretCastOp::create(
        b, loc, arg, b.getIndexAttr(0), getAsOpFoldResult(ValueRange(extents)),
        ArrayRef<OpFoldResult>{getAsOpFoldResult(extents[1]),
                               b.getIndexAttr(1)});
    for (auto &[access, made] : splits)
      rewrite(access, made, matrix);
    view.erase();
  }

  static void rewrite(Operation *access, const Split &split, Value matrix) {
    OpBuilder b(access);
    Location loc = access->getLoc();
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    SmallVector<Value> operands;
    // A stored value comes before the buffer.
    if (!isa<memref::LoadOp>(access))
      operands.push_back(access->getOperand(0));
    operands.append({matrix, split.row ? split.row : zero,
                     split.column ? split.column : zero});
    access->setOperands(operands);
  }
};
} // namespace
