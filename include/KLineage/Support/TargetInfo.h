//===- TargetInfo.h - Limits and features of a GPU chip, as data
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_SUPPORT_TARGETINFO_H
#define KLINEAGE_SUPPORT_TARGETINFO_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace klineage {

/// Facts of one chip. Sizes are bytes, counts are per block unless said
/// otherwise. Source: CUDA C++ Programming Guide, "Technical Specifications per
/// Compute Capability", and the PTX ISA manual for `ptxVersion`.
struct TargetInfo {
  llvm::StringLiteral chip; ///< as `ptxas -arch` takes it: "sm_90a"
  int ptxVersion;           ///< smallest PTX ISA with all we emit: 80 = 8.0
  int64_t maxThreadsPerBlock;
  int64_t maxBlockDim[3];
  int64_t maxGridDim[3];
  int64_t sharedStaticBytes; ///< static limit, 48 KiB on every chip
  int64_t sharedOptInBytes;  ///< dynamic limit after the opt-in attribute
  int64_t registersPerThread;
  int64_t registersPerBlock;
  int64_t registersPerSm;
  int64_t sharedPerSm;
  int64_t maxThreadsPerSm;
  int64_t warpSize;
  int64_t sharedBanks;                          ///< banks of 4 bytes
  int64_t globalVectorBytes;                    ///< widest single load or store
  llvm::ArrayRef<llvm::StringLiteral> features; ///< "cp_async", "ldmatrix", ...

  bool hasFeature(llvm::StringRef name) const;
};

/// Facts of `chip`, or null if the chip is not in the table.
const TargetInfo *lookupTarget(llvm::StringRef chip);

/// Names of all chips in the table, for messages and documentation.
llvm::SmallVector<llvm::StringRef> knownTargets();

} // namespace klineage

#endif // KLINEAGE_SUPPORT_TARGETINFO_H
