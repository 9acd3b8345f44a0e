//===- LaneOps.cpp - Operations of one lane; entry points of compiled code
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include <cstring>

using namespace klineage;
using namespace klineage::simt;

void BlockRunner::laneOp(ThreadCtx &ctx, uint32_t op, Site &site, uint64_t *in,
                         uint64_t *out) {
  Thread &thread = threads[ctx.linearTid];
  thread.site = &site;
  switch (op & 0xff) {
  case opCpAsync:
    return issueCopy(thread, op, site, in);
  case opCpAsyncCommit:
    thread.groupEnds.push_back(thread.copies.size());
    return;
  case opCpAsyncWaitGroup:
    return deliverGroups(thread, uint32_t(in[0]));
  case opCpAsyncWaitAll:
    return deliverAll(thread);
  case opActiveMask:
    // Lanes run one after the other; those that have not ended count as active.
    out[0] =
        launch->kernel->suspends ? liveLanes[ctx.warp] : allLanes[ctx.warp];
    return;
  case opIsShared: {
    uint64_t offset = in[0] - reinterpret_cast<uintptr_t>(ctx.shared);
    bool shared = offset < uint64_t(arenaBytes);
    bool isPrivate = in[0] >= reinterpret_cast<uintptr_t>(ctx.stackLow) &&
                     in[0] < reinterpret_cast<uintptr_t>(ctx.stackHigh);
    out[0] = (op >> 8 & 1) ? shared : !shared && !isPrivate;
    return;
  }
  default:
    return;
  }
}

/// The bytes arrive when the thread waits for them and not a moment earlier, so
/// that a missing wait shows in the results too.
void BlockRunner::issueCopy(Thread &thread, uint32_t op, Site &site,
                            uint64_t *in) {
  uint32_t bytes = op >> 8 & 63;
  bool hasSize = op >> 8 & 64;
  auto *destination = reinterpret_cast<char *>(in[0]);
  auto *source = reinterpret_cast<char *>(in[1]);
  uint32_t sourceBytes =
      hasSize ? std::min<uint32_t>(uint32_t(in[2]), bytes) : bytes;
  if (checker) {
    destination = checker->access(thread.ctx, destination, bytes, site,
                                  accessWrite | accessAsync);
    if (sourceBytes)
      source =
          checker->access(thread.ctx, source, sourceBytes, site, accessRead);
    if (!destination || !source)
      return;
  }
  thread.copies.push_back({destination, source, bytes, sourceBytes, &site});
}

void BlockRunner::deliverUpTo(Thread &thread, unsigned end) {
  for (unsigned i = 0; i < end; ++i) {
    const AsyncCopy &copy = thread.copies[i];
    std::memcpy(copy.destination, copy.source, copy.sourceBytes);
    std::memset(copy.destination + copy.sourceBytes, 0,
                copy.bytes - copy.sourceBytes);
    if (checker)
      checker->deliver(thread.ctx, copy.destination, copy.bytes);
  }
  thread.copies.erase(thread.copies.begin(), thread.copies.begin() + end);
}

void BlockRunner::deliverGroups(Thread &thread, unsigned keep) {
  if (thread.groupEnds.size() <= keep)
    return;
  unsigned groups = thread.groupEnds.size() - keep;
  unsigned end = thread.groupEnds[groups - 1];
  deliverUpTo(thread, end);
  thread.groupEnds.erase(thread.groupEnds.begin(),
                         thread.groupEnds.begin() + groups);
  for (unsigned &groupEnd : thread.groupEnds)
    groupEnd -= end;
}

void BlockRunner::deliverAll(Thread &thread) {
  deliverUpTo(thread, thread.copies.size());
  thread.groupEnds.clear();
}

void BlockRunner::checkUnwaited(Thread &thread) {
  if (checker)
    if (Finding *finding = report(FindingKind::async_unwaited, thread,
                                  thread.copies.front().site))
      finding->detail = "the thread ends without waiting for its copies";
  thread.copies.clear();
  thread.groupEnds.clear();
}

void klineage_simt_lane_op(ThreadCtx *ctx, uint32_t op, Site *site,
                           uint64_t *in, uint64_t *out) {
  ctx->runner->laneOp(*ctx, op, *site, in, out);
}

void klineage_simt_warp_op(ThreadCtx *ctx, uint32_t op, Site *site,
                           uint64_t *in, uint64_t *out) {
  ctx->runner->warpOp(*ctx, op, *site, in, out);
}

uint32_t klineage_simt_barrier(ThreadCtx *ctx, uint32_t id, uint32_t count,
                               uint32_t reduce, uint32_t predicate,
                               Site *site) {
  return ctx->runner->barrier(*ctx, id, count, reduce, predicate, *site);
}

void klineage_simt_barrier_arrive(ThreadCtx *ctx, uint32_t id, uint32_t count,
                                  Site *site) {
  ctx->runner->barrierArrive(*ctx, id, count, *site);
}
