//===- Walk.h - From an expert kernel backward to a naive one
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_PASSES_WALK_H
#define KLINEAGE_LIB_PASSES_WALK_H

#include "Equivalence.h"
#include "KLineage/Lineage/LineageEditor.h"
#include "KLineage/Search/GateCases.h"
#include "Undo.h"
#include <set>

namespace klineage {

struct WalkOptions {
  GateOptions gate;
  int64_t budget = 40; ///< judgements at the most
  bool progress = false;
};

/// Extends a lineage whose reference is the expert by what undos make of it
/// (docs/decompose.md). Refusals and failures are recorded as trials.
class Walk {
public:
  Walk(LineageOp lineage, const TargetInfo &target, WalkOptions options,
       const mlir::DialectRegistry &registry);

  /// Where it stopped and why: one line.
  std::string run();

private:
  Verdict judgeState(mlir::ModuleOp before, mlir::ModuleOp after,
                     Numerics numerics);
  std::string judgeExpert();
  bool advance(const Undo &undo);
  bool tryPlace(const Undo &undo, int64_t place);
  void refuse(const Undo &undo, int64_t place, const Verdict &verdict,
              llvm::ArrayRef<ClauseResult> clauses);
  void accept(const Undo &undo, int64_t place, UndoResult &result,
              const Verdict &verdict);
  std::string ended();
  mlir::ModuleOp current() { return lineage.getCurrent().getModule(); }
  void report(llvm::StringRef what, const Verdict &verdict);

  LineageOp lineage;
  mlir::ModuleOp expert;
  const TargetInfo &target;
  WalkOptions options;
  const mlir::DialectRegistry &registry;
  std::vector<std::vector<int64_t>> sizes;
  std::string limit; ///< why `raise` refused the current state
};

} // namespace klineage

#endif // KLINEAGE_LIB_PASSES_WALK_H
