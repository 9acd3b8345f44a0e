//===- Runner.h - Running the threads of one block
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMT_RUNNER_H
#define KLINEAGE_LIB_GATE_SIMT_RUNNER_H

#include "Checker.h"
#include "Fiber.h"
#include "Ops.h"
#include "llvm/ADT/SmallVector.h"
#include <random>

namespace klineage::simt {

/// A cp.async that was issued and not yet delivered.
struct AsyncCopy {
  char *destination;
  const char *source;
  uint32_t bytes, sourceBytes; ///< the rest is zero-filled
  Site *site;
};

struct Thread {
  ThreadCtx ctx;
  Fiber fiber;
  bool done = false;
  const Site *waitsAt = nullptr; ///< of the operation that it waits in
  uint32_t predicate = 0, result = 0;
  uint64_t *in = nullptr, *out = nullptr;
  Site *site = nullptr;
  llvm::SmallVector<AsyncCopy, 0> copies;
  llvm::SmallVector<unsigned, 0> groupEnds; ///< committed: ends in `copies`
};

/// One operation of a warp with all its lanes arrived.
struct WarpCall {
  BlockRunner &runner;
  uint32_t op, mask; ///< `mask`: lanes that take part
  Thread *lanes[warpSize];
  unsigned variant() const { return op >> 8 & 0xffff; }
  template <typename F> void forEach(F visit) const {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (mask >> lane & 1)
        visit(lane, *lanes[lane]);
  }
};

void runWarpOp(WarpCall &call); ///< dispatches to those below
void runShuffle(WarpCall &call);
void runVote(WarpCall &call);
void runLdMatrix(WarpCall &call);
void runStMatrix(WarpCall &call);
void runMma(WarpCall &call);

/// Schedules one block at a time on one OS thread: barriers, warp operations,
/// asynchronous copies. A block whose kernel cannot suspend is a plain loop.
class BlockRunner {
public:
  BlockRunner(const Program::Impl &program, FindingLog &log, Checker *checker);
  ~BlockRunner();
  llvm::Error prepare(const Launch &launch);
  /// False if the block ended in a deadlock, which the log then has.
  /// `turn` counts the blocks of the launch in the order they run.
  bool run(const Launch &launch, int64_t blockIndex, int64_t turn);

  // Called by compiled code through the functions of Abi.h.
  uint32_t barrier(ThreadCtx &ctx, uint32_t id, uint32_t count, uint32_t reduce,
                   uint32_t predicate, Site &site);
  void barrierArrive(ThreadCtx &ctx, uint32_t id, uint32_t count, Site &site);
  void warpOp(ThreadCtx &ctx, uint32_t op, Site &site, uint64_t *in,
              uint64_t *out);
  void laneOp(ThreadCtx &ctx, uint32_t op, Site &site, uint64_t *in,
              uint64_t *out);

  Checker *checker; ///< null in fast mode
  /// Bounds and races of an access that the runtime does itself.
  char *access(Thread &thread, char *pointer, uint64_t bytes, uint8_t flags);
  Finding *report(FindingKind kind, const Thread &thread, const Site *site,
                  uint64_t place = 0);

private:
  struct Barrier {
    llvm::SmallVector<unsigned, 0> waiting;
    uint32_t arrivedOnly = 0, expected = 0, reduce = 0;
    uint32_t arrivedWarps = 0; ///< warps of threads that only arrived
  };
  struct Group { ///< lanes of a warp that wait for the rest of `mask`
    uint32_t op, mask, arrived;
  };

  static void fiberMain(void *argument);
  void runPlain();
  bool runFibers();
  void orderThreads(int64_t blockIndex);
  [[noreturn]] void exitThread(Thread &thread);
  void suspend(Thread &thread);
  void switchToNext(Thread &thread, bool last);
  void makeReady(llvm::MutableArrayRef<unsigned> batch);
  bool isComplete(const Barrier &barrier) const;
  void release(Barrier &barrier);
  void checkBarrier(const Barrier &barrier);
  void checkWarpOfBarrier(const Barrier &barrier, unsigned warp);
  void orderMemory(const Barrier &barrier, bool whole);
  void finishGroup(unsigned warp, unsigned index);
  void checkMask(const Thread &thread, uint32_t op, uint32_t mask);
  void reportDeadlock();
  void issueCopy(Thread &thread, uint32_t op, Site &site, uint64_t *in);
  void deliverGroups(Thread &thread, unsigned keep);
  void deliverAll(Thread &thread);
  void deliverUpTo(Thread &thread, unsigned end);
  void checkUnwaited(Thread &thread);

  const Options &options;
  FindingLog &log;
  StackPool stacks;
  char *arena = nullptr;
  const Launch *launch = nullptr;
  std::vector<Thread> threads;
  std::vector<unsigned> order; ///< in which threads get their first turn
  std::vector<unsigned> ready; ///< run queue, from `head` on
  size_t head = 0;
  Fiber main;
  unsigned live = 0;
  uint32_t liveLanes[maxWarps] = {}, allLanes[maxWarps] = {};
  Barrier barriers[16];
  llvm::SmallVector<Group, 2> groups[maxWarps];
  std::mt19937_64 random;
};

} // namespace klineage::simt

#endif // KLINEAGE_LIB_GATE_SIMT_RUNNER_H
