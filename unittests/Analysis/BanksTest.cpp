//===- BanksTest.cpp - Bank conflicts as predicted and as counted
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Banks.h"
#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Dialect/KLineage/KLineage.h"
#include "KLineage/RegisterAll.h"
#include "Oracle.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <filesystem>
#include <fstream>

using namespace mlir;
using namespace klineage;

namespace {

struct Banks : ::testing::Test {
  Banks() {
    static bool once = (registerAllPasses(), true);
    (void)once;
    registerAllDialects(registry);
    context = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
  }
  ~Banks() override {
    if (!folder.empty())
      std::filesystem::remove_all(folder);
  }

  /// The bundled skill with one piece of its text replaced.
  std::string skillWith(const std::string &name, const std::string &old,
                        const std::string &text) {
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("banks", path));
    folder = path.str().str();
    std::string to = folder + "/" + name;
    std::filesystem::copy(KLINEAGE_SKILLS "/" + name, to);
    auto buffer = llvm::MemoryBuffer::getFile(to + "/skill.mlir");
    std::string skill = (*buffer)->getBuffer().str();
    size_t at = skill.find(old);
    EXPECT_NE(at, std::string::npos);
    if (at != std::string::npos)
      skill.replace(at, old.size(), text);
    std::ofstream(to + "/skill.mlir") << skill;
    return to;
  }

  /// The state that the skill makes of the kernel.
  OwningOpRef<ModuleOp> applied(const std::string &skill, StringRef kernel) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(kernel, context.get());
    PassManager passes(context.get());
    EXPECT_TRUE(succeeded(parsePassPipeline(
        "klineage-apply{skills=" + skill + " budget=1}", passes)));
    EXPECT_TRUE(succeeded(passes.run(*module)));
    ModuleOp last;
    module->walk([&](StateOp state) { last = state.getModule(); });
    EXPECT_TRUE(last);
    return last ? OwningOpRef<ModuleOp>(last.clone()) : nullptr;
  }

  /// Predicted and counted conflicts agree; returns the highest degree.
  int64_t compare(ModuleOp state) {
    auto sight = test::execute(state, /*countedBlocks=*/1000);
    EXPECT_TRUE(bool(sight));
    if (!sight)
      return -1;
    std::map<std::string, int64_t> counted;
    for (const simt::Counts &counts : sight->counts)
      counted[counts.kernel] = counts.bankConflicts;
    int64_t worst = 0, total = 0;
    OwningOpRef<ModuleOp> built = state.clone();
    EXPECT_TRUE(succeeded(buildKernels(*built, *lookupTarget("sm_90a"))));
    built->walk([&](gpu::GPUFuncOp kernel) {
      KernelModel model = buildKernelModel(kernel, findLaunch(kernel));
      std::optional<int64_t> predicted = countBankConflicts(model);
      EXPECT_TRUE(predicted);
      EXPECT_EQ(predicted.value_or(-1), counted[kernel.getName().str()]);
      total += predicted.value_or(0);
      int64_t budget = 10000000;
      for (const KernelAccess &access : model.accesses)
        if (model.roots[access.root].space == MemoryRoot::Space::shared) {
          BankDegree degree = bankDegreeOf(model, access, budget);
          EXPECT_TRUE(degree.exact) << degree.why;
          worst = std::max(worst, degree.degree);
        }
    });
    std::cout << "degree " << worst << ", conflicts " << total << "\n";
    EXPECT_GE(worst, 1) << "the state has no shared memory";
    return worst;
  }

  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  std::string folder;
};

const char *const kMatmul = R"(
func.func @matmul(%a: tensor<128x32xf32>, %b: tensor<32x128xf32>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x32xf32>, tensor<32x128xf32>) outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %c : tensor<128x128xf32>
})";

const char *const kTranspose = R"(
func.func @transpose(%x: tensor<64x128xf32>) -> tensor<128x64xf32> {
  %e = tensor.empty() : tensor<128x64xf32>
  %y = linalg.transpose ins(%x : tensor<64x128xf32>) outs(%e : tensor<128x64xf32>) permutation = [1, 0]
  return %y : tensor<128x64xf32>
})";

const char *const kSwizzle = R"(
#ws = #gpu.address_space<workgroup>
func.func @transpose(%x: memref<64x32xf32>, %y: memref<64x32xf32>) {
  scf.forall (%b) in (2) {
    %s = memref.alloc() {klineage.target = 0 : i64} : memref<32x32xf32, #ws>
    scf.forall (%ty, %tx) in (32, 32) {
      %r = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1)>(%b, %ty)
      %v = memref.load %x[%r, %tx] : memref<64x32xf32>
      memref.store %v, %s[%ty, %tx] : memref<32x32xf32, #ws>
      gpu.barrier
      %w = memref.load %s[%tx, %ty] : memref<32x32xf32, #ws>
      memref.store %w, %y[%r, %tx] : memref<64x32xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
})";

const char *const kPad = "pad_shared %shared {pad = 1 : i64}";

TEST_F(Banks, MatmulShared) {
  auto state = applied(KLINEAGE_SKILLS "/matmul_shared", kMatmul);
  ASSERT_TRUE(state);
  EXPECT_GE(compare(*state), 1);
}

TEST_F(Banks, TransposePadded) {
  auto state = applied(KLINEAGE_SKILLS "/transpose", kTranspose);
  ASSERT_TRUE(state);
  EXPECT_LE(compare(*state), 4);
}

/// Columns meet in one bank, and in different ones after the step.
TEST_F(Banks, TransposeSwizzled) {
  OwningOpRef<ModuleOp> state =
      parseSourceString<ModuleOp>(kSwizzle, context.get());
  ASSERT_TRUE(state);
  EXPECT_EQ(compare(*state), 32);
  PassManager passes(context.get());
  ASSERT_TRUE(succeeded(parsePassPipeline(
      "klineage-test-step{kind=swizzle_shared params={vector=1}}", passes)));
  ASSERT_TRUE(succeeded(passes.run(*state)));
  EXPECT_EQ(compare(*state), 1);
}

/// Neither padded nor swizzled: the columns of the tile meet in few banks.
TEST_F(Banks, TransposePlain) {
  auto state = applied(
      skillWith("transpose", kPad, "pad_shared %shared {pad = 32 : i64}"),
      kTranspose);
  ASSERT_TRUE(state);
  EXPECT_GT(compare(*state), 4);
}

} // namespace
