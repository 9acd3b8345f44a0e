//===- SolvePresburger.cpp - Integer emptiness by MLIR's Presburger library
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Formula.h"
#include "mlir/Analysis/Presburger/IntegerRelation.h"

using namespace klineage;
using namespace mlir::presburger;
using AtomKind = ExprArena::AtomKind;

namespace {

/// Columns and rows of one conjunction. Rows are sparse until all columns are
/// known. Exclusive choices (which side a minimum is) are tried one by one.
class Problem {
public:
  Problem(const ExprArena &arena, const SolveBudget &budget)
      : arena(arena), budget(budget) {}

  Solution run(const Conjunction &conjunction) {
    Solution result;
    result.engine = "presburger";
    for (Condition condition : conjunction)
      addRow(condition.expr, condition.equality);
    if (columns.size() > budget.columns || choices.size() > 5)
      return result;
    result.kind = Solved::empty;
    for (unsigned mask = 0; mask < 1u << choices.size(); ++mask) {
      IntegerPolyhedron polyhedron(
          PresburgerSpace::getSetSpace(columns.size()));
      for (const Row &row : rows)
        append(polyhedron, row);
      for (auto [i, choice] : llvm::enumerate(choices))
        append(polyhedron, mask >> i & 1 ? choice.first : choice.second);
      auto sample = polyhedron.findIntegerSample();
      if (!sample)
        continue;
      result.kind = Solved::witness;
      for (auto [i, atom] : llvm::enumerate(columns))
        if (arena.atom(atom).kind == AtomKind::var)
          result.witness[arena.atom(atom).a] = int64_t((*sample)[i]);
      return result;
    }
    return result;
  }

private:
  struct Row {
    std::map<unsigned, int64_t> coefficients;
    int64_t constant = 0;
    bool equality = false;
  };

  unsigned columnOf(unsigned atom) {
    auto [it, fresh] = columnIds.try_emplace(atom, columns.size());
    unsigned column = it->second;
    if (!fresh)
      return column;
    columns.push_back(atom);
    ExprArena::Atom info = arena.atom(atom);
    if (info.kind == AtomKind::div) {
      // 0 <= e - c q < c.
      Row low = rowOf(info.a);
      low.coefficients[column] -= info.b;
      Row high = negated(low);
      high.constant += info.b - 1;
      rows.push_back(std::move(low));
      rows.push_back(std::move(high));
    } else if (info.kind == AtomKind::min || info.kind == AtomKind::max) {
      addChoice(info, column);
    } else {
      // A variable; or an operation relaxed to its range.
      Range range = info.kind == AtomKind::var ? arena.info(info.a).range
                                               : rangeOfHard(info);
      addBounds(column, range);
    }
    return column;
  }

  Range rangeOfHard(ExprArena::Atom info) {
    Range a = arena.rangeOf(info.a), b = arena.rangeOf(Expr(info.b));
    if (a.lo < 0 || b.lo < 0)
      return {-kInfinity, kInfinity};
    int64_t widest = std::max(a.hi, b.hi);
    if (info.kind != AtomKind::bitXor || widest >= kInfinity)
      return {0, kInfinity};
    return {0, int64_t(llvm::NextPowerOf2(uint64_t(widest))) - 1};
  }

  void addBounds(unsigned column, Range range) {
    if (range.lo > -kInfinity)
      rows.push_back({{{column, 1}}, -range.lo, false});
    if (range.hi < kInfinity)
      rows.push_back({{{column, -1}}, range.hi, false});
  }

  void addChoice(ExprArena::Atom info, unsigned column) {
    Row a = rowOf(info.a), b = rowOf(Expr(info.b));
    a.coefficients[column] -= 1; // a - m
    b.coefficients[column] -= 1;
    if (info.kind == AtomKind::max)
      a = negated(a), b = negated(b);
    rows.push_back(a);
    rows.push_back(b);
    choices.push_back({negated(a), negated(b)});
  }

  static Row negated(Row row) {
    for (auto &entry : row.coefficients)
      entry.second = -entry.second;
    row.constant = -row.constant;
    return row;
  }

  Row rowOf(Expr e) {
    const ExprArena::Linear linear = arena.linear(e);
    Row row;
    row.constant = linear.constant;
    for (auto [atom, coefficient] : linear.terms)
      row.coefficients[columnOf(atom)] += coefficient;
    return row;
  }

  void addRow(Expr e, bool equality) {
    Row row = rowOf(e);
    row.equality = equality;
    rows.push_back(std::move(row));
  }

  void append(IntegerPolyhedron &polyhedron, const Row &row) {
    llvm::SmallVector<int64_t> dense(columns.size() + 1, 0);
    for (auto [column, coefficient] : row.coefficients)
      dense[column] = coefficient;
    dense.back() = row.constant;
    if (row.equality)
      polyhedron.addEquality(dense);
    else
      polyhedron.addInequality(dense);
  }

  const ExprArena &arena;
  const SolveBudget &budget;
  std::vector<unsigned> columns; ///< atoms
  std::map<unsigned, unsigned> columnIds;
  std::vector<Row> rows;
  std::vector<std::pair<Row, Row>> choices;
};

} // namespace

Solution klineage::solvePresburger(ExprArena &arena,
                                   const Conjunction &conjunction,
                                   const SolveBudget &budget) {
  return Problem(arena, budget).run(conjunction);
}
