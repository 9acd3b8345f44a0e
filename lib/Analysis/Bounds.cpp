//===- Bounds.cpp - Clauses in_bounds and aligned
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClauseQuery.h"
#include "llvm/Support/MathExtras.h"

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

/// Offset in elements behind the last one, of a buffer of known shape.
static std::optional<int64_t> spanOf(const ExprArena &arena,
                                     const MemoryRoot &root) {
  int64_t span = 1;
  for (auto [size, stride] : llvm::zip(root.sizes, root.strides)) {
    auto n = arena.constantOf(size), step = arena.constantOf(stride);
    int64_t more;
    if (!n || !step || *n < 1 || *step < 0 ||
        llvm::MulOverflow(*n - 1, *step, more) ||
        llvm::AddOverflow(span, more, span))
      return std::nullopt;
  }
  return span;
}

/// An element that lies outside the buffer, not only outside its dimension:
/// by its offset, or by its outermost index alone.
static Formula leavesBuffer(ExprArena &arena, const KernelAccess &access,
                            const MemoryRoot &root) {
  if (std::optional<int64_t> span = spanOf(arena, root)) {
    Expr offset = arena.constant(0);
    for (auto [index, stride] : llvm::zip(access.index, root.strides))
      offset = arena.add(offset, arena.mul(index, stride));
    return disj(
        Formula::ge(arena.addConstant(offset, access.width - 1 - *span)),
        Formula::ge(arena.addConstant(arena.scale(offset, -1), -1)));
  }
  Formula beyond = Formula::ge(arena.sub(access.index[0], root.sizes[0]));
  Formula before =
      Formula::ge(arena.addConstant(arena.scale(access.index[0], -1), -1));
  for (size_t d = 1; d < access.index.size(); ++d) {
    Expr index = access.index[d];
    beyond = conj(beyond, Formula::ge(index));
    before = conj(before, Formula::ge(arena.addConstant(
                              arena.sub(root.sizes[d], index), -1)));
  }
  return disj(beyond, before);
}

static Formula leavesDimension(ExprArena &arena, const KernelAccess &access,
                               const MemoryRoot &root, size_t dim) {
  bool last = dim + 1 == access.index.size();
  Expr index = access.index[dim];
  Expr end = arena.addConstant(index, last ? access.width - 1 : 0);
  return disj(Formula::ge(arena.sub(end, root.sizes[dim])),
              Formula::ge(arena.addConstant(arena.scale(index, -1), -1)));
}

ClauseResult klineage::inBounds(KernelModel &model) {
  ExprArena &arena = model.arena;
  ClauseQuery query(model, "in_bounds", ClauseClass::storage,
                    "every access lies in its buffer");
  for (const KernelAccess &access : model.accesses) {
    const MemoryRoot &root = model.roots[access.root];
    Formula domain = model.domainOf(access.guards);
    bool exact = model.exactDomain(access.guards);
    for (size_t dim = 0; dim < access.index.size(); ++dim) {
      auto what = [&] {
        return describe(model, access) + " leaves dim " + std::to_string(dim) +
               " of extent " + arena.str(root.sizes[dim]);
      };
      Formula outside = leavesDimension(arena, access, root, dim);
      if (access.index.size() > 1) {
        if (!query.possible(domain, outside))
          continue;
        // Refuted by a witness that leaves the buffer as well.
        for (const Conjunction &way :
             leavesBuffer(arena, access, root).disjuncts)
          if (!query.impossible(conj(domain, outside), Formula{{way}}, exact,
                                access.op, what))
            return query.take();
        query.veto = [](const Assignment &) {
          return std::string("it may still lie in the buffer");
        };
      }
      bool open = query.impossible(domain, outside, exact, access.op, what);
      query.veto = nullptr;
      if (!open)
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
