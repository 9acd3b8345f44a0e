//===- BlockRowReductionTest.cpp - One block a row, on all bundled kernels
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "RowKernels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace klineage;
using namespace klineage::test;

namespace {

class BlockRowReduction : public StepTest {
protected:
  /// Applies at the first reduction and checks R1 and the shape of the result.
  void reduce(const std::string &kernel, const std::string &params) {
    load(kernel);
    if (HasFatalFailure())
      return;
    mlir::Operation *seed = nullptr;
    state->walk([&](mlir::linalg::LinalgOp op) {
      if (!seed && op.getNumReductionLoops() > 0)
        seed = op;
    });
    ASSERT_EQ(apply("block_row_reduction", seed, params), "") << text();
    expectUndo();
    int outside = 0;
    state->walk([&](mlir::linalg::LinalgOp op) {
      outside += mlir::isa<mlir::func::FuncOp>(op->getParentOp());
    });
    EXPECT_EQ(outside, 0) << text();
    EXPECT_EQ(text().find("memref.alloc("), std::string::npos) << text();
  }
};

TEST_F(BlockRowReduction, UndoRestoresEveryKernel) {
  for (const RowKernel &kernel : rowKernels())
    for (const char *element : {"f32", "f16", "bf16"}) {
      if (std::string(kernel.name) == "row_max" && element[0] == 'f' &&
          element[1] == '1')
        continue; // The infinity of f16 has other bits.
      for (int64_t columns : {1, 3, 17, 127, 128, 1000, 4096, 100000, -1}) {
        SCOPED_TRACE(std::string(kernel.name) + " " + element + " " +
                     std::to_string(columns));
        RowSizes sizes{columns < 0 ? -1 : 5, columns, element};
        reduce(kernel.make(sizes), "{threads = 128, vector = 1}");
        if (columns == 1 || columns == 127)
          reduce(kernel.make({1, columns, element}),
                 "{threads = 32, vector = 1}");
        if (columns > 0 && columns % 8 == 0)
          reduce(kernel.make(sizes), "{threads = 128, vector = 8}");
      }
    }
}

TEST_F(BlockRowReduction, ComputesStaticRows) {
  for (const RowKernel &kernel : rowKernels())
    for (auto [columns, params] :
         {std::pair{1, "{threads = 32, vector = 1}"},
          std::pair{17, "{threads = 32, vector = 1}"},
          std::pair{127, "{threads = 96, vector = 1}"},
          std::pair{1000, "{threads = 64, vector = 4}"}}) {
      SCOPED_TRACE(std::string(kernel.name) + " " + std::to_string(columns));
      reduce(kernel.make({3, columns}), params);
      judge();
    }
}

TEST_F(BlockRowReduction, ComputesDynamicRows) {
  for (const RowKernel &kernel : rowKernels()) {
    SCOPED_TRACE(kernel.name);
    reduce(kernel.make({-1, -1}), "{threads = 64, vector = 1}");
    judge(dynamicSizes());
  }
}

/// Whole vectors if the row consists of them, the old operations if not.
TEST_F(BlockRowReduction, DynamicRowsByVectorsBehindAGuard) {
  for (const RowKernel &kernel : rowKernels()) {
    SCOPED_TRACE(kernel.name);
    load(kernel.make({-1, -1}));
    ASSERT_EQ(apply("block_row_reduction", find("linalg.generic"),
                    "{threads = 32, vector = 4}"),
              "");
    expectUndo();
    EXPECT_TRUE(step.guarded);
    std::string name = kernel.name;
    if (name == "softmax" || name == "layer_norm") {
      std::vector<std::vector<int64_t>> sizes = dynamicSizes(64);
      judge({sizes[1], sizes[2], sizes[4]});
    }
    if (auto facts = ptxFacts(); !facts.empty())
      EXPECT_GE(facts["ld.global.v4"], 1);
  }
}

/// Maxima and minima from any start, bit by bit.
TEST_F(BlockRowReduction, SelectionsAreBitExact) {
  struct Case {
    const char *combiner, *initial, *element;
  };
  for (Case c : {Case{"arith.maximumf", "0xFF800000", "f32"},
                 Case{"arith.maximumf", "-1.5", "f32"},
                 Case{"arith.minimumf", "0x7F800000", "f32"},
                 Case{"arith.maxnumf", "0xFF800000", "f32"},
                 Case{"arith.minnumf", "0.25", "f32"},
                 Case{"arith.addi", "0", "i32"}, Case{"arith.addi", "7", "i32"},
                 Case{"arith.maxsi", "-2147483648", "i32"},
                 Case{"arith.minui", "5", "i32"}}) {
    SCOPED_TRACE(std::string(c.combiner) + " " + c.initial);
    for (const char *registers : {"1", "0"}) {
      reduce(rowReduce({3, 129, c.element}, c.combiner, c.initial),
             std::string("{threads = 64, vector = 1, rows_in_registers = ") +
                 registers + "}");
      EXPECT_EQ(numerics, Numerics::bit_exact);
      judge();
    }
  }
}

TEST_F(BlockRowReduction, NarrowTypesAndVectors) {
  for (const char *element : {"f16", "bf16"})
    for (const RowKernel &kernel : rowKernels()) {
      if (std::string(kernel.name) == "row_max")
        continue;
      SCOPED_TRACE(std::string(kernel.name) + " " + element);
      reduce(kernel.make({2, 328, element}), "{threads = 32, vector = 8}");
      judge();
    }
}

TEST_F(BlockRowReduction, RowsStayInRegisters) {
  for (const RowKernel &kernel : rowKernels()) {
    SCOPED_TRACE(kernel.name);
    reduce(kernel.make({64, 4096}), "{threads = 256, vector = 4}");
    auto facts = ptxFacts();
    if (facts.empty())
      GTEST_SKIP() << "no PTX without libdevice";
    bool two = std::string(kernel.name) == "add_rms_norm";
    // Four vectors a thread and matrix: each element is loaded once.
    EXPECT_EQ(facts["local"], 0);
    EXPECT_EQ(facts["st.global.v4"],
              std::string(kernel.name).rfind("row_", 0) == 0 ? 0
              : two                                          ? 8
                                                             : 4);
    EXPECT_GE(facts["ld.global.v4"], 4);
    EXPECT_LE(facts["ld.global.v4"], 12);
  }
}

/// Row values and temporaries that others read are stored as well; what comes
/// after the group stays in its place.
TEST_F(BlockRowReduction, ResultsUsedElsewhere) {
  const char *const kernel = R"mlir(
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0) -> (d0)>
func.func @kernel(%x: tensor<5x40xf32>) -> (tensor<5x40xf32>, tensor<5xf32>, tensor<40x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<5xf32>
  %e2 = tensor.empty() : tensor<5x40xf32>
  %e3 = tensor.empty() : tensor<40x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<5x40xf32>) outs(%f : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %s : tensor<5x40xf32>, tensor<5xf32>) outs(%e2 : tensor<5x40xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<5x40xf32>
  %q = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]}
    ins(%s : tensor<5xf32>) outs(%e1 : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #id], iterator_types = ["parallel", "parallel"]}
    ins(%d : tensor<5x40xf32>) outs(%e3 : tensor<40x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<40x5xf32>
  return %d, %q, %t : tensor<5x40xf32>, tensor<5xf32>, tensor<40x5xf32>
})mlir";
  for (const char *params :
       {"{threads = 32, vector = 1}", "{threads = 32, vector = 4}",
        "{threads = 32, vector = 2, rows_in_registers = 0}"}) {
    load(kernel);
    ASSERT_EQ(apply("block_row_reduction", find("linalg.generic"), params), "");
    expectUndo();
    judge();
  }
}

