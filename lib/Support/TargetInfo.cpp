//===- TargetInfo.cpp - The table of chips
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Support/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"

using namespace klineage;
using llvm::StringLiteral;

static constexpr StringLiteral kAmpere[] = {"cp_async", "ldmatrix", "mma_sync",
                                            "redux",    "bf16",     "tf32"};
static constexpr StringLiteral kAda[] = {
    "cp_async", "ldmatrix", "mma_sync", "redux", "bf16", "tf32", "fp8"};
static constexpr StringLiteral kHopper[] = {
    "cp_async", "ldmatrix", "mma_sync", "redux", "bf16",    "tf32",      "fp8",
    "stmatrix", "mbarrier", "tma",      "wgmma", "cluster", "setmaxnreg"};
static constexpr StringLiteral kBlackwell[] = {
    "cp_async", "ldmatrix", "mma_sync",  "redux",    "bf16",
    "tf32",     "fp8",      "stmatrix",  "mbarrier", "tma",
    "tcgen05",  "cluster",  "setmaxnreg"};
static constexpr StringLiteral kBlackwellDesktop[] = {
    "cp_async", "ldmatrix", "mma_sync", "redux", "bf16",   "tf32",
    "fp8",      "stmatrix", "mbarrier", "tma",   "cluster"};

// chip, ptx, threads/block, block dims, grid dims, static smem, opt-in smem,
// regs/thread, regs/block, regs/SM, smem/SM, threads/SM, warp, banks, vector
#define KLINEAGE_TARGET(CHIP, PTX, OPTIN, SMEM_SM, THREADS_SM, FEATURES)       \
  {CHIP,                                                                       \
   PTX,                                                                        \
   1024,                                                                       \
   {1024, 1024, 64},                                                           \
   {2147483647, 65535, 65535},                                                 \
   49152,                                                                      \
   OPTIN,                                                                      \
   255,                                                                        \
   65536,                                                                      \
   65536,                                                                      \
   SMEM_SM,                                                                    \
   THREADS_SM,                                                                 \
   32,                                                                         \
   32,                                                                         \
   16,                                                                         \
   FEATURES}

static const TargetInfo kTargets[] = {
    KLINEAGE_TARGET("sm_80", 80, 166912, 167936, 2048, kAmpere),
    KLINEAGE_TARGET("sm_86", 80, 101376, 102400, 1536, kAmpere),
    KLINEAGE_TARGET("sm_89", 80, 101376, 102400, 1536, kAda),
    KLINEAGE_TARGET("sm_90a", 80, 232448, 233472, 2048, kHopper),
    KLINEAGE_TARGET("sm_100a", 86, 232448, 233472, 2048, kBlackwell),
    KLINEAGE_TARGET("sm_120a", 87, 101376, 102400, 1536, kBlackwellDesktop),
};

bool TargetInfo::hasFeature(llvm::StringRef name) const {
  return llvm::is_contained(features, name);
}

const TargetInfo *klineage::lookupTarget(llvm::StringRef chip) {
  const auto *it = llvm::find_if(
      kTargets, [&](const TargetInfo &t) { return t.chip == chip; });
  return it == std::end(kTargets) ? nullptr : it;
}

llvm::SmallVector<llvm::StringRef> klineage::knownTargets() {
  llvm::SmallVector<llvm::StringRef> names;
  for (const TargetInfo &target : kTargets)
    names.push_back(target.chip);
  return names;
}
