//===- AccessCounter.h - Transactions and bank conflicts of sampled blocks
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMT_ACCESSCOUNTER_H
#define KLINEAGE_LIB_GATE_SIMT_ACCESSCOUNTER_H

#include "Abi.h"
#include "KLineage/Gate/Simt/Findings.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace klineage::simt {

/// Lanes run one after the other, so the accesses of a warp instruction arrive
/// apart. They are kept for a block and matched when it has ended: the n-th
/// execution of an instruction by one lane belongs to the n-th of the others.
class AccessCounter {
public:
  void note(const ThreadCtx &ctx, const Site &site, uintptr_t address,
            uint64_t bytes, bool shared, bool write);
  /// Adds the block to `counts` and forgets it.
  void finishBlock(Counts &counts);

private:
  struct Access {
    uintptr_t address;
    uint32_t bytes;
  };
  struct Stream { ///< one instruction of one warp
    bool shared = false, write = false;
    llvm::SmallVector<Access, 4> lanes[warpSize];
  };
  static constexpr int64_t limit = 4 << 20; ///< accesses of a block
  int64_t noted = 0;
  bool truncated = false;
  llvm::DenseMap<uint64_t, std::unique_ptr<Stream>> streams;
};

} // namespace klineage::simt

#endif // KLINEAGE_LIB_GATE_SIMT_ACCESSCOUNTER_H