/// Reduced dimensions kept with extent 1, as some frontends do: an RMS norm.
TEST_F(BlockRowReduction, KeptDimensions) {
  std::string kernel = R"mlir(
#id = affine_map<(d0, d1) -> (d0, d1)>
#kept = affine_map<(d0, d1) -> (d0, 0)>
func.func @kernel(%x: tensor<5x40xf32>) -> tensor<5x40xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 40.0 : f32
  %e1 = tensor.empty() : tensor<5x1xf32>
  %e2 = tensor.empty() : tensor<5x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<5x1xf32>) -> tensor<5x1xf32>
  %s = linalg.generic {indexing_maps = [#id, #kept], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<5x40xf32>) outs(%f : tensor<5x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %a : f32
    %r = arith.addf %p, %b : f32
    linalg.yield %r : f32
  } -> tensor<5x1xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<5x1xf32>) outs(%e1 : tensor<5x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.divf %a, %n : f32
    %r = math.rsqrt %m : f32
    linalg.yield %r : f32
  } -> tensor<5x1xf32>
  %d = linalg.generic {indexing_maps = [#id, #kept, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %q : tensor<5x40xf32>, tensor<5x1xf32>) outs(%e2 : tensor<5x40xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<5x40xf32>
  return %d : tensor<5x40xf32>
})mlir";
  for (const char *params :
       {"{threads = 32, vector = 1}", "{threads = 32, vector = 4}",
        "{threads = 32, vector = 2, rows_in_registers = 0}"}) {
    reduce(kernel, params);
    judge();
  }
  // A single column cannot be told from a kept dimension: never wrong code.
  for (size_t at = 0; (at = kernel.find("5x40x", at)) != std::string::npos;)
    kernel.replace(at, 5, "5x1x");
  load(kernel);
  EXPECT_EQ(apply("block_row_reduction", find("linalg.generic"),
                  "{threads = 32, vector = 1}"),
            "row_local");
}

