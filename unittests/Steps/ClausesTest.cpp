//===- ClausesTest.cpp - Clauses proved, refuted and unknown
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "KLineage/Steps/Utils.h"
#include "mlir/Parser/Parser.h"

using namespace klineage;
using namespace klineage::test;
using namespace mlir;

namespace {

/// Sums of rows of a static matrix, a dynamic and a strided one, in place of a
/// kernel; the operations are told apart by their attribute `name`.
const char *const kOperations = R"mlir(
#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
#sum = affine_map<(d0, d1) -> (d0 + d1)>
#none = affine_map<(d0, d1) -> ()>
func.func @clauses(%x: memref<8x24xf32> {llvm.align = 16 : i64},
                   %y: memref<8xf32> {llvm.noalias}, %d: memref<?x?xf32>, %e: memref<?xf32>,
                   %s: memref<8x24xf32, strided<[48, 2]>>, %v: memref<8x24xf32, strided<[?, ?]>>,
                   %b: memref<8xi1>, %one: memref<f32>, %w: memref<32xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<8xf32>)
  linalg.generic {name = "static", indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x24xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%two : f32) outs(%e : memref<?xf32>)
  linalg.generic {name = "dynamic", indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]}
      ins(%d : memref<?x?xf32>) outs(%e : memref<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.subf %a, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {name = "strided", indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]}
      ins(%s : memref<8x24xf32, strided<[48, 2]>>) outs(%t : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {name = "views", indexing_maps = [#m, #none], iterator_types = ["parallel", "parallel"]}
      ins(%v : memref<8x24xf32, strided<[?, ?]>>) outs(%one : memref<f32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  linalg.generic {name = "diagonal", indexing_maps = [#m, #sum], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x24xf32>) outs(%w : memref<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  scf.for %i = %c0 to %c1 step %c1 {
    linalg.fill {name = "loop"} ins(%zero : f32) outs(%e : memref<?xf32>)
  }
  linalg.fill {name = "flags"} ins(%zero : f32) outs(%y : memref<8xf32>)
  return
})mlir";

class Clauses : public StepTest {
protected:
  void SetUp() override {
    state = parseSourceString<ModuleOp>(kOperations, context.get());
    ASSERT_TRUE(state);
  }
  linalg::LinalgOp op(StringRef name) {
    linalg::LinalgOp found;
    state->walk([&](linalg::LinalgOp op) {
      auto attr = op->getAttrOfType<StringAttr>("name");
      if (attr && attr.getValue() == name)
        found = op;
    });
    EXPECT_TRUE(found) << name.str();
    return found;
  }
  Value argument(unsigned number) {
    return cast<FunctionOpInterface>(find("func.func")).getArgument(number);
  }
  /// Each result has its evidence.
  void expect(const ClauseResult &result, Truth truth,
              const std::string &nearest = "") {
    EXPECT_EQ(result.truth, truth)
        << result.name << ": expected " << result.expected << ", found "
        << result.found;
    EXPECT_FALSE(result.expected.empty() || result.found.empty() ||
                 result.engine.empty())
        << result.name;
    if (!nearest.empty()) {
      EXPECT_EQ(result.nearestLegal, nearest) << result.name;
    }
  }
};

TEST_F(Clauses, Layout) {
  expect(divisible(op("static"), 1, 8), Truth::proved);
  expect(divisible(op("static"), -1, 16), Truth::refuted, "12");
  expect(divisible(op("dynamic"), 1, 8), Truth::unknown);
  expect(divisible(op("dynamic"), 5, 8), Truth::refuted);
  expect(staticExtent(op("static"), 0), Truth::proved);
  expect(staticExtent(op("static"), 2), Truth::refuted);
  expect(staticExtent(op("dynamic"), 0), Truth::unknown);
  Location loc = state->getLoc();
  expect(unitStrideInnermost(loc, argument(0)), Truth::proved);
  expect(unitStrideInnermost(loc, argument(4)), Truth::refuted);
  expect(unitStrideInnermost(loc, argument(5)), Truth::unknown);
}

TEST_F(Clauses, Storage) {
  Location loc = state->getLoc();
  expect(alignedBase(loc, argument(0), 16), Truth::proved);
  expect(alignedBase(loc, argument(0), 64), Truth::unknown);
  // Distinct by llvm.noalias, one buffer, two arguments without promise.
  expect(noAlias(loc, argument(0), argument(1)), Truth::proved);
  expect(noAlias(loc, argument(0), argument(0)), Truth::refuted);
  expect(noAlias(loc, argument(0), argument(3)), Truth::unknown);
  Region &loop = find("scf.for")->getRegion(0);
  expect(notWrittenIn(loop, argument(1), loc), Truth::proved);
  expect(notWrittenIn(loop, argument(3), loc), Truth::refuted);
  expect(notWrittenIn(loop, argument(0), loc), Truth::unknown);
  expect(disjointWrites(op("static"), 0), Truth::proved);
  expect(disjointWrites(op("views"), 0), Truth::refuted);
  expect(disjointWrites(op("static"), 7), Truth::refuted);
  expect(disjointWrites(op("diagonal"), 1), Truth::unknown);
  // A fill with another value, and none at all.
  expect(dominatingFill(op("static")), Truth::proved);
  expect(dominatingFill(op("dynamic")), Truth::refuted);
  expect(dominatingFill(op("strided")), Truth::refuted);
}

TEST_F(Clauses, AFillOfAPartIsNoFill) {
  const char *const part = R"mlir(
func.func @part(%x: memref<8x4xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = memref.subview %y[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  linalg.fill ins(%zero : f32) outs(%half : memref<4xf32, strided<[1]>>)
  linalg.reduce { arith.addf } ins(%x : memref<8x4xf32>) outs(%y : memref<8xf32>) dimensions = [1]
  return
})mlir";
  state = parseSourceString<ModuleOp>(part, context.get());
  ASSERT_TRUE(state);
  auto reduce = cast<linalg::LinalgOp>(find("linalg.reduce"));
  expect(dominatingFill(reduce), Truth::refuted);
}

/// A loop may carry any buffer, also an allocation or a noalias argument.
TEST_F(Clauses, CarriedBuffersMayAliasAnything) {
  const char *const carried = R"mlir(
func.func @carried(%y: memref<8xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<8xf32>
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%b = %t) -> memref<8xf32> {
    scf.yield %y : memref<8xf32>
  }
  return
})mlir";
  state = parseSourceString<ModuleOp>(carried, context.get());
  ASSERT_TRUE(state);
  Location loc = state->getLoc();
  Value inside = find("scf.for")->getRegion(0).getArgument(1);
  Value alloc = find("memref.alloc")->getResult(0);
  expect(noAlias(loc, inside, alloc), Truth::unknown);
  expect(noAlias(loc, inside, argument(0)), Truth::unknown);
  expect(noAlias(loc, alloc, argument(0)), Truth::proved);
}

TEST_F(Clauses, Types) {
  expect(loopParallel(op("static"), 0), Truth::proved);
  expect(loopParallel(op("static"), 1), Truth::refuted);
  expect(reductionReorderable(op("static")), Truth::proved);
  expect(reductionReorderable(op("dynamic")), Truth::refuted);
  expect(neutralElementKnown(op("strided")), Truth::proved);
  expect(neutralElementKnown(op("dynamic")), Truth::refuted);
  Location loc = state->getLoc();
  expect(wholeBytes(loc, argument(0)), Truth::proved);
  expect(wholeBytes(loc, argument(6)), Truth::refuted);
  expect(simpleMaps(op("static")), Truth::proved);
  expect(simpleMaps(op("diagonal")), Truth::refuted);
  expect(inHostForm(op("static")), Truth::proved);
  expect(inHostForm(op("loop")), Truth::refuted);
  expect(inSimtForm(op("static")), Truth::refuted);
}

TEST_F(Clauses, Hardware) {
  Location loc = state->getLoc();
  const TargetInfo &ada = *lookupTarget("sm_89");
  expect(sharedCapacity(loc, 101376, ada), Truth::proved);
  expect(sharedCapacity(loc, 101377, ada), Truth::refuted, "101376");
  expect(threadLimit(loc, {32, 32}, ada), Truth::proved);
  expect(threadLimit(loc, {32, 33}, ada), Truth::refuted, "1024");
  expect(threadLimit(loc, {1, 1, 128}, ada), Truth::refuted);
  expect(threadLimit(loc, {0}, ada), Truth::refuted);
  expect(registerEstimate(loc, 255, ada), Truth::proved);
  expect(registerEstimate(loc, 256, ada), Truth::refuted, "255");
  expect(gridLimits(loc, {2147483647, 65535}, ada), Truth::proved);
  expect(gridLimits(loc, {1, 65536}, ada), Truth::refuted, "65535");
  ClauseResult dynamic = gridLimits(loc, {ShapedType::kDynamic}, ada);
  expect(dynamic, Truth::proved);
  EXPECT_EQ(dynamic.assumptions.size(), 1u);
  expect(chipFeature(loc, "cp_async", ada), Truth::proved);
  expect(chipFeature(loc, "wgmma", ada), Truth::refuted);
}

/// The limits that the vendor documents for each compute capability.
TEST(Targets, LimitsOfTheChips) {
  struct Limits {
    const char *chip;
    int64_t optIn, perSm, threadsPerSm;
  };
  for (const Limits &limits :
       {Limits{"sm_80", 163 * 1024, 164 * 1024, 2048},
        Limits{"sm_86", 99 * 1024, 100 * 1024, 1536},
        Limits{"sm_89", 99 * 1024, 100 * 1024, 1536},
        Limits{"sm_90a", 227 * 1024, 228 * 1024, 2048},
        Limits{"sm_100a", 227 * 1024, 228 * 1024, 2048},
        Limits{"sm_120a", 99 * 1024, 100 * 1024, 1536}}) {
    const TargetInfo *target = lookupTarget(limits.chip);
    ASSERT_TRUE(target) << limits.chip;
    EXPECT_EQ(target->sharedOptInBytes, limits.optIn) << limits.chip;
    EXPECT_EQ(target->sharedPerSm, limits.perSm) << limits.chip;
    EXPECT_EQ(target->maxThreadsPerSm, limits.threadsPerSm) << limits.chip;
    EXPECT_EQ(target->sharedStaticBytes, 48 * 1024);
    EXPECT_EQ(target->maxThreadsPerBlock, 1024);
    EXPECT_EQ(target->registersPerThread, 255);
    EXPECT_EQ(target->registersPerBlock, 65536);
    bool hopper = StringRef(limits.chip) == "sm_90a";
    EXPECT_EQ(target->hasFeature("wgmma"), hopper);
    EXPECT_EQ(target->hasFeature("tcgen05"),
              StringRef(limits.chip) == "sm_100a");
  }
  EXPECT_EQ(knownTargets().size(), 6u);
  EXPECT_EQ(lookupTarget("sm_70"), nullptr);
}

} // namespace
