//===- Bounds.cpp - Clauses in_bounds and aligned
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClauseQuery.h"

using namespace mlir;
using namespace klineage;

static std::string describe(KernelModel &model, const KernelAccess &access) {
  const MemoryRoot &root = model.roots[access.root];
  std::string text = (access.write ? "store to " : "load from ") + root.name;
  text += "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(access.index, os,
                        [&](Expr e) { model.arena.print(e, os); });
  os << "]";
  return text;
}

ClauseResult klineage::inBounds(KernelModel &model) {
  ExprArena &arena = model.arena;
  ClauseQuery query(model, "in_bounds", ClauseClass::storage,
                    "every access lies in its buffer");
  for (const KernelAccess &access : model.accesses) {
    const MemoryRoot &root = model.roots[access.root];
    Formula domain = model.domainOf(access.guards);
    for (auto [dim, index] : llvm::enumerate(access.index)) {
      bool last = dim + 1 == access.index.size();
      Expr end = arena.addConstant(index, last ? access.width - 1 : 0);
      Formula outside =
          disj(Formula::ge(arena.sub(end, root.sizes[dim])),
               Formula::ge(arena.addConstant(arena.scale(index, -1), -1)));
      auto what = [&, dim = dim] {
        return describe(model, access) + " leaves dim " + std::to_string(dim) +
               " of extent " + arena.str(root.sizes[dim]);
      };
      if (!query.impossible(domain, outside, model.exactDomain(access.guards),
                            access.op, what))
        return query.take();
    }
  }
  query.assume("index arithmetic does not wrap");
  return query.take();
}

ClauseResult klineage::aligned(KernelModel &model) {
  ExprArena &arena = model.arena;
  ClauseQuery query(model, "aligned", ClauseClass::layout,
                    "every access is as aligned as it claims");
  for (const KernelAccess &access : model.accesses) {
    const MemoryRoot &root = model.roots[access.root];
    // Private arrays become registers or are placed by the compiler.
    if (access.alignment <= root.elementBytes ||
        root.space == MemoryRoot::Space::local)
      continue;
    if (root.alignment % access.alignment) {
      query.unknown(access.op, root.name + " is aligned to " +
                                   std::to_string(root.alignment) +
                                   " bytes, the access claims " +
                                   std::to_string(access.alignment));
      continue;
    }
    Expr offset = arena.constant(0);
    for (auto [index, stride] : llvm::zip(access.index, root.strides))
      offset = arena.add(offset, arena.mul(index, stride));
    offset = arena.scale(offset, root.elementBytes);
    if (arena.divisorOf(offset) % access.alignment == 0)
      continue;
    Formula odd =
        Formula::ge(arena.addConstant(arena.mod(offset, access.alignment), -1));
    auto what = [&] {
      return describe(model, access) + " is not aligned to " +
             std::to_string(access.alignment) + " bytes";
    };
    if (!query.impossible(model.domainOf(access.guards), odd,
                          model.exactDomain(access.guards), access.op, what))
      break;
  }
  return query.take();
}
