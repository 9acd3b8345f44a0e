//===- HostSummary.h - What a whole state computes, element by element
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_HOSTSUMMARY_H
#define KLINEAGE_ANALYSIS_HOSTSUMMARY_H

#include "KLineage/Analysis/KernelModel.h"
#include "KLineage/Analysis/OutputMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace klineage {

/// A branch that the case does not settle: it is taken where the extent is a
/// multiple of `factor`.
struct HostSplit {
  ExtentTies::Extent extent;
  int64_t factor = 1;
};

/// Which calls of an entry: an extent (by its leader) as a multiple of a
/// number, and which way the branches of the host go, in order.
struct HostCase {
  std::map<ExtentTies::Extent, int64_t> factors;
  std::vector<bool> branches;

  /// The half where an open branch goes one way.
  HostCase split(const HostSplit &at, std::vector<bool> before,
                 bool taken) const;
  std::string str() const;
};

/// A buffer of the host, with what its elements hold.
struct HostArray {
  std::string name;
  ArrayShape shape;
  std::optional<sym::Term> value; ///< over the coordinates; none: as it came
};

/// Entries that are compared share these.
struct HostSymbols {
  HostSymbols(sym::Arena &arena, const ExtentTies &ties, const HostCase &which)
      : arena(arena), ties(ties), which(which) {}
  sym::Arena &arena;
  const ExtentTies &ties;
  const HostCase &which;
  std::map<ExtentTies::Extent, sym::Poly> extents;
  std::map<ExtentTies::Extent, sym::Poly> quotients; ///< by the case's factor
  std::map<unsigned, ArrayShape> shapes;             ///< of entry arguments
  std::map<unsigned, sym::Poly> integers;
  std::map<unsigned, sym::Term> values;
};

struct HostSummary {
  std::map<uint64_t, HostArray> arrays; ///< below 1000: arguments by number
  std::vector<uint64_t> outputs;        ///< arguments that kernels store to
  std::set<std::string> assumptions;
  std::optional<Refusal> refusal;
  std::optional<HostSplit> split; ///< then the rest means nothing
  std::vector<bool> branches;     ///< taken, of those that were open
};

/// Goes through the host code of `entry`, a state in the form of kernels.
HostSummary summarizeHost(mlir::func::FuncOp entry, HostSymbols &symbols,
                          std::vector<bool> branches);

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_HOSTSUMMARY_H
