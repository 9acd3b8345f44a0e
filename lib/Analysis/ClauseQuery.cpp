//===- ClauseQuery.cpp - What the clause families share: twins, verdicts, texts
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClauseQuery.h"

using namespace mlir;
using namespace klineage;

/// Questions of one clause; each takes about 50 microseconds.
constexpr unsigned kQuestions = 10000;

ClauseQuery::ClauseQuery(KernelModel &model, StringRef name, ClauseClass kind,
                         StringRef expected)
    : model(model), result(model.kernel.getLoc()) {
  result.name = name.str();
  result.clauseClass = kind;
  result.truth = Truth::proved;
  result.expected = expected.str();
  result.engine = "folding";
}

void ClauseQuery::unknown(Operation *op, std::string why) {
  if (result.truth != Truth::proved)
    return;
  result.truth = Truth::unknown;
  result.loc = op->getLoc();
  result.found = std::move(why);
}

/// Variables that the goal depends on through the conditions of the witness.
static llvm::SetVector<Var>
sliceOf(const ExprArena &arena, const Conjunction &all, const Formula &goal) {
  llvm::SetVector<Var> slice;
  for (const Conjunction &conjunction : goal.disjuncts)
    for (Condition condition : conjunction)
      arena.collectVars(condition.expr, slice);
  for (bool grew = true; grew;) {
    grew = false;
    for (Condition condition : all) {
      llvm::SetVector<Var> vars;
      arena.collectVars(condition.expr, vars);
      if (llvm::none_of(vars, [&](Var v) { return slice.contains(v); }))
        continue;
      for (Var v : vars)
        grew |= slice.insert(v);
    }
  }
  return slice;
}

/// Why the witness refutes nothing: empty if it does. One extent of a buffer
/// may be anything; two may be tied by the caller.
std::string ClauseQuery::objection(const Solution &solution,
                                   const Formula &goal) {
  unsigned sizes = 0;
  std::string names;
  for (Var v : sliceOf(model.arena, solution.disjunct, goal)) {
    const VarInfo &info = model.arena.info(v);
    if (info.kind == VarKind::opaque)
      return "it depends on " + info.name + ", which is not understood";
    if (info.kind == VarKind::scalar)
      return "it depends on " + info.name + ", whose value is not known";
    if (info.kind == VarKind::size) {
      ++sizes;
      names += (names.empty() ? "" : ", ") + info.name;
    }
  }
  if (sizes > 1)
    return "it depends on how " + names + " are related";
  return veto ? veto(solution.witness) : "";
}

/// Within what is left of the budget; notes the heaviest engine.
Solution ClauseQuery::ask(const Formula &all) {
  SolveBudget budget;
  budget.points = std::min(budget.points, points);
  if (questions > kQuestions || points <= 0)
    return Solution();
  Solution solution = solve(model.arena, all, budget);
  questions += solution.engine != "folding";
  points -= solution.points;
  static const char *order[] = {"folding", "presburger", "enumeration"};
  auto rank = [&](StringRef engine) { return llvm::find(order, engine); };
  if (rank(solution.engine) > rank(result.engine))
    result.engine = solution.engine;
  return solution;
}

bool ClauseQuery::possible(const Formula &context, const Formula &goal) {
  return ask(conj(goal, context)).kind != Solved::empty;
}

bool ClauseQuery::impossible(const Formula &context, const Formula &goal,
                             bool exact, Operation *op,
                             llvm::function_ref<std::string()> what) {
  Solution solution = ask(conj(goal, context));
  if (solution.kind == Solved::empty)
    return true;
  if (solution.kind == Solved::unknown) {
    bool spent = questions > kQuestions || points <= 0;
    unknown(op, (spent ? "the budget is spent before " : "no engine decides ") +
                    what());
    return true;
  }
  std::string values;
  llvm::SetVector<Var> shown = sliceOf(model.arena, solution.disjunct, goal);
  for (auto [v, value] : solution.witness)
    if (shown.contains(v))
      values += (values.empty() ? "" : " ") + model.arena.info(v).name + "=" +
                std::to_string(value);
  std::string text = what() + (values.empty() ? "" : " at " + values);
  std::string why = objection(solution, goal);
  if (why.empty() && !exact)
    why = "it depends on a condition that is not understood";
  if (!why.empty()) {
    unknown(op, text + ": " + why);
    return true;
  }
  result.truth = Truth::refuted;
  result.loc = op->getLoc();
  result.found = std::move(text);
  return false;
}

ClauseResult ClauseQuery::take() {
  if (!model.notUnderstood.empty() && result.truth == Truth::proved) {
    auto &[op, why] = model.notUnderstood.front();
    unknown(op, why + " is not modelled");
  }
  if (model.tiedExtents && result.engine != "folding")
    assume("extents that the operations of the entry tie are equal");
  return std::move(result);
}

llvm::DenseMap<Var, Expr> klineage::makeTwin(KernelModel &model,
                                             bool otherBlock) {
  llvm::DenseMap<Var, Expr> twin;
  for (Var v = 0, e = model.arena.numVars(); v < e; ++v) {
    VarInfo info = model.arena.info(v);
    bool own = info.kind == VarKind::thread || info.kind == VarKind::counter ||
               info.kind == VarKind::opaque;
    if (otherBlock)
      own |= info.kind == VarKind::block || info.kind == VarKind::choice;
    if (own)
      twin[v] = model.arena.var(
          model.arena.makeVar(info.name + "'", info.kind, info.range));
  }
  return twin;
}

Expr klineage::linearThread(KernelModel &model) {
  ExprArena &arena = model.arena;
  auto extent = [&](unsigned i) {
    return model.blockSize[i] ? model.blockSize[i] : 1024;
  };
  Expr z = arena.scale(arena.var(model.thread[2]), extent(1));
  Expr y = arena.add(arena.var(model.thread[1]), z);
  return arena.add(arena.var(model.thread[0]), arena.scale(y, extent(0)));
}
