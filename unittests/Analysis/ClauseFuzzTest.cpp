//===- ClauseFuzzTest.cpp - Static verdicts against what the checked executor
// sees
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/KernelClauses.h"
#include "KLineage/Codegen/Codegen.h"
#include "KLineage/RegisterAll.h"
#include "KernelFamilies.h"
#include "Oracle.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace klineage;

namespace {

/// Kernels of one small family: stores to and loads from one shared array and
/// one global output, with random indices, guards, barriers and a loop. Faults
/// are as likely as sound kernels. All indices are linear and buffers flat, so
/// an index outside its dimension is an address outside the buffer.
class Generator {
public:
  explicit Generator(unsigned seed) : rng(seed) {}

  std::string kernel(const std::string &name) {
    text = "    gpu.func @" + name +
           "(%x: memref<128xf32>, %y: memref<128xf32>) workgroup(%s: "
           "memref<128xf32, #gpu.address_space<workgroup>>) kernel {\n";
    for (int i : {0, 1, 2, 3, 5, 8, 31, 32, 63, 64, 65, 127})
      line("%c" + std::to_string(i) + " = arith.constant " + std::to_string(i) +
           " : index");
    line("%t = gpu.thread_id x");
    line("%b = gpu.block_id x");
    line("%base = arith.muli %b, %c64 : index");
    line("%g = arith.addi %base, %t : index");
    line("%v = memref.load %x[%g] : memref<128xf32>");
    // Everything is written once, or reads would be of nothing.
    line("%up = arith.addi %t, %c64 : index");
    for (const char *at : {"%t", "%up"})
      line(std::string("memref.store %v, %s[") + at +
           "] : memref<128xf32, #gpu.address_space<workgroup>>");
    line("gpu.barrier");
    bool loop = pick(3) == 0;
    if (loop)
      line("scf.for %j = %c0 to %c3 step %c1 {");
    iv = loop ? "%j" : "%c1";
    int statements = 2 + pick(4);
    for (int i = 0; i < statements; ++i)
      statement();
    if (loop)
      line("}");
    iv = "%c1";
    // Most kernels write each output once.
    std::string out = pick(8) ? "%g" : index();
    line("memref.store %v, %y[" + out + "] : memref<128xf32>");
    line("gpu.return");
    return text + "    }\n";
  }

private:
  int pick(int n) { return int(rng() % n); }
  void line(const std::string &s) { text += "      " + s + "\n"; }
  std::string fresh() { return "%n" + std::to_string(next++); }

  std::string constant() {
    static const char *list[] = {"%c0", "%c1", "%c2", "%c8", "%c31", "%c64"};
    return list[pick(6)];
  }

  std::string index() {
    std::string a = "%t";
    if (pick(3) == 0) {
      std::string n = fresh();
      static const char *ops[] = {"arith.remui %t, %c32", "arith.divui %t, %c2",
                                  "arith.xori %t, %c5", "arith.subi %c63, %t",
                                  "arith.muli %t, %c2"};
      line(n + " = " + ops[pick(5)] + " : index");
      a = n;
    }
    if (pick(2) == 0) {
      std::string n = fresh();
      line(n + " = arith.addi " + a + ", " + (pick(3) ? constant() : iv) +
           " : index");
      a = n;
    }
    return a;
  }

  void access() {
    std::string at = index();
    if (pick(2)) {
      line("memref.store %v, %s[" + at +
           "] : memref<128xf32, #gpu.address_space<workgroup>>");
      return;
    }
    // The value goes to the thread's own output, or the load would vanish.
    std::string n = fresh();
    line(n + " = memref.load %s[" + at +
         "] : memref<128xf32, #gpu.address_space<workgroup>>");
    line("memref.store " + n + ", %y[%g] : memref<128xf32>");
  }

  void statement() {
    int kind = pick(10);
    if (kind < 4)
      return line("gpu.barrier");
    if (kind < 8)
      return access();
    std::string c = fresh();
    static const char *guards[] = {
        "arith.cmpi ult, %t, %c32", "arith.cmpi eq, %t, %c5",
        "arith.cmpi ult, %t, %c64", "arith.cmpi eq, %b, %c0"};
    line(c + " = " + guards[pick(4)] + " : index");
    line("scf.if " + c + " {");
    access();
    if (pick(4) == 0)
      line("gpu.barrier");
    line("}");
  }

