//===- Abi.h - What JIT-compiled kernels and the runtime agree on
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMT_ABI_H
#define KLINEAGE_LIB_GATE_SIMT_ABI_H

#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <cstdint>
#include <string>

namespace klineage::simt {

class BlockRunner;
class Checker;
struct Buffer;

constexpr unsigned warpSize = 32;
constexpr unsigned maxThreadsPerBlock = 1024;
constexpr unsigned maxWarps = maxThreadsPerBlock / warpSize;
constexpr uint32_t fullMask = 0xffffffffu;
constexpr uint8_t poisonByte = 0xCB;

/// The hidden first argument of each device function. Compiled code reads the
/// special registers and the shared-memory base from it by byte offset.
struct ThreadCtx {
  uint32_t tid[3], ctaid[3], ntid[3], nctaid[3];
  uint32_t lane, warp, numWarps, linearTid;
  uint32_t dynamicShared, totalShared;
  char *shared;        ///< arena of the block
  BlockRunner *runner; ///< scheduler of the block
  Checker *checker;    ///< null in fast mode
  char *stackLow, *stackHigh;
};

/// Classes of dynamic instructions, the columns of Counts.
enum class InstClass : uint8_t {
  fp16,
  fp32,
  fp64,
  integer,
  memory,
  control,
  special,
  mma,
  other
};
constexpr int numInstClasses = 9;

enum AccessFlags : uint8_t {
  accessRead = 1,
  accessWrite = 2,
  accessAtomic = 4,
  accessAsync = 8, ///< the write of a cp.async
};

/// One instruction that the runtime is told about. Compiled code carries its
/// address, so a Site never moves. `size` 0 means that the call gives it.
struct Site {
  std::string location; ///< "file:line:col", else the IR text
  uint32_t id = 0;
  uint32_t size = 0; ///< bytes touched
  uint32_t elementSize = 1;
  uint32_t align = 1; ///< declared
  uint8_t flags = 0;
  int16_t argument = -1;  ///< kernel parameter the pointer derives from, or -1
  int16_t sharedVar = -1; ///< index of the shared variable, or -1
  bool alignedBarrier = false;
};

} // namespace klineage::simt

/// The entry points that compiled code calls. All have C linkage names in the
/// JIT symbol table and never throw.
extern "C" {
/// Returns the pointer to use: `pointer`, or a dump area after a bad access.
void *klineage_simt_check(klineage::simt::ThreadCtx *ctx, void *pointer,
                          klineage::simt::Site *site);
/// The same with a size known at run time (memcpy, memset). Zero: no access.
void *klineage_simt_check_n(klineage::simt::ThreadCtx *ctx, void *pointer,
                            uint64_t bytes, klineage::simt::Site *site);
/// Private memory: the access must be inside [base, base + extent).
void *klineage_simt_check_private(klineage::simt::ThreadCtx *ctx, void *pointer,
                                  uint64_t base, uint64_t extent,
                                  klineage::simt::Site *site);
/// An operation of one lane; operands and results in 8-byte slots.
void klineage_simt_lane_op(klineage::simt::ThreadCtx *ctx, uint32_t op,
                           klineage::simt::Site *site, uint64_t *in,
                           uint64_t *out);
/// An operation that all lanes of a mask execute together.
void klineage_simt_warp_op(klineage::simt::ThreadCtx *ctx, uint32_t op,
                           klineage::simt::Site *site, uint64_t *in,
                           uint64_t *out);
/// Block barrier. `count` 0: all threads. `reduce`: 0 none, 1 popc, 2 and, 3
/// or.
uint32_t klineage_simt_barrier(klineage::simt::ThreadCtx *ctx, uint32_t id,
                               uint32_t count, uint32_t reduce,
                               uint32_t predicate, klineage::simt::Site *site);
/// Arrives at a counted barrier without waiting.
void klineage_simt_barrier_arrive(klineage::simt::ThreadCtx *ctx, uint32_t id,
                                  uint32_t count, klineage::simt::Site *site);
}

#endif // KLINEAGE_LIB_GATE_SIMT_ABI_H
