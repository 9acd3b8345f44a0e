//===- Executor.cpp - Lock-step symbolic execution of one block
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"

using namespace mlir;
using namespace klineage;
using namespace klineage::sym;

/// A block has no more threads on any chip.
static constexpr int64_t mostThreads = 1024;

Executor::Executor(Arena &arena, const KernelLaunch &launch,
                   BlockSummary &summary)
    : arena(arena), launch(launch), summary(summary),
      path(uint32_t(arena.boolean(true))), facts(1) {
  frames.emplace_back();
}

bool Executor::refuse(Operation *op, const Twine &why) {
  if (!summary.refusal)
    summary.refusal = Refusal{op->getLoc(), why.str()};
  return false;
}

const Lanes *Executor::get(Value v) {
  auto it = values.find(v);
  return it == values.end() ? nullptr : &it->second;
}

void Executor::enter(unsigned lane, bool all) {
  if (facts.size() == 1)
    arena.within(facts[0]);
  else if (!all)
    arena.within(facts[lane]);
}

std::optional<bool> Executor::decide(Pred p, unsigned lane) {
  return arena.decide(p, facts[facts.size() == 1 ? 0 : lane]);
}

void Executor::addFacts(const Lanes &condition) {
  if (condition.uniform()) {
    for (Facts &list : facts)
      arena.learn(Pred(condition.at(0)), list);
    return;
  }
  if (facts.size() == 1)
    facts.assign(threads, facts[0]);
  for (unsigned lane = 0; lane < threads; ++lane)
    arena.learn(Pred(condition.at(lane)), facts[lane]);
}

void Executor::compress(Lanes &lanes) {
  if (lanes.uniform())
    return;
  for (unsigned lane = 1; lane < threads; ++lane)
    for (unsigned part = 0; part < lanes.width; ++part)
      if (lanes.at(lane, part) != lanes.ids[part])
        return;
  lanes.ids.resize(lanes.width);
}

bool Executor::forLanes(ArrayRef<const Lanes *> in, Lanes &out,
                        function_ref<bool(unsigned, uint32_t *)> make) {
  bool uniform = llvm::all_of(in, [](const Lanes *l) { return l->uniform(); });
  out.ids.assign(out.width * (uniform ? 1 : threads), 0);
  bool good = true;
  for (unsigned lane = 0; good && lane < (uniform ? 1 : threads); ++lane) {
    if (!uniform && !active(lane))
      continue;
    enter(lane, uniform);
    good = make(lane, &out.ids[lane * out.width]);
  }
  leave();
  if (good)
    compress(out);
  return good;
}

bool Executor::map(Operation *op, ValueRange operands, Value result,
                   unsigned width,
                   function_ref<bool(ArrayRef<uint32_t>, uint32_t *)> make) {
  SmallVector<const Lanes *, 4> in;
  for (Value operand : operands) {
    const Lanes *lanes = get(operand);
    if (!lanes)
      return refuse(op, "an operand that is not understood");
    in.push_back(lanes);
  }
  Lanes out;
  out.width = width;
  if (!forLanes(in, out, [&](unsigned lane, uint32_t *to) {
        SmallVector<uint32_t, 8> ids;
        for (const Lanes *lanes : in)
          for (unsigned part = 0; part < lanes->width; ++part)
            ids.push_back(lanes->at(lane, part));
        return make(ids, to);
      }))
    return refuse(op, "'" + op->getName().getStringRef() +
                          "' on operands like these");
  values[result] = std::move(out);
  return true;
}

bool Executor::bindArguments() {
  gpu::GPUFuncOp kernel = launch.kernel;
  if (launch.arguments.size() != kernel.getFunctionType().getNumInputs())
    return refuse(kernel, "a launch with another number of arguments");
  for (auto [argument, bound] :
       llvm::zip(kernel.getArguments(), launch.arguments)) {
    if (bound.array)
      continue;
    if (bound.integer)
      values[argument] = Lanes(uint32_t(*bound.integer));
    else if (bound.value)
      values[argument] = Lanes(uint32_t(*bound.value));
  }
  return makeRoots();
}

void Executor::run() {
  gpu::GPUFuncOp kernel = launch.kernel;
  int64_t count = 1;
  for (int64_t size : launch.blockSize)
    count *= size;
  if (count < 1 || count > mostThreads) {
    refuse(kernel, "a block of " + Twine(count) + " threads");
    return;
  }
  threads = unsigned(count);
  static const char *const names[] = {"bx", "by", "bz"};
  for (unsigned i = 0; i < 3; ++i) {
    Poly grid = launch.gridSize[i];
    auto constant = arena.constantOf(grid);
    if (constant == 1) {
      summary.blockId[i] = arena.constant(0);
      continue;
    }
    summary.blockId[i] =
        arena.symbol(names[i], {0, constant ? *constant - 1 : Interval::none});
    if (!constant)
      facts[0].push_back(
          arena.sub(arena.sub(grid, summary.blockId[i]), arena.constant(1)));
  }
  if (!kernel.getBody().hasOneBlock()) {
    refuse(kernel, "control flow that is not structured");
    return;
  }
  if (!bindArguments() || !runBlock(kernel.getBody().front()))
    return;
  for (auto &[key, cell] : frames.front().cells) {
    auto [root, thread, offset] = key;
    if (roots[root].space == Root::Space::global)
      summary.stores.push_back({roots[root].array,
                                Poly(offset),
                                cell.value,
                                cell.guard,
                                {},
                                thread});
  }
  for (auto [array, offset, thread] : early)
    summary.earlyReads.push_back({array, Poly(offset), thread});
  summary.assumptions.insert("index arithmetic does not wrap");
  summary.assumptions.insert("extents are positive");
  summary.assumptions.insert("buffers do not overlap");
}

BlockSummary klineage::summarizeBlock(Arena &arena,
                                      const KernelLaunch &launch) {
  BlockSummary summary;
  Executor(arena, launch, summary).run();
  if (!arena.failure().empty() && !summary.refusal)
    summary.refusal = Refusal{launch.kernel->getLoc(), arena.failure().str()};
  return summary;
}
