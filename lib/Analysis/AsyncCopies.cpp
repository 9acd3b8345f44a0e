//===- AsyncCopies.cpp - Where a cp.async must have arrived
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/AsyncCopies.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace klineage;

static bool hasBarrier(Operation *op) {
  return op->walk([](gpu::BarrierOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

gpu::BarrierOp klineage::nextBarrier(Operation *op) {
  while (op && !isa<scf::ForallOp, gpu::GPUFuncOp>(op) && !hasBarrier(op)) {
    for (Operation *next = op->getNextNode(); next;
         next = next->getNextNode()) {
      if (auto barrier = dyn_cast<gpu::BarrierOp>(next))
        return barrier;
      // Some executions may meet the barrier in there, some the one behind.
      if (hasBarrier(next))
        return nullptr;
    }
    op = op->getParentOp();
  }
  return nullptr;
}

Operation *
klineage::touchedWhileUnderWay(Operation *op, gpu::BarrierOp barrier,
                               Value source, Value target,
                               llvm::function_ref<bool(Operation *)> skip) {
  auto touched = [&](Operation *root) -> Operation * {
    if (Operation *found = findAccess(root, target, skip))
      return found;
    return !skip(root) && mayWrite(root, source) ? root
                                                 : findWriter(root, source);
  };
  for (; op->getBlock() != barrier->getBlock(); op = op->getParentOp()) {
    // Another iteration may come before the barrier: all of the loop counts.
    Operation *parent = op->getParentOp();
    if (isa<LoopLikeOpInterface>(parent)) {
      if (Operation *found = touched(parent))
        return found;
      continue;
    }
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
      if (Operation *found = touched(next))
        return found;
  }
  for (Operation *next = op->getNextNode(); next != barrier;
       next = next->getNextNode())
    if (Operation *found = touched(next))
      return found;
  return nullptr;
}

/// A wait for all groups, the copies before it in a group.
static bool isWaitedFor(Operation *copy, gpu::BarrierOp barrier) {
  while (copy->getBlock() != barrier->getBlock())
    copy = copy->getParentOp();
  bool committed = false;
  for (Operation *op = copy->getNextNode(); op != barrier;
       op = op->getNextNode()) {
    if (isa<nvgpu::DeviceAsyncCreateGroupOp>(op))
      committed = true;
    auto wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(op);
    if (wait && committed && wait.getNumGroups().value_or(0) == 0)
      return true;
  }
  return false;
}

std::string klineage::whyUnwaited(nvgpu::DeviceAsyncCopyOp copy) {
  gpu::BarrierOp barrier = nextBarrier(copy);
  if (!barrier)
    return "cp.async with no barrier behind it";
  if (!isWaitedFor(copy, barrier))
    return "cp.async that is not waited for before the next barrier";
  auto isGroup = [](Operation *op) {
    return isa<nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp,
               nvgpu::DeviceAsyncWaitOp>(op);
  };
  if (touchedWhileUnderWay(copy, barrier, copy.getSrc(), copy.getDst(),
                           isGroup))
    return "an access to what a cp.async has under way";
  return "";
}