  std::mt19937 rng;
  std::string text, iv;
  int next = 0;
};

struct Fuzz : ::testing::Test {
  Fuzz() {
    registerAllDialects(registry);
    context = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
  }

  std::string moduleOf(unsigned first, unsigned count) {
    std::string host, kernels;
    for (unsigned seed = first; seed < first + count; ++seed) {
      std::string name = "k" + std::to_string(seed);
      kernels += Generator(seed).kernel(name);
      host += "    gpu.launch_func @kernels::@" + name +
              " blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%x "
              ": memref<128xf32>, %y : memref<128xf32>)\n";
    }
    return "module attributes {gpu.container_module} {\n  func.func "
           "@entry(%x: memref<128xf32>, %y: memref<128xf32> {llvm.noalias}) "
           "{\n    %c1 = arith.constant 1 : index\n    %c2 = arith.constant 2 "
           ": index\n    %c64 = arith.constant 64 : index\n" +
           host + "    return\n  }\n  gpu.module @kernels {\n" + kernels +
           "  }\n}\n";
  }

  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
};

/// Judged kernels of one family by clause, verdict and what was seen.
using Table = std::map<std::string, std::map<std::string, int>>;

/// Judges one kernel both ways; returns the number of contradictions.
int judge(MLIRContext &context, const std::string &text, Table &table,
          const std::string &label) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << label << "\n" << text;
    return 0;
  }
  auto sight = test::execute(*module);
  if (!sight) {
    ADD_FAILURE() << label << ": " << llvm::toString(sight.takeError()) << text;
    return 0;
  }
  OwningOpRef<ModuleOp> built = module->clone();
  EXPECT_TRUE(succeeded(buildKernels(*built, *lookupTarget("sm_90a"))));
  int contradictions = 0;
  built->walk([&](gpu::GPUFuncOp kernel) {
    KernelModel model = buildKernelModel(kernel, findLaunch(kernel));
    for (const ClauseResult &clause : evaluateKernel(model, {})) {
      if (clause.clauseClass == ClauseClass::hardware)
        continue;
      bool fault = sight->contradicts(kernel.getName().str(), clause.name);
      std::string truth = stringifyTruth(clause.truth).str();
      table[clause.name][truth + (fault ? " found" : " clean")]++;
      bool wrong = clause.truth == Truth::proved    ? fault
                   : clause.truth == Truth::refuted ? !fault
                                                    : false;
      if (wrong && ++contradictions)
        ADD_FAILURE() << label << ": " << clause.name << " " << truth << " "
                      << clause.found << "\n"
                      << text;
    }
  });
  return contradictions;
}

void print(const std::string &family, int kernels, int contradictions,
           Table &table) {
  std::cout << family << ": " << kernels << " kernels, " << contradictions
            << " contradictions\n";
  const char *columns[] = {"proved clean",  "proved found",  "refuted clean",
                           "refuted found", "unknown clean", "unknown found"};
  for (auto &[clause, counts] : table) {
    std::cout << "  " << clause;
    for (const char *column : columns)
      if (int count = counts[column])
        std::cout << ", " << column << " " << count;
    std::cout << "\n";
  }
}

/// Kernels of each family, by the environment or few.
unsigned wished(unsigned few) {
  const char *wish = std::getenv("KLINEAGE_FUZZ_KERNELS");
  return wish ? std::max(1, std::atoi(wish)) : few;
}

TEST_F(Fuzz, RandomStatements) {
  // One module a kernel: a deadlock of one must not hide the others.
  unsigned kernels = wished(40);
  int contradictions = 0;
  Table table;
  for (unsigned seed = 1; seed <= kernels; ++seed)
    contradictions += judge(*context, moduleOf(seed, 1), table,
                            "seed " + std::to_string(seed));
  print("random statements", kernels, contradictions, table);
}

TEST_F(Fuzz, Families) {
  for (const test::KernelFamily &family : test::kernelFamilies()) {
    // The sound member: everything is proved.
    Table sound;
    EXPECT_EQ(judge(*context, test::member(family, 0), sound, family.name), 0);
    for (auto &[clause, counts] : sound)
      EXPECT_EQ(counts["proved clean"], 1) << family.name << ": " << clause;
    unsigned kernels = wished(8);
    int contradictions = 0;
    Table table;
    for (unsigned seed = 1; seed <= kernels; ++seed)
      contradictions += judge(*context, test::member(family, seed), table,
                              family.name + " " + std::to_string(seed));
    print(family.name, kernels, contradictions, table);
  }
}

} // namespace
