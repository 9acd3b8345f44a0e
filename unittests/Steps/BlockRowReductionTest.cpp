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
