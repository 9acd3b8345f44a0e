//===- Mutate.cpp - Planted faults, to see whether a check sees them
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutate.h"
#include "KLineage/Support/ChildProcess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include <fcntl.h>
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

/// A context of the child's own, without threads: those of the parent are not
/// there after the fork, and whoever waits for them waits for ever.
static std::unique_ptr<MLIRContext> cloneContext(MLIRContext &parent) {
  auto context = std::make_unique<MLIRContext>(
      parent.getDialectRegistry(), MLIRContext::Threading::DISABLED);
  for (StringRef name : parent.getAvailableDialects())
    if (parent.getLoadedDialect(name))
      context->getOrLoadDialect(name);
  return context;
}

/// What a child says about `text`: "equal", "differs: ..." or why it cannot.
static ChildResult judge(MLIRContext &parent, const std::string &text,
                         llvm::StringRef originalFile,
                         const LaunchDescription &launch,
                         const TargetInfo &target) {
  constexpr double kSeconds = 10; // A mutant may loop for ever.
  return runInChild({kSeconds, 0}, [&]() -> std::string {
    if (int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0)
      dup2(nowhere, STDERR_FILENO);
    std::unique_ptr<MLIRContext> context = cloneContext(parent);
    auto module = parseSourceString<ModuleOp>(text, context.get());
    if (!module)
      return "it cannot be read back";
    auto result = compareLift(originalFile, *module, launch, target);
    if (!result)
      return llvm::toString(result.takeError());
    return result->equal ? "equal" : "differs: " + result->message;
  });
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().printGenericOpForm());
  return text;
}

/// Planted faults mean nothing if the kernel fails without one, too.
static llvm::Error checkWithoutFault(ModuleOp lifted,
                                     llvm::StringRef originalFile,
                                     const LaunchDescription &launch,
                                     const TargetInfo &target) {
  ChildResult result =
      judge(*lifted.getContext(), print(lifted), originalFile, launch, target);
  if (result.kind == ChildResult::answered && result.text == "equal")
    return llvm::Error::success();
  std::string why = result.kind == ChildResult::timed_out
                        ? "no answer within the deadline"
                    : result.text.empty() ? "its process ended"
                                          : result.text;
  return llvm::createStringError("cannot plant faults: without a fault the "
                                 "kernel must be equal to the original: " +
                                 why);
}

llvm::Expected<MutationScore>
klineage::scoreMutations(ModuleOp lifted, llvm::StringRef originalFile,
                         const LaunchDescription &launch,
                         const TargetInfo &target) {
  if (llvm::Error error =
          checkWithoutFault(lifted, originalFile, launch, target))
    return std::move(error);
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
    ChildResult result = judge(*lifted.getContext(), print(*mutant),
                               originalFile, launch, target);
    if (result.kind == ChildResult::interrupted)
      return llvm::createStringError("interrupted");
    score.endless += result.kind == ChildResult::timed_out;
    // A comparison that could not be made says nothing about the mutant.
    bool caught = result.kind == ChildResult::answered
                      ? StringRef(result.text).starts_with("differs")
                      : result.kind != ChildResult::failed;
    if (caught)
      ++score.caught;
    else
      score.missed.push_back(
          where + how +
          (result.text == "equal" ? "" : " (not judged: " + result.text + ")"));
  }
  return score;
}
