//===- Memory.cpp - Views and elements of the executor
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace klineage;
using namespace klineage::sym;

Value klineage::baseOfView(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<memref::ReinterpretCastOp, memref::SubViewOp,
             memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp,
             memref::AssumeAlignmentOp>(op))
      break;
    memref = op->getOperand(0);
  }
  return memref;
}

Value klineage::storedTo(Operation *op) {
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return store.getMemRef();
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return store.getBase();
  return {};
}

bool Executor::makeRoots() {
  gpu::GPUFuncOp kernel = launch.kernel;
  auto make = [&](Value base, Root root) {
    auto type = cast<MemRefType>(base.getType());
    if (root.space != Root::Space::global && type.hasStaticShape())
      root.elements = type.getNumElements();
    rootIds[base] = unsigned(roots.size());
    roots.push_back(root);
    return root.space == Root::Space::global ||
           (type.hasStaticShape() && type.getLayout().isIdentity());
  };
  for (auto [argument, bound] :
       llvm::zip(kernel.getArguments(), launch.arguments))
    if (bound.array)
      make(argument, {Root::Space::global, *bound.array, false, -1});
  for (Value shared : kernel.getWorkgroupAttributions())
    if (!make(shared, {Root::Space::shared, 0, false, -1}))
      return refuse(kernel, "shared memory of a size that varies");
  for (Value local : kernel.getPrivateAttributions())
    if (!make(local, {Root::Space::local, 0, false, -1}))
      return refuse(kernel, "private memory of a size that varies");
  WalkResult result = kernel.walk([&](memref::AllocaOp op) {
    return make(op, {Root::Space::local, 0, false, -1})
               ? WalkResult::advance()
               : (refuse(op, "private memory of a size that varies"),
                  WalkResult::interrupt());
  });
  if (result.wasInterrupted())
    return false;
  kernel.walk([&](Operation *op) {
    if (Value target = storedTo(op))
      if (auto it = rootIds.find(baseOfView(target)); it != rootIds.end())
        roots[it->second].written = true;
  });
  for (size_t i = 0; i < roots.size(); ++i)
    for (size_t k = 0; k < roots.size(); ++k)
      if (i != k && roots[i].written && roots[i].space == Root::Space::global &&
          roots[k].space == Root::Space::global &&
          roots[i].array == roots[k].array)
        return refuse(kernel, "a buffer that is stored to is passed twice");
  for (auto &[base, root] : rootIds)
    if (!declareView(base, root))
      return refuse(kernel, "a buffer of this type");
  return true;
}

bool Executor::declareView(Value memref, unsigned root) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  View view{root, Lanes(uint32_t(arena.constant(0))), {}, {}};
  if (type.hasStaticShape() &&
      succeeded(type.getStridesAndOffset(strides, offset)) && offset == 0)
    for (auto [size, stride] : llvm::zip(type.getShape(), strides)) {
      view.sizes.push_back(Lanes(uint32_t(arena.constant(size))));
      view.strides.push_back(Lanes(uint32_t(arena.constant(stride))));
    }
  else
    return false;
  views[memref] = view;
  return true;
}

Lanes Executor::read(OpFoldResult value) {
  if (auto number = getConstantIntValue(value))
    return Lanes(uint32_t(arena.constant(*number)));
  const Lanes *lanes = get(cast<Value>(value));
  return lanes ? *lanes : Lanes();
}

bool Executor::reinterpret(memref::ReinterpretCastOp op) {
  auto source = views.find(op.getSource());
  auto base = rootIds.find(op.getSource());
  if (source == views.end() || base == rootIds.end())
    return refuse(op, "another shape of a view");
  View view{base->second, read(op.getMixedOffsets()[0]), {}, {}};
  for (OpFoldResult size : op.getMixedSizes())
    view.sizes.push_back(read(size));
  for (OpFoldResult stride : op.getMixedStrides())
    view.strides.push_back(read(stride));
  for (const auto &list : {view.sizes, view.strides, {view.offset}})
    for (const Lanes &lanes : list)
      if (lanes.ids.empty())
        return refuse(op, "a shape that is not understood");
  views[op] = view;
  return true;
}

