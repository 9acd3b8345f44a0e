//===- Races.cpp - Clauses race_free_shared and race_free_global
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClauseQuery.h"
#include "KLineage/Analysis/Banks.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace klineage;

namespace {

class RaceSearch {
public:
  RaceSearch(KernelModel &model, MemoryRoot::Space space)
      : model(model), arena(model.arena), space(space),
        query(model,
              space == MemoryRoot::Space::shared ? "race_free_shared"
                                                 : "race_free_global",
              ClauseClass::storage,
              "no two threads touch one element, one of them writing, "
              "without a barrier between") {}

  ClauseResult run() {
    if (!model.notUnderstood.empty())
      return query.take();
    search(/*otherBlock=*/false);
    if (!query.refuted() && space == MemoryRoot::Space::global)
      search(/*otherBlock=*/true);
    if (space == MemoryRoot::Space::global)
      noteAliasing();
    if (space == MemoryRoot::Space::shared)
      noteCopies();
    return query.take();
  }

private:
  void search(bool otherBlock) {
    twin = makeTwin(model, otherBlock);
    query.veto = nullptr;
    if (model.warpOps && !otherBlock)
      query.veto = [this](const Assignment &values) { return warp(values); };
    for (size_t i = 0; i < model.accesses.size(); ++i)
      for (size_t j = i; j < model.accesses.size(); ++j)
        if (!pair(model.accesses[i], model.accesses[j], i == j, otherBlock))
          return;
  }

  /// Lanes of one warp may be ordered by an operation of the whole warp.
  std::string warp(const Assignment &values) {
    Assignment all = values;
    for (Var v : model.thread) {
      all.try_emplace(v, 0);
      llvm::SetVector<Var> other;
      arena.collectVars(twin[v], other);
      all.try_emplace(other[0], 0);
    }
    Expr a = linearThread(model), b = arena.substitute(a, twin);
    auto x = arena.eval(a, all), y = arena.eval(b, all);
    if (x && y && *x / 32 != *y / 32)
      return "";
    return "the two lanes are of one warp, which other operations order";
  }

  Formula differ(bool same, bool otherBlock) {
    if (otherBlock) {
      Formula result = Formula::never();
      for (Var v : model.block)
        if (arena.info(v).range.hi > 0) {
          Expr difference = arena.sub(arena.var(v), twin[v]);
          result = disj(result, Formula::ne(arena, difference));
        }
      return result;
    }
    Expr mine = linearThread(model);
    Expr difference = arena.sub(arena.substitute(mine, twin), mine);
    // A pair of equal accesses is symmetric.
    return same ? Formula::ge(arena.addConstant(difference, -1))
                : Formula::ne(arena, difference);
  }

  Formula sameElement(const KernelAccess &a, const KernelAccess &b) {
    Formula result = Formula::always();
    if (!model.roots[a.root].injective)
      return result;
    for (size_t d = 0; d < a.index.size(); ++d) {
      Expr x = a.index[d], y = arena.substitute(b.index[d], twin);
      if (d + 1 == a.index.size() && (a.width > 1 || b.width > 1)) {
        // x <= y + wb - 1 and y <= x + wa - 1.
        result =
            conj(result,
                 Formula::ge(arena.addConstant(arena.sub(y, x), b.width - 1)));
        result =
            conj(result,
                 Formula::ge(arena.addConstant(arena.sub(x, y), a.width - 1)));
      } else {
        result = conj(result, Formula::eq(arena.sub(x, y)));
      }
    }
    return result;
  }

  bool pair(const KernelAccess &a, const KernelAccess &b, bool same,
            bool otherBlock) {
    if (a.root != b.root || model.roots[a.root].space != space ||
        !(a.write || b.write) || (a.atomic && b.atomic))
      return true;
    Formula goal = sameElement(a, b);
    if (!otherBlock)
      goal = conj(goal, Formula::eq(arena.sub(
                            a.barriers, arena.substitute(b.barriers, twin))));
    goal = conj(goal, differ(same, otherBlock));
    Formula context = conj(model.domainOf(a.guards),
                           substitute(arena, model.domainOf(b.guards), twin));
    bool exact = model.roots[a.root].injective && model.exactDomain(a.guards) &&
                 model.exactDomain(b.guards) &&
                 (otherBlock || (a.exactBarriers && b.exactBarriers));
    return query.impossible(context, goal, exact, a.op, [&] {
      std::string text;
      llvm::raw_string_ostream os(text);
      os << (a.write ? "write" : "read") << " and "
         << (b.write ? "write" : "read") << " of " << model.roots[a.root].name
         << "[";
      llvm::interleaveComma(a.index, os, [&](Expr e) { arena.print(e, os); });
      os << "] and [";
      llvm::interleaveComma(b.index, os, [&](Expr e) { arena.print(e, os); });
      os << "] by two threads" << (otherBlock ? " of two blocks" : "");
      return text;
    });
  }

