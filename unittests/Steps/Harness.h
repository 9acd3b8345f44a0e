//===- Harness.h - Applies, undoes and judges steps in tests
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_UNITTESTS_STEPS_HARNESS_H
#define KLINEAGE_UNITTESTS_STEPS_HARNESS_H

#include "KLineage/Gate/Gate.h"
#include "KLineage/Steps/StepKind.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"

namespace klineage::test {

/// A state under test; every helper fails the test on its own errors.
class StepTest : public ::testing::Test {
protected:
  StepTest();

  /// Parses and imports; the text of the state is the reference from then on.
  void load(const std::string &text);

  /// The `number`-th operation of that name, in a walk.
  mlir::Operation *find(llvm::StringRef name, int number = 0);

  /// Applies; the name of the failing clause or the message, or "" on success.
  std::string apply(llvm::StringRef kind, mlir::Operation *target,
                    llvm::StringRef params);

  /// R1 of the last step: undo restores the hash, a repeated apply as well.
  void expectUndo();

  /// The gate on the loaded and the present state, in this process.
  Verdict judge(std::vector<std::vector<int64_t>> sizes = {{}});
  /// Ones, primes, tile sizes and neighbours, and an empty extent.
  std::vector<std::vector<int64_t>> dynamicSizes(int64_t hint = 64);
  std::string text();

  /// Counts in the PTX of the present state, summed over kernels; empty where
  /// there is no libdevice.
  std::map<std::string, int64_t> ptxFacts();

  mlir::DialectRegistry registry;
  std::unique_ptr<mlir::MLIRContext> context;
  const TargetInfo *target;
  mlir::OwningOpRef<mlir::ModuleOp> state;
  std::string reference;
  AppliedStep step;
  Numerics numerics = Numerics::bit_exact;
};

} // namespace klineage::test

#endif // KLINEAGE_UNITTESTS_STEPS_HARNESS_H
