//===- KernelWalk.cpp - Accesses, barriers and branches of a kernel
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/AsyncCopies.h"
#include "KernelReader.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace klineage;

void KernelReader::giveUp(Operation *op, StringRef why) {
  model.notUnderstood.push_back({op, why.str()});
}

void KernelReader::read(gpu::LaunchFuncOp launch) {
  barriers = arena.constant(0);
  bindLaunch(launch);
  for (Value memory : model.kernel.getWorkgroupAttributions())
    rootOf(memory);
  if (!model.kernel.getBody().hasOneBlock())
    return giveUp(model.kernel, "control flow between blocks");
  walk(model.kernel.getBody());
}

void KernelReader::walk(Region &region) {
  if (region.empty())
    return;
  for (Operation &op : region.front())
    visit(&op);
}

void KernelReader::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitIf(branch);
  if (isa<gpu::BarrierOp>(op)) {
    model.barriers.push_back({op, guards});
    barriers = arena.addConstant(barriers, 1);
    return;
  }
  if (isa<gpu::ShuffleOp, gpu::SubgroupReduceOp>(op)) {
    model.warpOps = true;
    return;
  }
  if (visitAccess(op))
    return;
  if (isa<nvgpu::DeviceAsyncCreateGroupOp, nvgpu::DeviceAsyncWaitOp,
          memref::AllocaOp, gpu::DynamicSharedMemoryOp, gpu::ReturnOp,
          scf::YieldOp, scf::ConditionOp>(op) ||
      isMemoryEffectFree(op))
    return;
  giveUp(op, ("operation " + op->getName().getStringRef()).str());
}

void KernelReader::visitIf(scf::IfOp branch) {
  Branch condition = conditionOf(branch.getCondition());
  if (auto side = decided(condition)) {
    Region &taken = *side ? branch.getThenRegion() : branch.getElseRegion();
    walk(taken);
    for (OpResult result : branch.getResults())
      if (result.getType().isIntOrIndex())
        values[result] = valueOf(taken.front().getTerminator()->getOperand(
            result.getResultNumber()));
    return;
  }
  Expr before = barriers;
  auto enter = [&](Region &region, Formula holds, Formula fails) {
    Guard guard;
    guard.op = branch;
    guard.holds = std::move(holds);
    guard.fails = std::move(fails);
    guard.exact = condition.exact;
    model.guards.push_back(guard);
    guards.push_back(model.guards.size() - 1);
    barriers = before;
    size_t first = model.accesses.size();
    walk(region);
    guards.pop_back();
    return std::pair(barriers, first);
  };
  auto [afterThen, firstAccess] =
      enter(branch.getThenRegion(), condition.holds, condition.fails);
  auto [afterElse, firstElse] =
      enter(branch.getElseRegion(), condition.fails, condition.holds);
  for (OpResult result : branch.getResults())
    if (result.getType().isIntOrIndex())
      values[result] = oneOf(
          valueOf(branch.thenYield().getOperand(result.getResultNumber())),
          valueOf(branch.elseYield().getOperand(result.getResultNumber())),
          "scf.if");
  barriers = afterThen;
  if (afterThen == afterElse)
    return;
  auto more = arena.constantOf(arena.sub(afterThen, afterElse));
  if (!more || loopDepth) {
    for (size_t i = firstAccess; i < model.accesses.size(); ++i) {
      model.accesses[i].barriers = before;
      model.accesses[i].exactBarriers = false;
    }
    barriers = before;
    exactBarriers = false;
    return;
  }
  // Which side it was is the same for the whole block: a barrier in a branch
  // that is not uniform is refused before races are asked for.
  Var side = arena.makeVar("side" + std::to_string(model.guards.size()),
                           VarKind::choice, {0, 1});
  barriers = arena.add(afterElse, arena.scale(arena.var(side), *more));
  // The choice is not tied to the condition, so counts may not happen.
  exactBarriers = false;
}

static unsigned bytesOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * bytesOf(vector.getElementType());
  return type.isIndex()        ? 8
         : type.isIntOrFloat() ? std::max(1u, type.getIntOrFloatBitWidth() / 8)
                               : 1;
}

bool KernelReader::visitAccess(Operation *op) {
  // Vector accesses claim no more than their elements need.
  auto natural = [](Operation *op, Type type) -> int64_t {
    if (auto align = op->getAttrOfType<IntegerAttr>("alignment"))
      return align.getInt();
    return bytesOf(type);
  };
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    addAccess(op, load.getMemRef(), load.getIndices(), 1, false, false,
              natural(op, load.getType()));
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    addAccess(op, store.getMemRef(), store.getIndices(), 1, true, false,
              natural(op, store.getValueToStore().getType()));
  } else if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op)) {
    addAccess(op, atomic.getMemref(), atomic.getIndices(), 1, true, true,
              bytesOf(atomic.getValue().getType()));
  } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    if (load.getVectorType().getRank() != 1)
      return false;
    addAccess(op, load.getBase(), load.getIndices(),
              load.getVectorType().getNumElements(), false, false,
              natural(op, load.getVectorType().getElementType()));
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    if (store.getVectorType().getRank() != 1)
      return false;
    addAccess(op, store.getBase(), store.getIndices(),
              store.getVectorType().getNumElements(), true, false,
              natural(op, store.getVectorType().getElementType()));
  } else if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
    visitCopy(copy);
  } else {
    return false;
  }
  return true;
}

/// A load and a store at the place of the copy, if none can tell that the bytes
/// arrive later.
void KernelReader::visitCopy(nvgpu::DeviceAsyncCopyOp copy) {
  std::string why = whyUnwaited(copy);
  if (why.empty() && copy.getSrcElements())
    why = "cp.async of fewer elements than it writes";
  if (!why.empty())
    return giveUp(copy, why);
  int64_t width = copy.getDstElements().getSExtValue();
  int64_t bytes =
      width *
      bytesOf(cast<MemRefType>(copy.getDst().getType()).getElementType());
  addAccess(copy, copy.getSrc(), copy.getSrcIndices(), width, false, false,
            bytes);
  addAccess(copy, copy.getDst(), copy.getDstIndices(), width, true, false,
            bytes);
}

void KernelReader::addAccess(Operation *op, Value memref, ValueRange indices,
                             int64_t width, bool write, bool atomic,
                             int64_t alignment) {
  KernelAccess access;
  for (Value index : indices)
    access.index.push_back(valueOf(index));
  std::optional<unsigned> root = resolve(memref, access.index);
  if (!root)
    return giveUp(op, "a view of memory of unknown form");
  access.op = op;
  access.root = *root;
  access.width = width;
  access.alignment = alignment;
  access.write = write;
  access.atomic = atomic;
  access.guards = guards;
  access.barriers = barriers;
  access.exactBarriers = exactBarriers;
  model.accesses.push_back(std::move(access));
}
