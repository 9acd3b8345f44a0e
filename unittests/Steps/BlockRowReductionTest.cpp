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

} // namespace
