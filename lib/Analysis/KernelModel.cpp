//===- KernelModel.cpp - The kernel model: entry, domains, printing
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/KernelModel.h"
#include "KernelReader.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace klineage;

Formula KernelModel::domainOf(ArrayRef<unsigned> list) const {
  Formula domain = launch;
  for (unsigned id : list)
    domain = conj(domain, guards[id].holds);
  return domain;
}

bool KernelModel::exactDomain(ArrayRef<unsigned> list) const {
  return llvm::all_of(list, [&](unsigned id) { return guards[id].exact; });
}

/// Unrolled accesses differ by constants only. Those that fill a box become one
/// access over fresh variables: as exact, and pairs are few.
static void mergeBoxes(KernelModel &model) {
  ExprArena &arena = model.arena;
  using Key = std::tuple<unsigned, SmallVector<unsigned>, Expr, bool, bool,
                         bool, int64_t, int64_t, std::vector<Expr>>;
  std::map<Key, std::vector<std::pair<std::vector<int64_t>, size_t>>> groups;
  std::vector<Key> order;
  for (auto [i, a] : llvm::enumerate(model.accesses)) {
    std::vector<Expr> base;
    std::vector<int64_t> offsets;
    for (Expr e : a.index) {
      int64_t c = arena.linear(e).constant;
      base.push_back(arena.addConstant(e, -c));
      offsets.push_back(c);
    }
    Key key(a.root, a.guards, a.barriers, a.exactBarriers, a.write, a.atomic,
            a.width, a.alignment, base);
    auto [it, fresh] = groups.try_emplace(key);
    if (fresh)
      order.push_back(key);
    it->second.push_back({offsets, i});
  }
  std::vector<KernelAccess> merged;
  for (const Key &key : order) {
    auto &group = groups[key];
    llvm::sort(group);
    std::vector<std::vector<int64_t>> points;
    for (auto &entry : group)
      if (points.empty() || points.back() != entry.first)
        points.push_back(entry.first);
    std::vector<int64_t> low = points[0], high = points[0];
    for (auto &p : points)
      for (size_t d = 0; d < p.size(); ++d)
        low[d] = std::min(low[d], p[d]), high[d] = std::max(high[d], p[d]);
    double volume = 1;
    for (size_t d = 0; d < low.size(); ++d)
      volume *= double(high[d]) - double(low[d]) + 1;
    if (volume != double(points.size()) || points.size() < 2) {
      for (auto &entry : group)
        merged.push_back(model.accesses[entry.second]);
      continue;
    }
    KernelAccess one = model.accesses[group[0].second];
    one.count = group.size();
    for (size_t d = 0; d < low.size(); ++d)
      if (high[d] > low[d])
        one.index[d] = arena.add(
            one.index[d],
            arena.var(arena.makeVar("u" + std::to_string(merged.size()) + "." +
                                        std::to_string(d),
                                    VarKind::counter, {0, high[d] - low[d]})));
    merged.push_back(std::move(one));
  }
  model.accesses = std::move(merged);
}

KernelModel klineage::buildKernelModel(gpu::GPUFuncOp kernel,
                                       gpu::LaunchFuncOp launch,
                                       const ExtentTies &ties) {
  KernelModel model(kernel);
  KernelReader(model, ties).read(launch);
  delinearize(model);
  mergeBoxes(model);
  return model;
}

gpu::LaunchFuncOp klineage::findLaunch(gpu::GPUFuncOp kernel) {
  gpu::LaunchFuncOp found;
  bool several = false;
  auto module = kernel->getParentOfType<ModuleOp>();
  if (!module)
    return {};
  module.walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelName() != kernel.getName() ||
        launch.getKernelModuleName() !=
            kernel->getParentOfType<gpu::GPUModuleOp>().getName())
      return;
    several |= bool(found);
    found = launch;
  });
  return several ? gpu::LaunchFuncOp() : found;
}

static void printFormula(const ExprArena &arena, const Formula &formula,
                         raw_ostream &os) {
  llvm::interleave(
      formula.disjuncts, os,
      [&](const Conjunction &conjunction) {
        llvm::interleave(
            conjunction, os,
            [&](Condition condition) {
              arena.print(condition.expr, os);
              os << (condition.equality ? " == 0" : " >= 0");
            },
            " and ");
      },
      " or ");
}

void klineage::printKernelModel(const KernelModel &model, raw_ostream &os) {
  const ExprArena &arena = model.arena;
  gpu::GPUFuncOp kernel = model.kernel;
  auto comma = [&](ArrayRef<Expr> list) {
    llvm::interleaveComma(list, os, [&](Expr e) { arena.print(e, os); });
  };
  os << "kernel " << kernel.getName() << " block [" << model.blockSize[0]
     << ", " << model.blockSize[1] << ", " << model.blockSize[2] << "] grid [";
  comma(model.gridSize);
  os << "]\n";
  static const char *spaces[] = {"global", "shared", "local"};
  for (const MemoryRoot &root : model.roots) {
    os << "memory " << root.name << " " << spaces[unsigned(root.space)] << " [";
    comma(root.sizes);
    os << "] of " << root.elementBytes << " bytes, aligned " << root.alignment
       << "\n";
  }
  for (const KernelAccess &access : model.accesses) {
    os << (access.atomic  ? "atomic "
           : access.write ? "write "
                          : "read ")
       << model.roots[access.root].name << "[";
    comma(access.index);
    os << "]";
    if (access.width > 1)
      os << " width " << access.width;
    if (access.count > 1)
      os << " for " << access.count << " operations";
    os << " after ";
    arena.print(access.barriers, os);
    os << (access.exactBarriers ? " barriers" : " barriers at least");
    for (unsigned id : access.guards) {
      os << (model.guards[id].counter != ~0u ? " loop " : " if ");
      if (!model.guards[id].exact)
        os << "unknown";
      else
        printFormula(arena, model.guards[id].holds, os);
    }
    os << "\n";
  }
  os << "barriers " << model.barriers.size() << "\n";
  for (auto &[op, why] : model.notUnderstood)
    os << "not understood: " << why << "\n";
}
