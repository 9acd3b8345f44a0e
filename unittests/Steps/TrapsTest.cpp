//===- TrapsTest.cpp - Silent traps of reductions, and mechanisms
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "KLineage/Steps/TestPasses.h"
#include "RowKernels.h"
#include "SharedKernels.h"
#include "StepKernels.h"

using namespace klineage;
using namespace klineage::test;

namespace {

class Traps : public StepTest {
protected:
  mlir::Operation *target(const char *description) {
    auto found = findTestTargets(*state, description);
    return found.empty() ? nullptr : found.front();
  }
  /// The facts that the step promised hold now and did not before it.
  void expectMechanism(const std::string &before, bool planted = true) {
    auto facts = lookupStepKind(step.kind)->mechanism(step.params);
    EXPECT_FALSE(facts.empty()) << step.kind;
    EXPECT_TRUE(holds(facts, ptxFacts())) << step.kind;
    if (!planted)
      return;
    load(before);
    EXPECT_FALSE(holds(facts, ptxFacts())) << step.kind;
  }
  static bool holds(llvm::ArrayRef<MechanismFact> facts,
                    std::map<std::string, int64_t> counts) {
    return llvm::all_of(facts, [&](const MechanismFact &fact) {
      int64_t count = counts[fact.name];
      return count >= fact.min && (fact.max < 0 || count <= fact.max);
    });
  }
};

/// Warps that are no power of two in number, and a last warp that is not full.
TEST_F(Traps, AllReduceOverAnyNumberOfWarps) {
  for (const char *threads : {"96", "160", "33", "1"}) {
    SCOPED_TRACE(threads);
    load(rowSum({3, 500}));
    EXPECT_EQ(apply("block_row_reduction", target("contraction"),
                    "{vector = 1, threads = " + std::string(threads) + "}"),
              "");
    judge();
  }
}

/// Lanes past the end of a row of negative numbers must not contribute 0.
TEST_F(Traps, DeadLanesOfAMaximum) {
  for (int64_t columns : {1, 3, 31, 33, 127}) {
    SCOPED_TRACE(columns);
    load(rowReduce({4, columns}, "arith.maximumf", "0xFF800000"));
    EXPECT_EQ(apply("block_row_reduction", target("contraction"),
                    "{vector = 1, threads = 64}"),
              "");
    judge();
  }
}

TEST_F(Traps, MechanismOfSharedTiles) {
  std::string kernel = transpose({{64, 64}});
  load(kernel);
  ASSERT_EQ(apply("tile_to_blocks", target("linalg.generic"),
                  "{tile_sizes = [32, 32]}"),
            "");
  ASSERT_EQ(apply("promote_shared", target("linalg.generic"), "{operand = 0}"),
            "");
  AppliedStep promoted = step;
  ASSERT_EQ(apply("distribute_to_threads", target("scf.forall"),
                  "{threads = [32, 8]}"),
            "");
  step = promoted;
  expectMechanism(kernel);
}

TEST_F(Traps, MechanismOfVectors) {
  std::string kernel = scaleVector({{1024}});
  load(kernel);
  ASSERT_EQ(
      apply("tile_to_blocks", target("linalg.generic"), "{tile_sizes = [256]}"),
      "");
  ASSERT_EQ(apply("distribute_to_threads", target("scf.forall"),
                  "{threads = [64], vector = 4}"),
            "");
  ASSERT_EQ(apply("vectorize_access", target("linalg.generic"), "{vector = 4}"),
            "");
  expectMechanism(kernel);
}

TEST_F(Traps, MechanismOfRows) {
  std::string kernel = rowSum({8, 1024});
  load(kernel);
  ASSERT_EQ(apply("block_row_reduction", target("contraction"),
                  "{threads = 64, vector = 4}"),
            "");
  expectMechanism(kernel);
}

/// No local memory with a tile in registers; an index that is known only at run
/// time is the opposite.
TEST_F(Traps, MechanismOfRegisterTiles) {
  load(matmul({{32, 32, 64}}));
  ASSERT_EQ(
      apply("tile_to_blocks", target("contraction"), "{tile_sizes = [32, 32]}"),
      "");
  ASSERT_EQ(apply("distribute_to_threads", target("scf.forall"),
                  "{threads = [8, 8]}"),
            "");
  ASSERT_EQ(apply("register_tile", target("contraction"), "{}"), "");
  expectMechanism(R"mlir(
func.func @planted(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.forall (%b) in (1) {
    scf.forall (%t) in (8) {
      %r = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
      scf.for %i = %c0 to %c8 step %c1 {
        %v = memref.load %x[%i] : memref<64xf32>
        memref.store %v, %r[%i] : memref<8xf32, #gpu.address_space<private>>
      }
      %w = memref.load %r[%t] : memref<8xf32, #gpu.address_space<private>>
      memref.store %w, %x[%t] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
})mlir");
}

/// Padded and swizzled buffers are still there.
TEST_F(Traps, MechanismOfLayouts) {
  load(kTranspose);
  ASSERT_EQ(apply("pad_shared", target("memref.alloc"), "{pad = 4}"), "");
  expectMechanism(scaleVector({{64}}));
  load(kTranspose);
  ASSERT_EQ(apply("swizzle_shared", target("memref.alloc"), "{vector = 4}"),
            "");
  expectMechanism(scaleVector({{64}}));
}

} // namespace
