//===- AccessCounter.cpp - Transactions and bank conflicts of sampled blocks
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessCounter.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace klineage::simt;
using namespace llvm;

void AccessCounter::note(const ThreadCtx &ctx, const Site &site,
                         uintptr_t address, uint64_t bytes, bool shared,
                         bool write) {
  if (noted >= limit) {
    truncated = true;
    return;
  }
  ++noted;
  uint64_t key = uint64_t(site.id) << 8 | ctx.warp << 2 | unsigned(write) << 1 |
                 unsigned(shared);
  auto &stream = streams[key];
  if (!stream) {
    stream = std::make_unique<Stream>();
    stream->shared = shared;
    stream->write = write;
  }
  stream->lanes[ctx.lane].push_back({address, uint32_t(bytes)});
}

/// How often a set of accesses repeats the busiest of the 32 banks: one pass
/// serves one 4-byte word of each bank to any number of lanes.
template <typename Range> static int64_t passes(const Range &accesses) {
  SmallVector<uintptr_t, 64> words;
  for (const auto &access : accesses)
    for (uintptr_t word = access.address / 4;
         access.bytes && word <= (access.address + access.bytes - 1) / 4;
         ++word)
      words.push_back(word);
  llvm::sort(words);
  words.erase(llvm::unique(words), words.end());
  int64_t perBank[32] = {}, worst = 0;
  for (uintptr_t word : words)
    worst = std::max(worst, ++perBank[word % 32]);
  return worst;
}

/// Accesses wider than 4 bytes are served in groups of 128 bytes: half warps
/// for 8 bytes, quarter warps for 16, whichever of their lanes take part.
/// `accesses` has one for each lane, of no bytes for one that does not.
template <typename Access>
static void countShared(ArrayRef<Access> accesses, Counts &counts) {
  ++counts.sharedAccesses;
  uint32_t widest = 0;
  for (const Access &access : accesses)
    widest = std::max(widest, access.bytes);
  size_t group = widest <= 4 ? 32 : widest <= 8 ? 16 : 8;
  for (size_t first = 0; first < accesses.size(); first += group)
    if (int64_t taken = passes(accesses.slice(first, group))) {
      counts.sharedWavefronts += taken;
      counts.bankConflicts += taken - 1;
    }
}

template <typename Access>
static void countGlobal(ArrayRef<Access> accesses, bool write, Counts &counts) {
  SmallVector<uintptr_t, 64> sectors;
  int64_t bytes = 0;
  for (const Access &access : accesses) {
    bytes += access.bytes;
    for (uintptr_t sector = access.address / 32;
         sector <= (access.address + access.bytes - 1) / 32; ++sector)
      sectors.push_back(sector);
  }
  llvm::sort(sectors);
  int64_t distinct = llvm::unique(sectors) - sectors.begin();
  (write ? counts.globalStores : counts.globalLoads) += 1;
  (write ? counts.globalStoreSectors : counts.globalLoadSectors) += distinct;
  (write ? counts.globalStoreBytes : counts.globalLoadBytes) += bytes;
}

void AccessCounter::finishBlock(Counts &counts) {
  for (auto &[key, stream] : streams) {
    size_t executions = 0;
    for (auto &lane : stream->lanes)
      executions = std::max(executions, lane.size());
    for (size_t n = 0; n < executions; ++n) {
      SmallVector<Access, warpSize> accesses, byLane;
      for (auto &lane : stream->lanes) {
        byLane.push_back(n < lane.size() ? lane[n] : Access{0, 0});
        if (byLane.back().bytes)
          accesses.push_back(byLane.back());
      }
      if (accesses.empty())
        continue;
      if (stream->shared)
        countShared<Access>(byLane, counts);
      else
        countGlobal<Access>(accesses, stream->write, counts);
    }
  }
  ++counts.sampledBlocks;
  counts.truncated |= truncated;
  streams.clear();
  noted = 0;
  truncated = false;
}
