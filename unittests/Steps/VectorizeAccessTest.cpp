//===- VectorizeAccessTest.cpp - Vectors, alone and behind guards
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

using namespace klineage;
using namespace klineage::test;

namespace {

/// z = x * y + y, over a matrix of these extents.
std::string multiplyAdd(const std::string &rows, const std::string &columns,
                        const std::string &element = "f32") {
  std::string type = "memref<" + rows + "x" + columns + "x" + element + ">";
  std::string id = "affine_map<(d0, d1) -> (d0, d1)>";
  return "func.func @kernel(%x: " + type + ", %y: " + type + ", %z: " + type +
         ") {\n  linalg.generic {indexing_maps = [" + id + ", " + id + ", " +
         id +
         "], iterator_types = [\"parallel\", \"parallel\"]} ins(%x, %y : " +
         type + ", " + type + ") outs(%z : " + type +
         ") {\n  ^bb0(%a: " + element + ", %b: " + element +
         ", %o: " + element + "):\n    %p = arith.mulf %a, %b : " + element +
         "\n    %r = arith.addf %p, %b : " + element +
         "\n    linalg.yield %r : " + element + "\n  }\n  return\n}\n";
}

class VectorizeAccess : public StepTest {
protected:
  /// Blocks of 1 x 128 and 32 threads; each step with R1.
  void distribute(const std::string &kernel) {
    load(kernel);
    ASSERT_EQ(apply("tile_to_blocks", find("linalg.generic"),
                    "{tile_sizes = [1, 128]}"),
              "");
    expectUndo();
    ASSERT_EQ(apply("distribute_to_threads", find("scf.forall"),
                    "{threads = [32], vector = 4}"),
              "");
    expectUndo();
  }
};

TEST_F(VectorizeAccess, WholeTiles) {
  for (const char *columns : {"128", "256"}) {
    distribute(multiplyAdd("3", columns));
    ASSERT_EQ(apply("vectorize_access", find("linalg.generic"), "{vector = 4}"),
              "");
    expectUndo();
    EXPECT_FALSE(step.guarded);
    judge();
    auto facts = ptxFacts();
    EXPECT_EQ(facts["ld.global.v4"], 2);
    EXPECT_EQ(facts["st.global.v4"], 1);
    EXPECT_EQ(facts["local"], 0);
  }
}

TEST_F(VectorizeAccess, PartialTilesKeepTheOldCode) {
  for (const char *columns : {"1", "17", "127", "1000"}) {
    SCOPED_TRACE(columns);
    distribute(multiplyAdd("3", columns));
    // Rows that no vector divides refuse; the others get a guard.
    std::string refused =
        apply("vectorize_access", find("linalg.generic"), "{vector = 4}");
    if (refused.empty()) {
      expectUndo();
      EXPECT_TRUE(step.guarded);
    } else {
      EXPECT_TRUE(refused == "aligned" || refused == "divisible" ||
                  refused == "static_extent" || refused == "vector_count")
          << refused;
    }
    judge();
  }
}

TEST_F(VectorizeAccess, UnalignedArgumentsRefuse) {
  std::string kernel = multiplyAdd("3", "256");
  for (const char *name : {"%x: ", "%y: ", "%z: "}) {
    size_t at = kernel.find(">", kernel.find(name));
    kernel.insert(at + 1, " {llvm.align = 4 : i64}");
  }
  distribute(kernel);
  EXPECT_EQ(apply("vectorize_access", find("linalg.generic"), "{vector = 4}"),
            "aligned");
}

} // namespace
