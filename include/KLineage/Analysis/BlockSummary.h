//===- BlockSummary.h - What one block of a kernel stores, as expressions
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_BLOCKSUMMARY_H
#define KLINEAGE_ANALYSIS_BLOCKSUMMARY_H

#include "KLineage/Analysis/Symbolic/Arena.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <array>
#include <set>

namespace klineage {

/// What an argument of a kernel is bound to; one of the three.
struct KernelArgument {
  std::optional<uint64_t> array; ///< buffer, by the caller's number
  std::optional<sym::Poly> integer;
  std::optional<sym::Term> value;
};

struct KernelLaunch {
  mlir::gpu::GPUFuncOp kernel;
  std::array<int64_t, 3> blockSize;
  std::array<sym::Poly, 3> gridSize;
  llvm::SmallVector<KernelArgument> arguments;
};

/// The element `offset` of an array becomes `value` where `guard` holds, for
/// every value of the loop counters.
struct ElementStore {
  uint64_t array = 0;
  sym::Poly offset{};
  sym::Term value{};
  sym::Pred guard{};
  llvm::SmallVector<sym::Atom, 1> counters;
  unsigned thread = 0;
};

/// A thread saw what an array that the kernel writes held before.
struct EarlyRead {
  uint64_t array = 0;
  sym::Poly offset{};
  unsigned thread = 0;
};

struct Refusal {
  mlir::Location loc;
  std::string reason;
};

/// All threads of a block in lock step, with concrete thread ids; block ids,
/// arguments and counters of loops stay symbols. Barriers order nothing that
/// lock step has not ordered: race freedom is a clause of its own.
struct BlockSummary {
  std::array<sym::Poly, 3> blockId;
  std::vector<ElementStore> stores;
  std::vector<EarlyRead> earlyReads;
  std::set<std::string> assumptions;
  std::optional<Refusal> refusal; ///< then the rest means nothing
};

BlockSummary summarizeBlock(sym::Arena &arena, const KernelLaunch &launch);

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_BLOCKSUMMARY_H
