//===- R1Test.cpp - Undo restores the hash, for every kind on many kernels
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "KLineage/State/State.h"
#include "KLineage/Steps/TestPasses.h"
#include "RowKernels.h"
#include "SharedKernels.h"
#include "StepKernels.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace klineage;
using namespace klineage::test;
using namespace mlir;

namespace {

/// One use of a step kind, on targets as for findTestTargets. Uses without such
/// targets, or refused by a clause, are skipped.
struct Use {
  const char *kind, *targets, *params;
};

using Chain = std::vector<Use>;

class R1 : public StepTest {
protected:
  /// Does the chain, then undoes all of it, last step first.
  void run(const std::string &kernel, const Chain &chain, bool judged = false);
  /// At least so many uses of each kind: a refusal everywhere is no R1.
  void expectDone(std::initializer_list<std::pair<const char *, int>> least);
  /// Steps of that kind that were done and undone, in all kernels of the test.
  std::map<std::string, int> done;
};

void R1::run(const std::string &kernel, const Chain &chain, bool judged) {
  load(kernel);
  std::string start = hashState(*state);
  StepContext stepContext{*target};
  std::vector<AppliedStep> steps;
  for (const Use &use : chain) {
    SCOPED_TRACE(std::string(use.kind) + " on " + use.targets);
    SmallVector<Operation *> targets = findTestTargets(*state, use.targets);
    if (targets.empty())
      continue;
    auto params =
        cast<DictionaryAttr>(parseAttribute(use.params, context.get()));
    StepRefusal refusal;
    std::string before = hashState(*state);
    FailureOr<AppliedStep> applied =
        applyStep(*state, *lookupStepKind(use.kind), targets, params,
                  stepContext, refusal);
    if (failed(applied)) {
      // No precondition is hidden: targets of another sort, or a clause.
      EXPECT_TRUE(refusal.clauses.empty() ||
                  conjunction(refusal.clauses) != Truth::proved)
          << refusal.message << "\n"
          << text();
      EXPECT_EQ(hashState(*state), before) << "a refusal changed the state";
      EXPECT_FALSE(refusal.isFault) << refusal.message << "\n" << text();
      continue;
    }
    EXPECT_EQ(applied->before, before);
    numerics = std::max(numerics, applied->numerics);
    steps.push_back(*applied);
  }
  if (judged)
    judge();
  for (const AppliedStep &step : llvm::reverse(steps)) {
    ASSERT_TRUE(succeeded(undoStep(*state, step, stepContext)))
        << step.kind << " in\n"
        << text();
    ++done[step.kind];
  }
  EXPECT_EQ(hashState(*state), start);
}

void R1::expectDone(std::initializer_list<std::pair<const char *, int>> least) {
  for (auto [kind, count] : least)
    EXPECT_GE(done[kind], count) << kind;
}

const std::vector<const char *> kElements{"f32", "f16", "bf16", "f64"};

/// Divisible, ragged, dynamic, smaller than every tile, one, mixed.
const std::vector<std::vector<int64_t>> kProducts{
    {128, 64, 32}, {127, 65, 17}, {-1, -1, -1}, {5, 3, 2},
    {1, 1, 1},     {-1, 64, 32},  {64, 96, 1},  {1, 64, 128}};
const std::vector<std::vector<int64_t>> kMatrices{
    {64, 256}, {63, 257}, {-1, -1}, {3, 5}, {1, 1}, {-1, 256}, {1000, 1}};

/// All extents in f32, the first three in every type.
std::vector<KernelSizes> allOf(const std::vector<std::vector<int64_t>> &all) {
  std::vector<KernelSizes> sizes;
  for (const char *element : kElements)
    for (size_t i = 0; i < all.size(); ++i)
      if (i < 3 || StringRef(element) == "f32")
        sizes.push_back({all[i], element});
  return sizes;
}

/// Small enough to be executed here, in every test run.
bool isCheap(const KernelSizes &sizes) {
  int64_t points = 1;
  for (int64_t extent : sizes.extents)
    points *= extent;
  return sizes.isStatic() && sizes.element == "f32" && points <= 1 << 18;
}

TEST_F(R1, Products) {
  const Chain shared{
      {"tile_to_blocks", "contraction", "{tile_sizes = [64, 32, 0]}"},
      {"fuse_producer", "linalg.fill scf.forall", "{}"},
      {"strip_mine_reduction", "contraction", "{dim = 2, size = 16}"},
      {"promote_shared", "contraction", "{operand = 0}"},
      {"promote_shared", "contraction", "{operand = 1}"},
      {"pad_shared", "memref.alloc", "{pad = 4}"},
      {"distribute_to_threads", "scf.forall",
       "{threads = [8, 8], vector = 4, chunk = [4, 4]}"},
      {"distribute_to_threads", "scf.forall", "{threads = [8, 8], vector = 4}"},
      {"register_tile", "contraction", "{}"},
      {"vectorize_access", "linalg.copy#0", "{vector = 4}"},
      {"vectorize_access", "linalg.copy#0", "{vector = 4}"},
      {"unroll", "scf.for", "{factor = 2}"},
      {"remove_barrier", "gpu.barrier#0", "{}"},
      {"fast_math", "scf.forall", "{flags = \"contract\"}"}};
  const Chain direct{
      {"tile_to_blocks", "contraction", "{tile_sizes = [16, 16]}"},
      {"fuse_producer", "linalg.fill scf.forall", "{}"},
      {"distribute_to_threads", "scf.forall",
       "{threads = [16, 16], warps = [2, 4]}"},
      {"register_tile", "contraction", "{}"},
      {"unroll", "scf.for", "{factor = 0}"}};
  for (const KernelSizes &sizes : allOf(kProducts)) {
    SCOPED_TRACE(sizes.name());
    run(matmul(sizes), shared, isCheap(sizes));
    run(matmul(sizes), direct, isCheap(sizes));
  }
  expectDone({{"tile_to_blocks", 34},
              {"fuse_producer", 34},
              {"distribute_to_threads", 34},
              {"strip_mine_reduction", 17},
              {"promote_shared", 34},
              {"pad_shared", 17},
              {"register_tile", 28},
              {"vectorize_access", 10},
              {"unroll", 17},
              {"fast_math", 17}});
}

TEST_F(R1, AsyncCopies) {
  const Chain chain{
      {"tile_to_blocks", "contraction", "{tile_sizes = [64, 32, 0]}"},
      {"fuse_producer", "linalg.fill scf.forall", "{}"},
      {"strip_mine_reduction", "contraction", "{dim = 2, size = 16}"},
      {"promote_shared", "contraction", "{operand = 0}"},
      {"promote_shared", "contraction", "{operand = 1}"},
      {"pad_shared", "memref.alloc#1", "{pad = 4}"},
      {"distribute_to_threads", "scf.forall",
       "{threads = [8, 8], vector = 4, chunk = [4, 4]}"},
      {"async_copy", "linalg.copy#0", "{bytes = 16}"},
      {"async_copy", "linalg.copy#1", "{bytes = 8}"},
      {"register_tile", "contraction", "{}"}};
  for (const KernelSizes &sizes : allOf(kProducts)) {
    SCOPED_TRACE(sizes.name());
    run(matmul(sizes), chain, isCheap(sizes));
  }
  expectDone({{"async_copy", 7}});
}

TEST_F(R1, BatchedProducts) {
  const Chain chain{
      {"tile_to_blocks", "contraction", "{tile_sizes = [1, 32, 32, 0]}"},
      {"fuse_producer", "linalg.fill scf.forall", "{}"},
      {"strip_mine_reduction", "contraction", "{dim = 3, size = 8}"},
      {"promote_shared", "contraction", "{operand = 0}"},
      {"promote_shared", "contraction", "{operand = 1}"},
      {"distribute_to_threads", "scf.forall", "{threads = [8, 8], vector = 4}"},
      {"register_tile", "contraction", "{}"},
      {"vectorize_access", "linalg.copy#1", "{vector = 4}"}};
  for (const KernelSizes &sizes : allOf(
           {{3, 64, 32, 16}, {2, 17, 33, 9}, {-1, -1, -1, -1}, {1, 1, 1, 1}})) {
    SCOPED_TRACE(sizes.name());
    run(batchedMatmul(sizes), chain, isCheap(sizes));
  }
  expectDone({{"tile_to_blocks", 13},
              {"strip_mine_reduction", 13},
              {"promote_shared", 26},
              {"distribute_to_threads", 13}});
}

TEST_F(R1, ProductsWithEpilogue) {
  const Chain chain{
      {"tile_to_blocks", "linalg.generic#1", "{tile_sizes = [32, 32]}"},
      {"fuse_producer", "contraction scf.forall", "{}"},
      {"fuse_producer", "linalg.fill scf.forall", "{}"},
      {"strip_mine_reduction", "contraction", "{dim = 2, size = 8}"},
      {"promote_shared", "contraction", "{operand = 1}"},
      {"distribute_to_threads", "scf.forall", "{threads = [8, 8], vector = 4}"},
      {"register_tile", "contraction", "{}"}};
  // Of one column, the bias has no view of its own in a thread.
  const Chain rows{
      {"tile_to_blocks", "linalg.generic#1", "{tile_sizes = [1, 256]}"},
      {"distribute_to_threads", "scf.forall", "{threads = [256]}"}};
  for (const KernelSizes &sizes : allOf(kProducts)) {
    SCOPED_TRACE(sizes.name());
    run(matmulBiasRelu(sizes), chain, isCheap(sizes));
    run(matmulBiasRelu(sizes), rows, isCheap(sizes));
  }
  expectDone({{"fuse_producer", 34}, {"distribute_to_threads", 34}});
}

TEST_F(R1, Elementwise) {
  const Chain fused{
      {"fuse_producer", "linalg.generic#0 linalg.generic#1", "{}"},
      {"fuse_producer", "linalg.generic#0 linalg.generic#1", "{}"},
      {"tile_to_blocks", "linalg.generic", "{tile_sizes = [1, 128]}"},
      {"distribute_to_threads", "scf.forall", "{threads = [32], vector = 4}"},
      {"vectorize_access", "linalg.generic", "{vector = 4}"},
      {"fast_math", "scf.forall", "{flags = \"afn\"}"}};
  const Chain loop{
      {"tile_to_blocks", "linalg.generic#2", "{tile_sizes = [8, 32]}"},
      {"fuse_producer", "linalg.generic#1 scf.forall", "{}"},
      {"fuse_producer", "linalg.generic#0 scf.forall", "{}"},
      {"distribute_to_threads", "scf.forall", "{threads = [32, 4]}"}};
  for (const KernelSizes &sizes : allOf(kMatrices)) {
    SCOPED_TRACE(sizes.name());
    run(chain(sizes), fused, isCheap(sizes));
    run(chain(sizes), loop, isCheap(sizes));
  }
  expectDone({{"fuse_producer", 64},
              {"distribute_to_threads", 32},
              {"vectorize_access", 4},
              {"fast_math", 16}});
}

TEST_F(R1, OtherRanks) {
  const Chain vector{
      {"tile_to_blocks", "linalg.generic", "{tile_sizes = [256]}"},
      {"distribute_to_threads", "scf.forall", "{threads = [64], vector = 4}"},
      {"vectorize_access", "linalg.generic", "{vector = 4}"}};
  for (const KernelSizes &sizes :
       allOf({{1024}, {1}, {257}, {-1}, {255}, {4096}})) {
    SCOPED_TRACE(sizes.name());
    run(scaleVector(sizes), vector, isCheap(sizes));
  }
  const Chain cube{
      {"tile_to_blocks", "linalg.generic", "{tile_sizes = [1, 4, 32]}"},
      {"promote_shared", "linalg.generic", "{operand = 0}"},
      {"distribute_to_threads", "scf.forall",
       "{threads = [8, 4, 2], vector = 4}"},
      {"vectorize_access", "linalg.generic", "{vector = 4}"}};
  for (const KernelSizes &sizes :
       allOf({{4, 8, 64}, {3, 5, 7}, {-1, -1, -1}, {1, 1, 1}, {2, -1, 32}})) {
    SCOPED_TRACE(sizes.name());
    run(broadcast(sizes), cube, isCheap(sizes));
  }
  expectDone({{"tile_to_blocks", 29},
              {"distribute_to_threads", 29},
              {"vectorize_access", 15}});
}

TEST_F(R1, Transpositions) {
  const Chain chain{
      {"tile_to_blocks", "linalg.generic", "{tile_sizes = [32, 32]}"},
      {"promote_shared", "linalg.generic", "{operand = 0}"},
      {"distribute_to_threads", "scf.forall", "{threads = [8, 32]}"},
      {"pad_shared", "memref.alloc", "{pad = 1}"},
      {"vectorize_access", "linalg.copy", "{vector = 4}"}};
  for (const KernelSizes &sizes : allOf(kMatrices)) {
    SCOPED_TRACE(sizes.name());
    run(transpose(sizes), chain, isCheap(sizes));
  }
  expectDone({{"promote_shared", 16}, {"pad_shared", 16}});
}

TEST_F(R1, ColumnSums) {
  const Chain chain{
      {"tile_to_blocks", "contraction", "{tile_sizes = [0, 64]}"},
      {"fuse_producer", "linalg.fill scf.forall", "{}"},
      {"strip_mine_reduction", "contraction", "{dim = 0, size = 16}"},
      {"distribute_to_threads", "scf.forall", "{threads = [32], vector = 2}"},
      {"register_tile", "contraction", "{}"},
      {"unroll", "scf.for#1", "{factor = 4}"}};
  const Chain split{
      {"split_reduction", "contraction", "{rows = 32, columns = 64}"},
      {"tile_to_blocks", "linalg.generic#1", "{tile_sizes = [0, 64]}"},
      {"fuse_producer", "linalg.fill#0 scf.forall#1", "{}"},
      {"strip_mine_reduction", "linalg.generic#0", "{dim = 0, size = 8}"},
      {"distribute_to_threads", "scf.forall#0",
       "{threads = [32], vector = 2}"}};
  for (const KernelSizes &sizes : allOf(kMatrices)) {
    SCOPED_TRACE(sizes.name());
    run(columnSum(sizes), chain, isCheap(sizes));
    run(columnSum(sizes), split, isCheap(sizes));
  }
  expectDone({{"split_reduction", 16},
              {"fuse_producer", 32},
              {"strip_mine_reduction", 32},
              {"distribute_to_threads", 32}});
}

TEST_F(R1, Rows) {
  const Chain chain{
      {"block_row_reduction", "linalg.generic", "{threads = 64, vector = 4}"},
      {"block_row_reduction", "linalg.generic", "{threads = 32, vector = 1}"},
      {"remove_barrier", "gpu.barrier", "{}"},
      {"unroll", "scf.for", "{factor = 2}"},
      {"fast_math", "scf.forall", "{flags = \"afn\"}"}};
  for (const RowKernel &kernel : rowKernels())
    for (const char *element : {"f32", "f16", "bf16"})
      for (auto [rows, columns] : std::vector<std::pair<int64_t, int64_t>>{
               {8, 256}, {3, 127}, {-1, -1}, {-1, 512}, {4, 1}, {1, 3}}) {
        SCOPED_TRACE(kernel.name + std::to_string(columns) + element);
        run(kernel.make({rows, columns, element}), chain);
      }
  expectDone({{"block_row_reduction", 108}, {"fast_math", 108}});
}

TEST_F(R1, HandWritten) {
  run(kTranspose,
      {{"swizzle_shared", "memref.alloc", "{vector = 4}"},
       {"remove_barrier", "gpu.barrier#1", "{}"},
       {"unroll", "scf.for", "{factor = 4}"}},
      true);
  run(kTranspose,
      {{"pad_shared", "memref.alloc", "{pad = 4}"},
       {"remove_barrier", "gpu.barrier#1", "{}"},
       {"swizzle_shared", "memref.alloc", "{vector = 4}"}},
      true);
  run(kReverse,
      {{"remove_barrier", "gpu.barrier#0", "{}"},
       {"fast_math", "gpu.func", "{flags = \"afn\"}"}},
      true);
  expectDone({{"swizzle_shared", 1}, {"remove_barrier", 3}});
}

} // namespace
