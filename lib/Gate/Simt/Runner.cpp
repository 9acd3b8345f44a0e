//===- Runner.cpp - Running the threads of one block
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include "KLineage/Gate/Simt/SimtRuntime.h"
#include <algorithm>
#include <cstring>
#include <numeric>
#include <pthread.h>
#include <sys/mman.h>

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

/// Room for calls of the runtime and of libm on top of private memory.
static constexpr int64_t callBytes = 48 * 1024;

BlockRunner::BlockRunner(const Program::Impl &program, FindingLog &log,
                         Checker *checker)
    : checker(checker), options(program.options), log(log),
      stacks(std::max(program.options.stackBytes,
                      program.host.privateBytes + callBytes)) {}

BlockRunner::~BlockRunner() {
  if (arena)
    munmap(arena, arenaBytes + arenaAlign);
}

/// The stack of the OS thread, for private memory and the address sanitizer.
static void findOwnStack(Fiber &fiber) {
  pthread_attr_t attributes;
  void *low = nullptr;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
  }
  fiber.low = static_cast<char *>(low);
  fiber.high = fiber.low + bytes;
}

Error BlockRunner::prepare(const Launch &next) {
  if (!arena) {
    void *memory =
        mmap(nullptr, arenaBytes + arenaAlign, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return make_error<MemoryError>("simt: no memory for the shared arena");
    arena = static_cast<char *>(memory);
  }
  auto base = reinterpret_cast<char *>(
      alignTo(reinterpret_cast<uintptr_t>(arena), arenaAlign));
  launch = &next;
  findOwnStack(main);
  unsigned count = next.numThreads;
  if (next.kernel->suspends)
    if (Error error = stacks.grow(count))
      return error;
  threads.resize(std::max<size_t>(threads.size(), count));
  std::fill_n(allLanes, maxWarps, 0);
  for (unsigned i = 0; i < count; ++i) {
    ThreadCtx &ctx = threads[i].ctx;
    Dim3 block = next.block;
    ctx.ntid[0] = block.x, ctx.ntid[1] = block.y, ctx.ntid[2] = block.z;
    ctx.nctaid[0] = next.grid.x, ctx.nctaid[1] = next.grid.y;
    ctx.nctaid[2] = next.grid.z;
    ctx.tid[0] = i % block.x, ctx.tid[1] = i / block.x % block.y;
    ctx.tid[2] = i / block.x / block.y;
    ctx.linearTid = i, ctx.lane = i % warpSize, ctx.warp = i / warpSize;
    ctx.numWarps = (count + warpSize - 1) / warpSize;
    ctx.dynamicShared = next.dynamicShared;
    ctx.totalShared = next.kernel->staticShared + next.dynamicShared;
    ctx.shared = base;
    ctx.runner = this;
    ctx.checker = checker;
    ctx.stackLow = next.kernel->suspends ? stacks.low(i) : main.low;
    ctx.stackHigh = next.kernel->suspends ? stacks.high(i) : main.high;
    allLanes[ctx.warp] |= 1u << ctx.lane;
  }
  order.resize(count);
  return Error::success();
}

void BlockRunner::orderThreads(int64_t blockIndex) {
  std::iota(order.begin(), order.end(), 0u);
  if (options.order == Order::reverse)
    std::reverse(order.begin(), order.end());
  if (options.order == Order::random) {
    random.seed(options.seed * 0x9e3779b97f4a7c15u + blockIndex);
    std::shuffle(order.begin(), order.end(), random);
  }
}

bool BlockRunner::run(const Launch &next, int64_t blockIndex, int64_t turn) {
  Dim3 grid = next.grid;
  for (unsigned i = 0; i < next.numThreads; ++i) {
    uint32_t *ctaid = threads[i].ctx.ctaid;
    ctaid[0] = blockIndex % grid.x;
    ctaid[1] = blockIndex / grid.x % grid.y;
    ctaid[2] = blockIndex / grid.x / grid.y;
  }
  std::memset(threads[0].ctx.shared, poisonByte, next.arenaUsed);
  orderThreads(blockIndex);
  if (checker)
    checker->beginBlock(threads[0].ctx, turn);
  bool ended = true;
  if (next.kernel->suspends)
    ended = runFibers();
  else
    runPlain();
  if (checker)
    checker->endBlock();
  return ended;
}

void BlockRunner::runPlain() {
  for (unsigned index : order) {
    Thread &thread = threads[index];
    launch->entry(&thread.ctx, launch->args);
    if (!thread.copies.empty())
      checkUnwaited(thread);
  }
}

bool BlockRunner::runFibers() {
  for (unsigned warp = 0; warp < maxWarps; ++warp) {
    liveLanes[warp] = allLanes[warp];
    groups[warp].clear();
  }
  for (Barrier &barrier : barriers)
    barrier = Barrier();
  live = launch->numThreads;
  for (unsigned i = 0; i < live; ++i) {
    Thread &thread = threads[i];
    thread.done = false;
    thread.waitsAt = nullptr;
    thread.copies.clear();
    thread.groupEnds.clear();
    prepareFiber(thread.fiber, stacks.low(i), stacks.high(i), fiberMain,
                 &thread);
  }
  ready.assign(order.begin() + 1, order.end());
  head = 0;
  switchFiber(main, threads[order.front()].fiber);
  if (live == 0)
    return true;
  reportDeadlock();
  return false;
}

void BlockRunner::fiberMain(void *argument) {
  auto &thread = *static_cast<Thread *>(argument);
  enteredFiber(thread.fiber);
  BlockRunner &runner = *thread.ctx.runner;
  runner.launch->entry(&thread.ctx, runner.launch->args);
  runner.exitThread(thread);
}

void BlockRunner::exitThread(Thread &thread) {
  thread.done = true;
  --live;
  uint32_t &lanes = liveLanes[thread.ctx.warp];
  lanes &= ~(1u << thread.ctx.lane);
  if (!thread.copies.empty())
    checkUnwaited(thread);
  // Who waited for this thread waits for it no longer.
  for (Barrier &barrier : barriers)
    if (!barrier.waiting.empty() && isComplete(barrier))
      release(barrier);
  auto &waiting = groups[thread.ctx.warp];
  for (unsigned i = waiting.size(); i-- > 0;)
    if ((waiting[i].mask & lanes & ~waiting[i].arrived) == 0)
      finishGroup(thread.ctx.warp, i);
  switchToNext(thread, /*last=*/true);
  __builtin_unreachable();
}

void BlockRunner::switchToNext(Thread &thread, bool last) {
  if (head == ready.size()) {
    switchFiber(thread.fiber, main, last);
    return;
  }
  Thread &next = threads[ready[head++]];
  if (head == ready.size()) {
    ready.clear();
    head = 0;
  }
  if (&next != &thread)
    switchFiber(thread.fiber, next.fiber, last);
}

void BlockRunner::suspend(Thread &thread) {
  switchToNext(thread, /*last=*/false);
  thread.waitsAt = nullptr;
}

/// Threads that a barrier or a warp operation sets free get their turns in the
/// order that the options ask for.
void BlockRunner::makeReady(MutableArrayRef<unsigned> batch) {
  switch (options.order) {
  case Order::forward:
    std::sort(batch.begin(), batch.end());
    break;
  case Order::reverse:
    std::sort(batch.begin(), batch.end(), std::greater<unsigned>());
    break;
  case Order::random:
    std::shuffle(batch.begin(), batch.end(), random);
    break;
  }
  ready.insert(ready.end(), batch.begin(), batch.end());
}

Finding *BlockRunner::report(FindingKind kind, const Thread &thread,
                             const Site *site, uint64_t place) {
  return log.report(kind, launch->kernel->name, site, place, thread.ctx);
}

char *BlockRunner::access(Thread &thread, char *pointer, uint64_t bytes,
                          uint8_t flags) {
  if (!checker)
    return pointer;
  char *safe = checker->access(thread.ctx, pointer, bytes, *thread.site, flags);
  return safe ? safe : checker->dump();
}

void BlockRunner::reportDeadlock() {
  Thread *first = nullptr;
  unsigned elsewhere = 0;
  for (unsigned i = 0; i < launch->numThreads; ++i) {
    if (threads[i].done)
      continue;
    if (!first)
      first = &threads[i];
    elsewhere += threads[i].waitsAt != first->waitsAt;
  }
  // A collective that lacks lanes which wait somewhere else has a wrong mask.
  for (unsigned warp = 0; warp < maxWarps; ++warp)
    for (const Group &group : groups[warp]) {
      Thread &thread = threads[warp * warpSize + countr_zero(group.arrived)];
      if (Finding *finding =
              report(FindingKind::bad_mask, thread, thread.waitsAt))
        finding->detail = "lanes of the mask never execute it with this mask";
    }
  Finding *finding = report(FindingKind::deadlock, *first, first->waitsAt);
  if (!finding)
    return;
  finding->detail = (Twine(live) + " threads wait, " + Twine(elsewhere) +
                     " of them elsewhere; " + Twine(launch->numThreads - live) +
                     " have ended")
                        .str();
  for (unsigned i = 0; i < launch->numThreads; ++i)
    if (!threads[i].done && threads[i].waitsAt != first->waitsAt) {
      finding->hasOther = true;
      finding->otherBlock = finding->block;
      finding->otherThread = threadOf(i, threads[i].ctx);
      if (threads[i].waitsAt)
        finding->otherLocation = threads[i].waitsAt->location;
      break;
    }
}
