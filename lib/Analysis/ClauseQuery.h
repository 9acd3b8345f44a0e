//===- ClauseQuery.h - What the clause families share: twins, verdicts, texts
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_ANALYSIS_CLAUSEQUERY_H
#define KLINEAGE_LIB_ANALYSIS_CLAUSEQUERY_H

#include "KLineage/Analysis/KernelClauses.h"

namespace klineage {

/// Collects the answers to the questions of one clause. The first refutation
/// ends it; without one, anything undecided leaves it unknown.
class ClauseQuery {
public:
  ClauseQuery(KernelModel &model, llvm::StringRef name, ClauseClass kind,
              llvm::StringRef expected);

  /// Is `goal` impossible where `context` holds? `exact`: both say precisely
  /// what the kernel does. False if the clause is refuted.
  bool impossible(const Formula &context, const Formula &goal, bool exact,
                  mlir::Operation *op, llvm::function_ref<std::string()> what);
  /// Whether anything at all may satisfy both; unless it is folded away.
  bool possible(const Formula &context, const Formula &goal);
  void unknown(mlir::Operation *op, std::string why);
  void assume(llvm::StringRef fact) {
    result.assumptions.push_back(fact.str());
  }
  /// Vetoes a witness: a reason why it may not happen, or empty.
  std::function<std::string(const Assignment &)> veto;

  ClauseResult take();
  bool refuted() const { return result.truth == Truth::refuted; }

private:
  Solution ask(const Formula &all);
  std::string objection(const Solution &solution, const Formula &goal);

  KernelModel &model;
  ClauseResult result;
  unsigned questions = 0;   ///< that folding did not answer
  int64_t points = 4000000; ///< of enumeration, for all questions together
};

/// Variables of a second thread of the same block, or of another block.
llvm::DenseMap<Var, Expr> makeTwin(KernelModel &model, bool otherBlock);
/// Number of the thread in its block.
Expr linearThread(KernelModel &model);

} // namespace klineage

#endif // KLINEAGE_LIB_ANALYSIS_CLAUSEQUERY_H
