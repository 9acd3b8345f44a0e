//===- Mutate.cpp - Planted faults, to see whether a check sees them
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace klineage;

/// The operand plus one.
static void increment(Operation *op, unsigned operand) {
  OpBuilder b(op);
  Value old = op->getOperand(operand);
  Value one = arith::ConstantOp::create(b, op->getLoc(),
                                        b.getIntegerAttr(old.getType(), 1));
  op->setOperand(operand, arith::AddIOp::create(b, op->getLoc(), old, one));
}

/// Changes `op`, and says how; empty if it is no target.
static std::string mutate(Operation *op) {
  if (isa<gpu::BarrierOp>(op)) {
    op->erase();
    return "barrier dropped";
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    increment(op, 0);
    return "loop starts later";
  }
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op)) {
    increment(op, 1);
    return "shuffle of another lane";
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    if (isa<IndexType>(compare.getLhs().getType()) ||
        compare.getLhs().getType().getIntOrFloatBitWidth() > 1) {
      increment(op, 1);
      return "bound off by one";
    }
    return "";
  }
  if (isa<memref::LoadOp>(op)) {
    increment(op, 1);
    return "load of the next element";
  }
  if (isa<memref::StoreOp>(op)) {
    increment(op, 2);
    return "store to the next element";
  }
  OpBuilder b(op);
  if (auto max = dyn_cast<arith::MaxNumFOp>(op)) {
    Value other =
        arith::MinNumFOp::create(b, op->getLoc(), max.getLhs(), max.getRhs());
    op->getResult(0).replaceAllUsesWith(other);
    op->erase();
    return "min for max";
  }
  if (auto sub = dyn_cast<arith::SubFOp>(op)) {
    Value other =
        arith::AddFOp::create(b, op->getLoc(), sub.getLhs(), sub.getRhs());
    op->getResult(0).replaceAllUsesWith(other);
    op->erase();
    return "sum for difference";
  }
  return "";
}

static SmallVector<Operation *> candidates(ModuleOp module) {
  SmallVector<Operation *> result;
  module.walk([&](gpu::GPUFuncOp kernel) {
    kernel.walk([&](Operation *op) {
      if (isa<gpu::BarrierOp, scf::ForOp, gpu::ShuffleOp, arith::CmpIOp,
              memref::LoadOp, memref::StoreOp, arith::MaxNumFOp, arith::SubFOp>(
              op))
        result.push_back(op);
    });
  });
  return result;
}

/// True if the comparison in a child does not end with "equal".
static bool isCaught(ModuleOp mutant, llvm::StringRef originalFile,
                     const LaunchDescription &launch,
                     const TargetInfo &target) {
  pid_t child = fork();
  if (child == 0) {
    alarm(10); // A mutant may loop for ever.
    int quiet = dup2(fileno(fopen("/dev/null", "w")), 2);
    (void)quiet;
    auto result = compareLift(originalFile, mutant, launch, target);
    if (!result) {
      llvm::consumeError(result.takeError());
      _exit(1);
    }
    _exit(result->equal ? 0 : 1);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return false;
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

MutationScore klineage::scoreMutations(ModuleOp lifted,
                                       llvm::StringRef originalFile,
                                       const LaunchDescription &launch,
                                       const TargetInfo &target) {
  MutationScore score;
  size_t count = candidates(lifted).size();
  // Many accesses are alike; an even sample keeps the time bounded.
  size_t step = std::max<size_t>(1, count / 24);
  for (size_t index = 0; index < count; index += step) {
    OwningOpRef<ModuleOp> mutant = lifted.clone();
    Operation *op = candidates(*mutant)[index];
    std::string where;
    llvm::raw_string_ostream os(where);
    os << op->getName() << " #" << index << ": ";
    std::string how = mutate(op);
    if (how.empty())
      continue;
    ++score.total;
    if (isCaught(*mutant, originalFile, launch, target))
      ++score.caught;
    else
      score.missed.push_back(where + how);
  }
  return score;
}
