//===- Findings.cpp - What a checked run of the simt executor reports
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Simt/Findings.h"
#include "FindingLog.h"
#include "llvm/Support/raw_ostream.h"

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

StringRef klineage::simt::stringify(FindingKind kind) {
  static constexpr StringRef names[numFindingKinds] = {"shared_race",
                                                       "global_race",
                                                       "out_of_bounds",
                                                       "misaligned",
                                                       "uninitialized_shared",
                                                       "async_pending",
                                                       "async_unwaited",
                                                       "divergent_barrier",
                                                       "bad_mask",
                                                       "shared_overflow",
                                                       "deadlock"};
  return names[unsigned(kind)];
}

static raw_ostream &operator<<(raw_ostream &os, const Dim3 &dim) {
  return os << '(' << dim.x << ", " << dim.y << ", " << dim.z << ')';
}

raw_ostream &klineage::simt::operator<<(raw_ostream &os, const Finding &f) {
  os << stringify(f.kind) << " in kernel '" << f.kernel << "', block ";
  ::operator<<(os, f.block) << " thread ";
  ::operator<<(os, f.thread);
  if (f.hasOther) {
    os << " against block ";
    ::operator<<(os, f.otherBlock) << " thread ";
    ::operator<<(os, f.otherThread);
  }
  if (!f.buffer.empty())
    os << ", '" << f.buffer << "'";
  if (f.byteOffset >= 0 || f.element >= 0)
    os << " byte " << f.byteOffset << " (element " << f.element << ")";
  if (!f.detail.empty())
    os << ": " << f.detail;
  os << ", at " << f.location;
  if (!f.otherLocation.empty())
    os << " and " << f.otherLocation;
  if (f.count > 1)
    os << ", " << f.count << " times";
  return os;
}

raw_ostream &klineage::simt::operator<<(raw_ostream &os, const Counts &c) {
  os << "kernel '" << c.kernel << "': " << c.launches << " launches, "
     << c.blocks << " blocks, " << c.threads << " threads\n"
     << "  thread instructions: fp16 " << c.fp16 << ", fp32 " << c.fp32
     << ", fp64 " << c.fp64 << ", integer " << c.integer << ", memory "
     << c.memory << ", control " << c.control << ", special " << c.special
     << ", mma " << c.mma << ", other " << c.other << "\n"
     << "  barriers " << c.barriers << ", warp collectives "
     << c.warpCollectives << "\n"
     << "  in " << c.sampledBlocks << " sampled blocks"
     << (c.truncated ? " (truncated)" : "") << ": global loads "
     << c.globalLoads << " in " << c.globalLoadSectors << " sectors for "
     << c.globalLoadBytes << " bytes, global stores " << c.globalStores
     << " in " << c.globalStoreSectors << " sectors for " << c.globalStoreBytes
     << " bytes, shared accesses " << c.sharedAccesses << " in "
     << c.sharedWavefronts << " wavefronts, bank conflicts " << c.bankConflicts;
  return os;
}

Dim3 klineage::simt::threadOf(unsigned linear, const ThreadCtx &ctx) {
  return {linear % ctx.ntid[0], linear / ctx.ntid[0] % ctx.ntid[1],
          linear / ctx.ntid[0] / ctx.ntid[1]};
}

Finding *FindingLog::report(FindingKind kind, StringRef kernel,
                            const Site *site, uint64_t place,
                            const ThreadCtx &ctx) {
  std::lock_guard<std::mutex> lock(mutex);
  auto [it, isNew] =
      known.try_emplace({site, place << 8 | unsigned(kind)}, findings.size());
  if (!isNew) {
    if (it->second < int64_t(findings.size()))
      ++findings[it->second].count;
    return nullptr;
  }
  if (int64_t(findings.size()) >= limit) {
    it->second = std::numeric_limits<int64_t>::max();
    return nullptr;
  }
  Finding &finding = findings.emplace_back();
  finding.kind = kind;
  finding.kernel = kernel.str();
  finding.block = {ctx.ctaid[0], ctx.ctaid[1], ctx.ctaid[2]};
  finding.thread = threadOf(ctx.linearTid, ctx);
  if (site)
    finding.location = site->location;
  return &finding;
}
