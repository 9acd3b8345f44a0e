//===- Race.h - Which accesses of a launch are ordered
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMT_RACE_H
#define KLINEAGE_LIB_GATE_SIMT_RACE_H

#include "Abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <vector>

namespace klineage::simt {

/// The last access, or a set of unordered accesses of one kind, to one cell.
///
/// An epoch says when: epochs grow over the life of a runtime, so a record
/// from an earlier block or launch is recognized by its number and nothing is
/// ever cleared. `who` says which threads, in one of four forms.
struct Record {
  enum Form : uint32_t { one = 0, oneWarp = 1, oneBlock = 2, manyBlocks = 3 };
  static constexpr uint32_t atomicBit = 1u << 28, pendingBit = 1u << 29;
  static constexpr unsigned lastWarpBit = 25; ///< stands for warps 25 to 31

  uint32_t epoch = 0;
  uint32_t who = 0;
  uint32_t site = 0; ///< Site::id of the latest of them

  Form form() const { return Form(who >> 30); }
  bool isAtomic() const { return who & atomicBit; }
  bool isPending() const { return who & pendingBit; } ///< cp.async under way
  unsigned thread() const { return who & 1023; }
  unsigned clock() const { return who >> 10 & 0xffff; }
  uint32_t warps() const { return who & ((1u << (lastWarpBit + 1)) - 1); }
};

/// Two records per granule of memory.
struct Cell {
  Record write; ///< last plain write, or the atomics since
  Record read;  ///< reads since that write
};

/// Happens-before among the threads of the running block, as vector clocks on
/// two levels: one epoch per warp, and what each warp knows of the others;
/// inside a warp, one clock per lane, used only by collectives of some lanes.
/// Blocks of one launch are unordered; launches are ordered.
class RaceClock {
public:
  void beginLaunch() {
    launchBase = blockBase = fullEpoch = ++maxEpoch;
    released.clear();
  }
  void beginBlock(unsigned threads);
  /// All threads of the block met.
  void blockBarrier();
  /// `releasing` warps arrived, `acquiring` warps (a subset) went on.
  void namedBarrier(uint32_t releasing, uint32_t acquiring);
  /// The lanes `mask` of a warp met; `live` are those that have not ended.
  void warpSync(unsigned warp, uint32_t mask, uint32_t live);

  /// An atomic access to `address` in a program with memory fences: the block
  /// knows what those knew that accessed it before, and hands on what it knows.
  void synchronize(uintptr_t address);

  bool inLaunch(Record record) const { return record.epoch >= launchBase; }
  bool inBlock(Record record) const { return record.epoch >= blockBase; }

  /// Do all accesses in `record` happen before what `ctx` does now?
  bool ordered(Record record, const ThreadCtx &ctx) const {
    if (record.epoch < fullEpoch)
      return record.epoch >= blockBase || record.epoch < launchBase ||
             isAcquired(record);
    return orderedInPhase(record, ctx);
  }

  Record now(const ThreadCtx &ctx, uint32_t site, uint32_t bits = 0) const {
    return {epochs[ctx.warp],
            ctx.linearTid | uint32_t(laneClocks[ctx.linearTid]) << 10 | bits,
            site};
  }

  /// `record` and the access of `ctx` now, after whichever is ordered is gone.
  void add(Record &record, const ThreadCtx &ctx, uint32_t site,
           uint32_t bits) const {
    if (record.form() == Record::manyBlocks && inLaunch(record))
      return;
    if (ordered(record, ctx))
      record = now(ctx, site, bits);
    else
      join(record, ctx, site, bits);
  }

  /// Epochs are 32 bits wide; beyond this all shadow memory must be cleared.
  bool nearlyExhausted() const { return maxEpoch > 0xf0000000u; }
  void reset() { maxEpoch = 0; }
  uint32_t firstEpochOfBlock() const { return blockBase; }
  uint32_t firstEpochOfLaunch() const { return launchBase; }

private:
  bool orderedInPhase(Record record, const ThreadCtx &ctx) const;
  bool isAcquired(Record record) const;
  void join(Record &record, const ThreadCtx &ctx, uint32_t site,
            uint32_t bits) const;
  bool knows(unsigned self, unsigned other, uint32_t epoch) const {
    return self == other ? epoch < epochs[self] : known[self][other] > epoch;
  }
  void newEpoch(unsigned warp);

  uint32_t launchBase = 0, blockBase = 0, fullEpoch = 0, maxEpoch = 0;
  unsigned numWarps = 0;
  uint32_t epochs[maxWarps] = {};
  uint32_t known[maxWarps][maxWarps] = {};
  uint16_t laneClocks[maxThreadsPerBlock] = {};
  uint16_t laneKnown[maxThreadsPerBlock][warpSize] = {};
  bool lanesUsed[maxWarps] = {};

  /// Epochs of another block, both ends included, that this one is ordered
  /// behind; and what is known through each synchronizing address.
  using Intervals = llvm::SmallVector<std::pair<uint32_t, uint32_t>, 0>;
  Intervals acquired;
  llvm::DenseMap<uintptr_t, Intervals> released;
};

} // namespace klineage::simt

#endif // KLINEAGE_LIB_GATE_SIMT_RACE_H
