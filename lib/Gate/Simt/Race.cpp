//===- Race.cpp - Which accesses of a launch are ordered
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Race.h"
#include <cstring>

using namespace klineage::simt;

void RaceClock::beginBlock(unsigned threads) {
  numWarps = (threads + warpSize - 1) / warpSize;
  blockBase = fullEpoch = ++maxEpoch;
  for (unsigned warp = 0; warp < numWarps; ++warp) {
    epochs[warp] = blockBase;
    std::fill_n(known[warp], numWarps, blockBase);
    lanesUsed[warp] = true; // Left over from another block.
    newEpoch(warp);
  }
  blockBase = fullEpoch = maxEpoch;
  acquired.clear();
}

/// One entry per block: intervals of a block begin alike and only grow.
static void
extend(llvm::SmallVectorImpl<std::pair<uint32_t, uint32_t>> &intervals,
       std::pair<uint32_t, uint32_t> more) {
  for (auto &[first, last] : intervals)
    if (first == more.first) {
      last = std::max(last, more.second);
      return;
    }
  intervals.push_back(more);
}

void RaceClock::synchronize(uintptr_t address) {
  Intervals &known = released[address];
  for (auto interval : known)
    if (interval.first != blockBase)
      extend(acquired, interval);
  known = acquired;
  known.push_back({blockBase, maxEpoch});
}

bool RaceClock::isAcquired(Record record) const {
  if (record.form() == Record::manyBlocks)
    return false;
  for (auto [first, last] : acquired)
    if (record.epoch >= first && record.epoch <= last)
      return true;
  return false;
}

/// Everything that the warp did so far is now in the past of its own lanes.
void RaceClock::newEpoch(unsigned warp) {
  maxEpoch = std::max(maxEpoch, ++epochs[warp]);
  if (!lanesUsed[warp])
    return;
  lanesUsed[warp] = false;
  std::fill_n(&laneClocks[warp * warpSize], warpSize, 0);
  std::memset(laneKnown[warp * warpSize], 0, sizeof(laneKnown[0]) * warpSize);
}

void RaceClock::blockBarrier() {
  uint32_t next = *std::max_element(epochs, epochs + numWarps);
  for (unsigned warp = 0; warp < numWarps; ++warp) {
    epochs[warp] = next;
    newEpoch(warp);
  }
  fullEpoch = next + 1;
}

void RaceClock::namedBarrier(uint32_t releasing, uint32_t acquiring) {
  uint32_t joined[maxWarps] = {};
  for (unsigned warp = 0; warp < numWarps; ++warp) {
    if (!(releasing >> warp & 1))
      continue;
    newEpoch(warp);
    for (unsigned other = 0; other < numWarps; ++other)
      joined[other] = std::max(joined[other], known[warp][other]);
    joined[warp] = std::max(joined[warp], epochs[warp]);
  }
  for (unsigned warp = 0; warp < numWarps; ++warp)
    if (acquiring >> warp & 1)
      std::copy_n(joined, numWarps, known[warp]);
}

void RaceClock::warpSync(unsigned warp, uint32_t mask, uint32_t live) {
  if ((mask & live) == live)
    return newEpoch(warp);
  lanesUsed[warp] = true;
  uint16_t joined[warpSize] = {};
  auto lanes = [&](auto visit) {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (mask >> lane & 1)
        visit(lane, warp * warpSize + lane);
  };
  lanes([&](unsigned lane, unsigned thread) {
    // A clock that cannot grow further only hides later races of the lane.
    if (laneClocks[thread] != 0xffff)
      ++laneClocks[thread];
    for (unsigned other = 0; other < warpSize; ++other)
      joined[other] = std::max(joined[other], laneKnown[thread][other]);
    joined[lane] = std::max(joined[lane], laneClocks[thread]);
  });
  lanes([&](unsigned lane, unsigned thread) {
    std::copy_n(joined, warpSize, laneKnown[thread]);
  });
}

bool RaceClock::orderedInPhase(Record record, const ThreadCtx &ctx) const {
  switch (record.form()) {
  case Record::one: {
    unsigned thread = record.thread(), warp = thread / warpSize;
    if (thread == ctx.linearTid)
      return true;
    if (knows(ctx.warp, warp, record.epoch))
      return true;
    return warp == ctx.warp &&
           laneKnown[ctx.linearTid][thread % warpSize] > record.clock();
  }
  case Record::oneWarp:
    return knows(ctx.warp, record.thread() / warpSize, record.epoch);
  case Record::oneBlock:
    for (unsigned warp = 0; warp < numWarps; ++warp)
      if (record.warps() >> std::min(warp, Record::lastWarpBit) & 1 &&
          !knows(ctx.warp, warp, record.epoch))
        return false;
    return true;
  case Record::manyBlocks:
    return false;
  }
  return false;
}

void RaceClock::join(Record &record, const ThreadCtx &ctx, uint32_t site,
                     uint32_t bits) const {
  record.site = site;
  uint32_t epoch = std::max(record.epoch, epochs[ctx.warp]);
  auto form = [](Record::Form f) { return uint32_t(f) << 30; };
  if (record.form() == Record::manyBlocks || !inBlock(record)) {
    record = {epoch, form(Record::manyBlocks) | ctx.linearTid | bits, site};
    return;
  }
  auto warpBit = [](unsigned warp) {
    return 1u << std::min(warp, Record::lastWarpBit);
  };
  if (record.form() == Record::oneBlock) {
    record.epoch = epoch;
    record.who |= warpBit(ctx.warp);
    return;
  }
  unsigned other = record.thread() / warpSize;
  if (other == ctx.warp)
    record = {epoch, form(Record::oneWarp) | ctx.linearTid | bits, site};
  else
    record = {epoch,
              form(Record::oneBlock) | warpBit(ctx.warp) | warpBit(other) |
                  bits,
              site};
}
