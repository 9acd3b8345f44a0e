//===- Delinearize.cpp - Flat buffers of rows times columns, as two dimensions
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

using namespace mlir;
using namespace klineage;

/// `a * b`, if the expression is such a product of two symbols.
static std::optional<std::pair<Expr, Expr>> productOf(const ExprArena &arena,
                                                      Expr e) {
  const ExprArena::Linear &x = arena.linear(e);
  if (x.constant != 0 || x.terms.size() != 1 || x.terms[0].second != 1)
    return std::nullopt;
  ExprArena::Atom atom = arena.atom(x.terms[0].first);
  if (atom.kind != ExprArena::AtomKind::product)
    return std::nullopt;
  return std::pair(Expr(atom.a), Expr(atom.b));
}

/// Row and column with `index == row * columns + column`: products with
/// `columns` and multiples of it make the row. `found` if there are any.
static std::pair<Expr, Expr> split(ExprArena &arena, Expr index, Expr columns,
                                   bool &found) {
  ExprArena::Linear form = arena.linear(index);
  ExprArena::Linear one = arena.linear(columns);
  std::optional<unsigned> symbol;
  if (one.constant == 0 && one.terms.size() == 1 && one.terms[0].second == 1)
    symbol = one.terms[0].first;
  Expr row = arena.constant(0);
  for (auto [id, factor] : form.terms) {
    ExprArena::Atom atom = arena.atom(id);
    if (symbol && id == *symbol) {
      row = arena.addConstant(row, factor);
      found = true;
    } else if (atom.kind == ExprArena::AtomKind::product &&
               (atom.a == columns || Expr(atom.b) == columns)) {
      Expr other = atom.a == columns ? Expr(atom.b) : Expr(atom.a);
      row = arena.add(row, arena.scale(other, factor));
      found = true;
    }
  }
  // In the spelling that the row has in the index, so that all of it cancels.
  Expr column = index;
  for (auto [id, factor] : form.terms) {
    ExprArena::Atom atom = arena.atom(id);
    bool ofRow = (symbol && id == *symbol) ||
                 (atom.kind == ExprArena::AtomKind::product &&
                  (atom.a == columns || Expr(atom.b) == columns));
    if (ofRow)
      column = arena.sub(column, arena.scale(arena.ofAtomId(id), factor));
  }
  return {row, column};
}

/// Bounds and equality per dimension imply those of the flat buffer, and stay
/// linear. In bounds per dimension is what races presuppose.
void klineage::delinearize(KernelModel &model) {
  ExprArena &arena = model.arena;
  for (size_t r = 0; r < model.roots.size(); ++r) {
    MemoryRoot &root = model.roots[r];
    if (root.sizes.size() != 1 ||
        arena.constantOf(root.strides[0]).value_or(0) != 1)
      continue;
    auto factors = productOf(arena, root.sizes[0]);
    if (!factors)
      continue;
    // The factor that more accesses multiply by is the length of a row.
    auto uses = [&](Expr columns) {
      return llvm::count_if(model.accesses, [&](const KernelAccess &access) {
        bool found = false;
        if (access.root == r)
          split(arena, access.index[0], columns, found);
        return found;
      });
    };
    auto [a, b] = *factors;
    int64_t withA = uses(a), withB = uses(b);
    if (withA == 0 && withB == 0)
      continue;
    Expr columns = withA > withB ? a : b, rows = withA > withB ? b : a;
    root.sizes = {rows, columns};
    root.strides = {columns, arena.constant(1)};
    for (KernelAccess &access : model.accesses)
      if (access.root == r) {
        bool found = false;
        auto [row, column] = split(arena, access.index[0], columns, found);
        access.index = {row, column};
      }
  }
}
