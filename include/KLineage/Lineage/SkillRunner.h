//===- SkillRunner.h - Matching and running skills on states
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LINEAGE_SKILLRUNNER_H
#define KLINEAGE_LINEAGE_SKILLRUNNER_H

#include "KLineage/Dialect/KLineage/KLineage.h"
#include "KLineage/Steps/StepKind.h"
#include "KLineage/Support/TargetInfo.h"
#include <optional>
#include <vector>

namespace klineage {

/// Positions of the operations of the entry, in host form, that the skill's
/// `@anchor` accepts. If there are none, `why` says so in one line.
llvm::SmallVector<int64_t> findAnchors(mlir::ModuleOp state, SkillOp skill,
                                       const StepContext &context,
                                       std::string *why = nullptr);

/// Knob settings of a skill at one anchor.
struct SettingList {
  /// Those that satisfy all constraints, most preferred first.
  llvm::SmallVector<mlir::DictionaryAttr> legal;
  /// If none is legal: the constraint that fails at the most preferred setting,
  /// with both sides.
  std::string explanation;
};
SettingList enumerateSettings(mlir::ModuleOp state, SkillOp skill,
                              int64_t anchor, const TargetInfo &target);

/// Result of running a skill: either steps or the refusal that stopped it.
struct SkillOutcome {
  std::vector<AppliedStep> steps;
  std::optional<StepRefusal> refusal;
};

/// Evaluates `@requires` and runs `@steps` on `state` in place. If the outcome
/// has a refusal the state is in between and must be thrown away.
SkillOutcome runSkill(mlir::ModuleOp state, SkillOp skill, int64_t anchor,
                      mlir::DictionaryAttr knobs, const StepContext &context);

} // namespace klineage

#endif // KLINEAGE_LINEAGE_SKILLRUNNER_H
