//===- Findings.h - What a checked run of the simt executor reports
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_GATE_SIMT_FINDINGS_H
#define KLINEAGE_GATE_SIMT_FINDINGS_H

#include "KLineage/Gate/Executor.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace klineage::simt {

/// The closed set of faults that the simt executor can report.
enum class FindingKind : uint8_t {
  shared_race,   ///< two threads of a block, unordered, one of them writes
  global_race,   ///< the same in global memory, within or between blocks
  out_of_bounds, ///< outside the buffer that the pointer came from
  misaligned,    ///< the address breaks the alignment the access declares
  uninitialized_shared, ///< read of shared memory that no thread has written
  async_pending,        ///< touches bytes that a cp.async still has to deliver
  async_unwaited,       ///< thread ended with cp.async never waited for
  divergent_barrier, ///< .aligned barrier not reached by the warp or block as
                     ///< one
  bad_mask,          ///< warp operation whose mask names absent or wrong lanes
  shared_overflow,   ///< more shared memory than the launch or the chip has
  deadlock           ///< every live thread of the block waits
};
constexpr int numFindingKinds = 11;

/// The name in the list above, as reports and tests spell it.
llvm::StringRef stringify(FindingKind kind);

/// One fault. `count` says how often the same (kind, location, buffer, kernel)
/// occurred; thread, block and offset are those of the first occurrence.
struct Finding {
  FindingKind kind;
  std::string kernel;
  Dim3 block;            ///< blockIdx
  Dim3 thread;           ///< threadIdx
  bool hasOther = false; ///< a second party is known (races, divergence)
  Dim3 otherBlock, otherThread;
  std::string buffer;      ///< name given to allocate(), or the shared variable
  int64_t byteOffset = -1; ///< from the start of `buffer`; -1: no address
  int64_t element = -1;    ///< byteOffset in units of the access' element type
  std::string location;    ///< "file:line:col", else the IR instruction
  std::string otherLocation; ///< of the other party where it is known
  std::string detail;        ///< one clause of plain English, may be empty
  int64_t count = 1;
};

/// One line: kind, kernel, block, thread, buffer, offset, location.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Finding &finding);

/// Counts of one kernel, over all its launches in checked mode. They are counts
/// of what the program asks for. They are not time, and no cache is modelled.
struct Counts {
  std::string kernel;
  int64_t launches = 0, blocks = 0, threads = 0;

  /// Dynamic instructions summed over threads (one warp instruction of 32 live
  /// lanes counts 32), by class, of the IR as it was given.
  int64_t fp16 = 0, fp32 = 0, fp64 = 0, integer = 0, memory = 0, control = 0,
          special = 0, mma = 0, other = 0;

  /// Barriers: block-wide ones, one per block and phase; and warp collectives.
  int64_t barriers = 0, warpCollectives = 0;

  /// Warp-level memory figures come from the first `sampledBlocks` blocks only
  /// (Options::countedBlocks); `truncated` if a block had too many accesses.
  /// Lanes of a warp are matched by "nth execution of the instruction".
  int64_t sampledBlocks = 0;
  bool truncated = false;
  int64_t globalLoads = 0, globalStores = 0;             ///< warp instructions
  int64_t globalLoadSectors = 0, globalStoreSectors = 0; ///< of 32 bytes
  int64_t globalLoadBytes = 0, globalStoreBytes = 0;     ///< asked for by lanes
  int64_t sharedAccesses = 0;                            ///< warp instructions
  int64_t sharedWavefronts = 0; ///< passes over 32 banks
  int64_t bankConflicts = 0;    ///< wavefronts beyond the least
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Counts &counts);

} // namespace klineage::simt

#endif // KLINEAGE_GATE_SIMT_FINDINGS_H
