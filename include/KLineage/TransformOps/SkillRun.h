//===- SkillRun.h - What a run of a skill knows and records
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_TRANSFORMOPS_SKILLRUN_H
#define KLINEAGE_TRANSFORMOPS_SKILLRUN_H

#include "KLineage/Steps/StepKind.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include <optional>
#include <vector>

namespace klineage {

/// Extension of the interpreter's state while a skill runs: the knob settings
/// that references resolve to, and the steps done so far. Without it (a foreign
/// interpreter) step operations still work, on the chip that the payload
/// module's `klineage.target` names, sm_80 otherwise.
class SkillRun : public mlir::transform::TransformState::Extension {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SkillRun)

  /// Filled by the run, read by the caller after the interpreter is gone.
  struct Record {
    std::vector<AppliedStep> steps;
    std::optional<StepRefusal> refusal;
  };

  SkillRun(mlir::transform::TransformState &state, const StepContext &context,
           mlir::DictionaryAttr knobs, Record &record)
      : Extension(state), context(context), knobs(knobs), record(record) {}

  const StepContext &context;
  mlir::DictionaryAttr knobs; ///< name -> i64
  Record &record;
};

/// Replaces knob references inside `attr` by their i64 values. Null if a
/// reference has no value.
mlir::Attribute resolveKnobs(mlir::Attribute attr, mlir::DictionaryAttr knobs);

/// Registers the transform operations of the project.
void registerTransformExtension(mlir::DialectRegistry &registry);

} // namespace klineage

#endif // KLINEAGE_TRANSFORMOPS_SKILLRUN_H
