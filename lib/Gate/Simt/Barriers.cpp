//===- Barriers.cpp - Block barriers and meetings of a warp
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

bool BlockRunner::isComplete(const Barrier &barrier) const {
  uint32_t expected = barrier.expected ? barrier.expected : live;
  return barrier.waiting.size() + barrier.arrivedOnly >= expected;
}

uint32_t BlockRunner::barrier(ThreadCtx &ctx, uint32_t id, uint32_t count,
                              uint32_t reduce, uint32_t predicate, Site &site) {
  Thread &thread = threads[ctx.linearTid];
  if (id >= 16 || count % warpSize != 0 || count > launch->numThreads)
    if (Finding *finding =
            report(FindingKind::divergent_barrier, thread, &site, 1))
      finding->detail = (Twine("barrier ") + Twine(id) + " with a count of " +
                         Twine(count) + ": 16 barriers, counts of whole warps")
                            .str();
  Barrier &barrier = barriers[id % 16];
  bool first = barrier.waiting.empty() && barrier.arrivedOnly == 0;
  if (!first && barrier.expected != count)
    if (Finding *finding =
            report(FindingKind::divergent_barrier, thread, &site, 2))
      finding->detail = (Twine("counts ") + Twine(barrier.expected) + " and " +
                         Twine(count) + " at the same barrier")
                            .str();
  if (first)
    barrier.expected = count;
  barrier.reduce = reduce;
  barrier.waiting.push_back(ctx.linearTid);
  thread.predicate = predicate;
  thread.waitsAt = thread.site = &site;
  if (isComplete(barrier))
    release(barrier);
  suspend(thread);
  return thread.result;
}

void BlockRunner::barrierArrive(ThreadCtx &ctx, uint32_t id, uint32_t count,
                                Site &site) {
  Barrier &barrier = barriers[id % 16];
  if (barrier.waiting.empty() && barrier.arrivedOnly == 0)
    barrier.expected = count;
  else if (barrier.expected != count)
    report(FindingKind::divergent_barrier, threads[ctx.linearTid], &site, 2);
  ++barrier.arrivedOnly;
  barrier.arrivedWarps |= 1u << ctx.warp;
  if (isComplete(barrier))
    release(barrier);
}

void BlockRunner::release(Barrier &barrier) {
  // What makeReady() lets run may use the barrier again at once.
  Barrier done = std::move(barrier);
  barrier = Barrier();
  if (checker) {
    ++checker->counts->barriers;
    checkBarrier(done);
    orderMemory(done, done.waiting.size() == live);
  }
  uint32_t population = 0;
  for (unsigned index : done.waiting)
    population += threads[index].predicate != 0;
  uint32_t result = done.reduce == 1   ? population
                    : done.reduce == 2 ? population == done.waiting.size()
                                       : population != 0;
  for (unsigned index : done.waiting)
    threads[index].result = result;
  makeReady(done.waiting);
}

void BlockRunner::orderMemory(const Barrier &barrier, bool whole) {
  if (whole)
    return checker->clock.blockBarrier();
  uint32_t waiting = 0;
  for (unsigned index : barrier.waiting)
    waiting |= 1u << threads[index].ctx.warp;
  checker->clock.namedBarrier(waiting | barrier.arrivedWarps, waiting);
}

/// .aligned: all threads of a warp execute the same instruction together. And
/// a barrier of the whole block is one instruction for the whole block.
void BlockRunner::checkBarrier(const Barrier &barrier) {
  if (barrier.waiting.empty())
    return;
  Thread &first = threads[barrier.waiting.front()];
  if (!first.site->alignedBarrier)
    return;
  uint32_t warps = 0;
  for (unsigned index : barrier.waiting) {
    Thread &thread = threads[index];
    warps |= 1u << thread.ctx.warp;
    bool sameInstruction = thread.site == first.site || barrier.expected != 0;
    if (sameInstruction)
      continue;
    if (Finding *finding =
            report(FindingKind::divergent_barrier, thread, thread.site)) {
      finding->hasOther = true;
      finding->otherBlock = finding->block;
      finding->otherThread = threadOf(first.ctx.linearTid, first.ctx);
      finding->otherLocation = first.site->location;
      finding->detail = "threads of the block wait at different barriers";
    }
    return;
  }
  if (barrier.expected == 0 && live < launch->numThreads) {
    if (Finding *finding =
            report(FindingKind::divergent_barrier, first, first.site, 3))
      finding->detail =
          (Twine(launch->numThreads - live) + " threads have ended before it")
              .str();
    return;
  }
  for (unsigned warp = 0; warp < maxWarps; ++warp)
    if (warps >> warp & 1)
      checkWarpOfBarrier(barrier, warp);
}

