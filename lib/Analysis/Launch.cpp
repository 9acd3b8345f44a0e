//===- Launch.cpp - Clauses launch_limits and grid_limits
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClauseQuery.h"

using namespace mlir;
using namespace klineage;

static std::string shapeText(ArrayRef<int64_t> extents) {
  std::string text;
  for (int64_t extent : extents)
    text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

ClauseResult klineage::launchLimits(KernelModel &model,
                                    const LaunchLimits &limits) {
  ClauseResult result(model.kernel.getLoc());
  result.name = "launch_limits";
  result.clauseClass = ClauseClass::hardware;
  result.engine = "folding";
  double threads = 1, bytes = 0;
  bool fits = true;
  for (auto [size, most] : llvm::zip(model.blockSize, limits.block)) {
    threads *= double(size);
    fits &= size <= most;
  }
  for (const MemoryRoot &root : model.roots) {
    if (root.space != MemoryRoot::Space::shared)
      continue;
    double size = root.elementBytes;
    for (Expr extent : root.sizes)
      size *= double(model.arena.constantOf(extent).value_or(0));
    bytes += size;
  }
  result.expected = "1 to " + std::to_string(limits.threads) +
                    " threads within " + shapeText(limits.block) +
                    " and at most " + std::to_string(limits.sharedBytes) +
                    " shared bytes";
  result.found = shapeText(model.blockSize) + " threads and " +
                 std::to_string(int64_t(bytes)) + " shared bytes";
  fits &=
      threads <= double(limits.threads) && bytes <= double(limits.sharedBytes);
  if (threads == 0)
    result.found = "a block size that is not constant";
  else
    result.truth = fits ? Truth::proved : Truth::refuted;
  return result;
}

ClauseResult klineage::gridWithin(KernelModel &model,
                                  const LaunchLimits &limits) {
  ExprArena &arena = model.arena;
  ClauseResult result(model.kernel.getLoc());
  result.name = "grid_limits";
  result.clauseClass = ClauseClass::hardware;
  result.engine = "folding";
  result.expected = "a grid within " + shapeText(limits.grid);
  result.truth = Truth::proved;
  static const char *names[] = {"x", "y", "z"};
  for (unsigned i = 0; i < 3; ++i) {
    klineage::Range range = arena.rangeOf(model.gridSize[i]);
    std::string extent =
        arena.str(model.gridSize[i]) + " blocks along " + names[i];
    if (range.lo > limits.grid[i] || range.hi < 0) {
      result.truth = Truth::refuted;
      result.found = extent;
      result.nearestLegal = std::to_string(limits.grid[i]);
      return result;
    }
    if (range.lo >= 0 && range.hi <= limits.grid[i])
      continue;
    llvm::SetVector<Var> vars;
    arena.collectVars(model.gridSize[i], vars);
    bool known = llvm::none_of(
        vars, [&](Var v) { return arena.info(v).kind == VarKind::opaque; });
    if (model.launched && known) {
      result.assumptions.push_back("the launch refuses more than " +
                                   std::to_string(limits.grid[i]) + " of " +
                                   extent);
      continue;
    }
    result.truth = Truth::unknown;
    result.found = model.launched ? extent : "a kernel without one launch";
  }
  return result;
}
