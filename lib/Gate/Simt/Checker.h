//===- Checker.h - Looks at each access of a checked run
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMT_CHECKER_H
#define KLINEAGE_LIB_GATE_SIMT_CHECKER_H

#include "AccessCounter.h"
#include "FindingLog.h"
#include "Memory.h"
#include "Program.h"
#include "Race.h"

namespace klineage::simt {

constexpr int64_t arenaBytes = 1 << 20; ///< shared memory of a block
constexpr int64_t arenaAlign = 256 * 1024;

/// One launch as the scheduler and the checker see it.
struct Launch {
  const KernelInfo *kernel = nullptr;
  EntryFunction entry = nullptr;
  void **args = nullptr;
  Dim3 grid, block;
  int64_t dynamicShared = 0;
  int64_t arenaUsed = 0;  ///< bytes to poison before each block
  int64_t numThreads = 0; ///< of a block
};

/// State of checked mode. It belongs to one runtime and is used by one OS
/// thread. Shadow memory is never cleared between blocks: see Record.
class Checker {
public:
  Checker(const Program::Impl &program, DeviceMemory &memory, FindingLog &log);

  void beginLaunch(const Launch &launch, Counts &counts);
  void beginBlock(const ThreadCtx &any, int64_t index);
  void endBlock();
  void endLaunch();

  /// Bounds, alignment, races, initialization. Returns null if the bytes must
  /// not be touched.
  char *access(const ThreadCtx &ctx, char *pointer, uint64_t bytes,
               const Site &site, uint8_t flags);
  /// A cp.async was delivered: its bytes are now a write of `ctx`.
  void deliver(const ThreadCtx &ctx, char *pointer, uint64_t bytes);
  void privateOutOfBounds(const ThreadCtx &ctx, int64_t offset,
                          const Site &site);
  /// Where a refused access goes instead.
  char *dump();

  Finding *report(FindingKind kind, const ThreadCtx &ctx, const Site *site,
                  uint64_t place = 0) {
    return log.report(kind, launch->kernel->name, site, place, ctx);
  }

  RaceClock clock;
  Counts *counts = nullptr;

private:
  friend void * ::klineage_simt_check(ThreadCtx *, void *, Site *);
  bool isUnremarkable(const char *pointer, const Site &site) const;
  char *accessShared(const ThreadCtx &ctx, uint64_t offset, char *pointer,
                     uint64_t bytes, const Site &site, uint8_t flags);
  char *accessBuffer(const ThreadCtx &ctx, Buffer *buffer, char *pointer,
                     uint64_t bytes, const Site &site, uint8_t flags);
  char *outOfBounds(const ThreadCtx &ctx, const Buffer *near, char *pointer,
                    uint64_t bytes, const Site &site);
  int sharedVarAt(uint64_t offset) const;
  int64_t extentOf(const SharedVar &var) const {
    return var.dynamic ? launch->dynamicShared : var.bytes;
  }
  /// `clean`: nothing was reported of this access so far.
  template <bool isShared>
  void visitCells(const ThreadCtx &ctx, Cell *cells, uint64_t offset,
                  uint64_t bytes, const Site &site, uint8_t flags,
                  const Buffer *buffer, int sharedVar, bool clean);
  void prepareShadow(Buffer &buffer) const;
  void race(const ThreadCtx &ctx, Record other, uint64_t byteOffset,
            const Site &site, uint8_t flags, const Buffer *buffer,
            int sharedVar, bool otherWrites);
  Finding *reportAt(FindingKind kind, const ThreadCtx &ctx, const Site &site,
                    uint64_t byteOffset, const Buffer *buffer, int sharedVar);

  const Program::Impl &program;
  DeviceMemory &memory;
  FindingLog &log;
  const Launch *launch = nullptr;
  unsigned shift;
  /// What isUnremarkable() needs of the buffer behind a parameter.
  struct ArgBuffer {
    Buffer *buffer = nullptr;
    const char *base = nullptr;
    uint64_t bytes = 0;
    const Cell *cells = nullptr;
  };
  std::vector<ArgBuffer> argBuffers; ///< per kernel parameter
  uint32_t launchEpoch = 0;
  Buffer *lastBuffer = nullptr;
  std::vector<Cell> sharedShadow;
  std::vector<uint64_t> counterStart;
  /// First epoch and blockIdx of the blocks of this launch, ascending.
  std::vector<std::pair<uint32_t, Dim3>> history;
  AccessCounter accesses;
  bool counting = false;
  std::vector<char> dumpArea;
};

} // namespace klineage::simt

#endif // KLINEAGE_LIB_GATE_SIMT_CHECKER_H