void BlockRunner::checkWarpOfBarrier(const Barrier &barrier, unsigned warp) {
  uint32_t lanes = 0;
  Thread *first = nullptr;
  for (unsigned index : barrier.waiting) {
    Thread &thread = threads[index];
    if (thread.ctx.warp != warp)
      continue;
    lanes |= 1u << thread.ctx.lane;
    if (!first)
      first = &thread;
    else if (first->site != thread.site)
      lanes = 0;
  }
  if (lanes == allLanes[warp] || barrier.arrivedWarps >> warp & 1)
    return;
  if (Finding *finding =
          report(FindingKind::divergent_barrier, *first, first->site, 4))
    finding->detail = "the lanes of a warp do not execute it together";
}

void BlockRunner::checkMask(const Thread &thread, uint32_t op, uint32_t mask) {
  unsigned warp = thread.ctx.warp;
  bool wholeWarp = (op & 0xff) == opLdMatrix || (op & 0xff) == opStMatrix ||
                   (op & 0xff) == opMma;
  const char *wrong = nullptr;
  if (!(mask >> thread.ctx.lane & 1))
    wrong = "the executing lane is not in the mask";
  else if (mask & allLanes[warp] & ~liveLanes[warp])
    wrong = "lanes of the mask have ended";
  else if (wholeWarp && allLanes[warp] != fullMask)
    wrong = "needs 32 threads in the warp";
  if (!wrong)
    return;
  if (Finding *finding = report(FindingKind::bad_mask, thread, thread.site))
    finding->detail = wrong;
}

void BlockRunner::warpOp(ThreadCtx &ctx, uint32_t op, Site &site, uint64_t *in,
                         uint64_t *out) {
  Thread &thread = threads[ctx.linearTid];
  uint32_t mask = in[op >> 24];
  thread.in = in, thread.out = out;
  thread.waitsAt = thread.site = &site;
  if (checker)
    checkMask(thread, op, mask);
  uint32_t self = 1u << ctx.lane;
  mask |= self;
  auto &waiting = groups[ctx.warp];
  unsigned index = 0;
  while (index < waiting.size() &&
         (waiting[index].op != op || waiting[index].mask != mask))
    ++index;
  if (index == waiting.size())
    waiting.push_back({op, mask, 0});
  waiting[index].arrived |= self;
  if ((mask & liveLanes[ctx.warp] & ~waiting[index].arrived) == 0)
    finishGroup(ctx.warp, index);
  suspend(thread);
}

/// The lanes have met: does the operation for all of them, sets them free.
void BlockRunner::finishGroup(unsigned warp, unsigned index) {
  Group group = groups[warp][index];
  groups[warp].erase(groups[warp].begin() + index);
  WarpCall call{*this, group.op, group.arrived, {}};
  SmallVector<unsigned, warpSize> batch;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (group.arrived >> lane & 1) {
      batch.push_back(warp * warpSize + lane);
      call.lanes[lane] = &threads[batch.back()];
    }
  if (checker)
    ++checker->counts->warpCollectives;
  runWarpOp(call);
  // Matrix operations move data between lanes but order no memory.
  uint32_t code = group.op & 0xff;
  if (checker && code != opLdMatrix && code != opStMatrix && code != opMma)
    checker->clock.warpSync(warp, group.arrived, liveLanes[warp]);
  makeReady(batch);
}
