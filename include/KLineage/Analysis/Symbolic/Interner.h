//===- Interner.h - Equal nodes have equal ids
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_SYMBOLIC_INTERNER_H
#define KLINEAGE_ANALYSIS_SYMBOLIC_INTERNER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <deque>

namespace klineage::sym {

/// Owns nodes; an equal node is stored once. `Id` is an enum over 32 bits,
/// `Node` has `hash()` and `==`. References to nodes stay valid.
template <typename Id, typename Node> class Interner {
public:
  Id intern(Node node) {
    auto &bucket = buckets[uint64_t(node.hash()) >> 1];
    for (uint32_t id : bucket)
      if (nodes[id] == node)
        return Id(id);
    bucket.push_back(uint32_t(nodes.size()));
    nodes.push_back(std::move(node));
    return Id(nodes.size() - 1);
  }
  const Node &operator[](Id id) const { return nodes[uint32_t(id)]; }
  size_t size() const { return nodes.size(); }

private:
  std::deque<Node> nodes;
  /// By hash without its last bit: a key is never one that the map reserves.
  llvm::DenseMap<uint64_t, llvm::SmallVector<uint32_t, 1>> buckets;
};

} // namespace klineage::sym

#endif // KLINEAGE_ANALYSIS_SYMBOLIC_INTERNER_H