  bool isWritten(size_t root) {
    return llvm::any_of(model.accesses, [&](const KernelAccess &access) {
      return access.root == root && access.write;
    });
  }

  /// Roots are compared one by one; what makes two of them one place is a
  /// launch that passes a buffer twice.
  void noteAliasing() {
    for (auto [number, a] : llvm::enumerate(model.roots)) {
      if (a.space != MemoryRoot::Space::global || !isWritten(number))
        continue;
      std::string twice = passedTwice(a);
      if (!twice.empty() && !query.refuted())
        return query.unknown(model.kernel, twice);
      if (!a.noAlias)
        query.assume(a.name + " overlaps no other argument");
    }
  }

  /// Program order is what keeps writes of one thread apart, and copies that
  /// are under way together have none.
  void noteCopies() {
    if (llvm::any_of(model.accesses, [](const KernelAccess &access) {
          return access.write && isa<nvgpu::DeviceAsyncCopyOp>(access.op);
        }))
      query.assume("copies that one thread has under way together go to "
                   "different bytes");
  }

  /// How some launch passes the written buffer `a` by another argument, too.
  std::string passedTwice(const MemoryRoot &a) {
    std::string text;
    gpu::GPUFuncOp kernel = model.kernel;
    auto module = kernel->getParentOfType<ModuleOp>();
    auto written = dyn_cast<BlockArgument>(a.base);
    if (!module || !written || written.getOwner() != &kernel.getBody().front())
      return text;
    module.walk([&](gpu::LaunchFuncOp launch) {
      unsigned index = written.getArgNumber();
      if (launch.getKernelName() != kernel.getName() ||
          index >= launch.getNumKernelOperands())
        return;
      Value buffer = baseOf(launch.getKernelOperand(index));
      for (const MemoryRoot &b : model.roots) {
        auto other = dyn_cast<BlockArgument>(b.base);
        if (&a != &b && b.space == MemoryRoot::Space::global && other &&
            other.getArgNumber() < launch.getNumKernelOperands() &&
            baseOf(launch.getKernelOperand(other.getArgNumber())) == buffer)
          text =
              "a launch passes one buffer as " + a.name + " and as " + b.name;
      }
    });
    return text;
  }

  KernelModel &model;
  ExprArena &arena;
  MemoryRoot::Space space;
  ClauseQuery query;
  llvm::DenseMap<Var, Expr> twin;
};

} // namespace

ClauseResult klineage::raceFree(KernelModel &model, MemoryRoot::Space space) {
  return RaceSearch(model, space).run();
}

SmallVector<ClauseResult> klineage::evaluateKernel(KernelModel &model,
                                                   const LaunchLimits &limits) {
  SmallVector<ClauseResult> results;
  results.push_back(launchLimits(model, limits));
  results.push_back(gridWithin(model, limits));
  results.push_back(inBounds(model));
  results.push_back(aligned(model));
  results.push_back(barrierUniform(model));
  std::string missing;
  for (const ClauseResult &result : results)
    if (missing.empty() && result.truth != Truth::proved &&
        result.name != "aligned" && result.name != "grid_limits")
      missing = result.name;
  for (auto space : {MemoryRoot::Space::shared, MemoryRoot::Space::global}) {
    if (missing.empty()) {
      results.push_back(raceFree(model, space));
      continue;
    }
    ClauseQuery query(model,
                      space == MemoryRoot::Space::shared ? "race_free_shared"
                                                         : "race_free_global",
                      ClauseClass::storage,
                      "no two threads touch one element, one of them writing, "
                      "without a barrier between");
    query.unknown(model.kernel, "presupposes " + missing);
    results.push_back(query.take());
  }
  results.push_back(bankConflictDegree(model));
  return results;
}