/// Two reductions of unrelated dynamic matrices, one after the other, that
/// share a scale: two groups.
TEST_F(BlockRowReduction, DynamicExtentsOfOthersStayOutside) {
  const char *const kernel = R"mlir(
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @kernel(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %g: memref<?xf32>,
                  %a: memref<?xf32>, %b: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  linalg.generic {indexing_maps = [#id, #col, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x, %g : memref<?x?xf32>, memref<?xf32>) outs(%a : memref<?xf32>) {
  ^bb0(%i: f32, %s: f32, %o: f32):
    %p = arith.mulf %i, %s : f32
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  linalg.generic {indexing_maps = [#id, #col, #row], iterator_types = ["parallel", "reduction"]}
    ins(%y, %g : memref<?x?xf32>, memref<?xf32>) outs(%b : memref<?xf32>) {
  ^bb0(%i: f32, %s: f32, %o: f32):
    %p = arith.mulf %i, %s : f32
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  }
  return
})mlir";
  load(kernel);
  ASSERT_EQ(apply("block_row_reduction", find("linalg.generic"),
                  "{threads = 32, vector = 1}"),
            "");
  expectUndo();
  // x, y, g, a, b: the second matrix has more rows than the first.
  judge({{3, 37, 9, 37, 37, 3, 9}});
  ASSERT_EQ(apply("block_row_reduction", find("linalg.generic", 1),
                  "{threads = 32, vector = 1}"),
            "");
  expectUndo();
  judge({{3, 37, 9, 37, 37, 3, 9}, {1, 1, 2, 1, 1, 1, 2}});
}

/// The gate must see a tail that counts: the mask is taken away by hand.
TEST_F(BlockRowReduction, AMissingMaskIsFound) {
  reduce(rowSum({3, 33}), "{threads = 32, vector = 1}");
  std::string broken = text();
  size_t at = broken.find("arith.select");
  ASSERT_NE(at, std::string::npos);
  size_t from = broken.find("linalg.yield", at);
  size_t end = broken.find(" :", from);
  size_t add = broken.rfind("= arith.addf", at);
  size_t name = broken.rfind("%", add);
  broken.replace(from, end - from,
                 "linalg.yield " + broken.substr(name, add - name - 1));
  GateRequest request;
  request.cases = {{reference, broken, {}}};
  request.target = target;
  request.numerics = numerics;
  EXPECT_EQ(judgeHere(request, registry).kind, VerdictKind::wrong) << broken;
}

} // namespace
