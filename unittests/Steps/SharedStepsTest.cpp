//===- SharedStepsTest.cpp - Steps on shared memory, barriers and loops
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "KLineage/Steps/Swizzle.h"
#include "SharedKernels.h"
#include "llvm/Support/MathExtras.h"

using namespace klineage;
using namespace klineage::test;

namespace {

class SharedSteps : public StepTest {
protected:
  std::string count(const std::string &needle) {
    size_t found = 0;
    std::string all = text();
    for (size_t at = all.find(needle); at != std::string::npos;
         at = all.find(needle, at + 1))
      ++found;
    return std::to_string(found);
  }
};

TEST_F(SharedSteps, RemovesABarrierAtTheEnd) {
  load(kTranspose);
  EXPECT_EQ(apply("remove_barrier", find("gpu.barrier", 1), "{}"), "");
  expectUndo();
  EXPECT_EQ(count("gpu.barrier"), "1");
  judge();
}

TEST_F(SharedSteps, KeepsABarrierThatPublishes) {
  load(kTranspose);
  EXPECT_EQ(apply("remove_barrier", find("gpu.barrier", 0), "{}"),
            "race_free_block");
  EXPECT_EQ(count("gpu.barrier"), "2");
}

TEST_F(SharedSteps, RemovesABarrierBetweenAccessesOfOneThread) {
  load(kReverse);
  EXPECT_EQ(apply("remove_barrier", find("gpu.barrier", 0), "{}"), "");
  expectUndo();
  judge();
  EXPECT_EQ(apply("remove_barrier", find("gpu.barrier", 0), "{}"),
            "race_free_block");
}

TEST_F(SharedSteps, ABarrierInALoopAlsoOrdersTheNextIteration) {
  std::string looped = kReverse;
  // Read elsewhere, then a barrier, then nothing: until the next iteration.
  size_t at = looped.find("      %v = memref.load");
  looped.insert(at, "      %i0 = arith.constant 0 : index\n"
                    "      %i1 = arith.constant 1 : index\n"
                    "      %i2 = arith.constant 2 : index\n"
                    "      scf.for %k = %i0 to %i2 step %i1 {\n");
  looped.insert(looped.find("      gpu.return"),
                "      gpu.barrier\n      }\n");
  load(looped);
  EXPECT_EQ(apply("remove_barrier", find("gpu.barrier", 2), "{}"),
            "race_free_block");
}

TEST_F(SharedSteps, SwizzlesAndBack) {
  load(kTranspose);
  EXPECT_EQ(apply("swizzle_shared", find("memref.alloc"), "{vector = 4}"), "");
  expectUndo();
  EXPECT_EQ(count("arith.xori"), "2");
  judge();
  EXPECT_GT(ptxFacts()["st.shared.v4"], 0);
}

TEST_F(SharedSteps, RefusesVectorsWiderThanTheUnit) {
  load(kTranspose);
  EXPECT_EQ(apply("swizzle_shared", find("memref.alloc"), "{vector = 2}"),
            "access_in_unit");
  EXPECT_EQ(apply("swizzle_shared", find("memref.alloc"),
                  "{vector = 4, period = 32}"),
            "layout_injective");
}

TEST(Swizzle, EveryRowLengthIsPermutedOrRefused) {
  for (int64_t length = 1; length <= 257; ++length)
    for (int64_t vector : {1, 2, 4, 8}) {
      for (int64_t bytes : {1, 2, 4, 8}) {
        Swizzle swizzle = chooseSwizzle(length, vector, bytes, 128);
        EXPECT_TRUE(length % vector != 0 || swizzle.isInjective(length))
            << length << " " << vector;
      }
      // By the definition: a column outside of the row, or two in one place.
      for (int64_t period = 1; period <= 16; period *= 2) {
        Swizzle swizzle{vector, period};
        bool injective = true;
        for (int64_t row = 0; row < 2 * period; ++row) {
          std::vector<bool> seen(length);
          for (int64_t column = 0; column < length; ++column) {
            int64_t to = swizzle.column(row, column);
            injective &= to < length && !seen[to];
            if (to < length)
              seen[to] = true;
          }
        }
        EXPECT_EQ(swizzle.isInjective(length), injective)
            << length << " " << vector << " " << period;
      }
    }
  EXPECT_FALSE((Swizzle{1, 3}).isInjective(12));
  EXPECT_FALSE((Swizzle{8, 8}).isInjective(96));
}

TEST_F(SharedSteps, PadsAndBack) {
  load(kTranspose);
  EXPECT_EQ(apply("pad_shared", find("memref.alloc"), "{pad = 1}"), "aligned");
  EXPECT_EQ(apply("pad_shared", find("memref.alloc"), "{pad = 4}"), "");
  expectUndo();
  judge();
  EXPECT_GT(ptxFacts()["st.shared.v4"], 0);
}

TEST_F(SharedSteps, UnrollsAndBack) {
  for (const char *params : {"{factor = 2}", "{factor = 3}"}) {
    load(kTranspose);
    EXPECT_EQ(apply("unroll", find("scf.for"), params), "");
    expectUndo();
    judge();
    EXPECT_EQ(apply("unroll", find("scf.for"), params), "not_unrolled");
  }
  EXPECT_EQ(apply("unroll", find("scf.for", 1), "{factor = 0}"),
            "static_extent");
}

TEST_F(SharedSteps, AllowsFastMathAndBack) {
  load(kReverse);
  EXPECT_EQ(apply("fast_math", find("gpu.func"), "{flags = \"afn\"}"), "");
  expectUndo();
  EXPECT_EQ(numerics, Numerics::approximate);
  judge();
  EXPECT_EQ(apply("fast_math", find("gpu.func"), "{flags = \"contract\"}"),
            "no_fast_math_yet");
}

} // namespace