bool Executor::subview(memref::SubViewOp op) {
  auto it = views.find(op.getSource());
  if (it == views.end())
    return refuse(op, "a view of memory that is not understood");
  const View source = it->second;
  View view{source.root, source.offset, {}, {}};
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (unsigned i = 0; i < source.strides.size(); ++i) {
    Lanes at = read(op.getMixedOffsets()[i]),
          by = read(op.getMixedStrides()[i]),
          size = read(op.getMixedSizes()[i]);
    if (at.ids.empty() || by.ids.empty() || size.ids.empty())
      return refuse(op, "a view that is not understood");
    Lanes offset, stride;
    const Lanes &before = view.offset, &step = source.strides[i];
    forLanes({&before, &at, &step}, offset, [&](unsigned lane, uint32_t *out) {
      *out = uint32_t(
          arena.add(Poly(before.at(lane)),
                    arena.mul(Poly(at.at(lane)), Poly(step.at(lane)))));
      return true;
    });
    forLanes({&by, &step}, stride, [&](unsigned lane, uint32_t *out) {
      *out = uint32_t(arena.mul(Poly(by.at(lane)), Poly(step.at(lane))));
      return true;
    });
    view.offset = offset;
    if (dropped.test(i))
      continue;
    view.sizes.push_back(size);
    view.strides.push_back(stride);
  }
  views[op] = view;
  return true;
}

bool Executor::expandShape(memref::ExpandShapeOp op) {
  auto it = views.find(op.getSrc());
  if (it == views.end())
    return refuse(op, "a view of memory that is not understood");
  const View source = it->second;
  View view{source.root, source.offset, {}, {}};
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  view.strides.resize(sizes.size());
  for (OpFoldResult size : sizes) {
    view.sizes.push_back(read(size));
    if (view.sizes.back().ids.empty())
      return refuse(op, "a shape that is not understood");
  }
  for (auto [n, group] : llvm::enumerate(op.getReassociationIndices())) {
    Lanes stride = source.strides[n];
    for (int64_t dim : llvm::reverse(group)) {
      view.strides[dim] = stride;
      Lanes next;
      const Lanes &size = view.sizes[dim];
      forLanes({&stride, &size}, next, [&](unsigned lane, uint32_t *out) {
        *out = uint32_t(arena.mul(Poly(stride.at(lane)), Poly(size.at(lane))));
        return true;
      });
      stride = next;
    }
  }
  views[op] = view;
  return true;
}

/// Only of dimensions that lie one after the other in memory.
bool Executor::collapseShape(memref::CollapseShapeOp op) {
  auto it = views.find(op.getSrc());
  if (it == views.end())
    return refuse(op, "a view of memory that is not understood");
  const View source = it->second;
  View view{source.root, source.offset, {}, {}};
  for (auto group : op.getReassociationIndices()) {
    Lanes size = Lanes(uint32_t(arena.constant(1)));
    for (int64_t dim : group) {
      const Lanes &factor = source.sizes[dim];
      if (!size.uniform() || !factor.uniform())
        return refuse(op, "a shape that differs between threads");
      size = Lanes(uint32_t(arena.mul(Poly(size.at(0)), Poly(factor.at(0)))));
    }
    view.sizes.push_back(size);
    view.strides.push_back(source.strides[group.back()]);
  }
  views[op] = view;
  return true;
}

bool Executor::runMemory(Operation &op, bool &known) {
  known = true;
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op))
    return reinterpret(cast);
  if (auto view = dyn_cast<memref::SubViewOp>(op))
    return subview(view);
  if (auto view = dyn_cast<memref::ExpandShapeOp>(op))
    return expandShape(view);
  if (auto view = dyn_cast<memref::CollapseShapeOp>(op))
    return collapseShape(view);
  if (isa<memref::CastOp, memref::AssumeAlignmentOp>(op)) {
    auto it = views.find(op.getOperand(0));
    if (it == views.end())
      return refuse(&op, "a view of memory that is not understood");
    View view = it->second;
    views[op.getResult(0)] = view;
    return true;
  }
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    auto it = views.find(dim.getSource());
    auto at = dim.getConstantIndex();
    if (it == views.end() || !at || *at < 0 ||
        *at >= int64_t(it->second.sizes.size()))
      return refuse(&op, "an extent that is not understood");
    values[dim] = it->second.sizes[*at];
    return true;
  }
  // A new one in each round: nothing is left of the round before.
  if (isa<memref::AllocaOp>(op))
    return !op.getParentOfType<scf::ForOp>() ||
           refuse(&op, "private memory that a loop allocates");
  if (auto l = dyn_cast<memref::LoadOp>(op))
    return load(&op, l.getMemRef(), l.getIndices(), l.getResult());
  if (auto l = dyn_cast<vector::LoadOp>(op))
    return load(&op, l.getBase(), l.getIndices(), l.getResult());
  if (auto s = dyn_cast<memref::StoreOp>(op))
    return store(&op, s.getMemRef(), s.getIndices(), s.getValueToStore());
  if (auto s = dyn_cast<vector::StoreOp>(op))
    return store(&op, s.getBase(), s.getIndices(), s.getValueToStore());
  known = false;
  return true;
}
