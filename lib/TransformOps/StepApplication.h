//===- StepApplication.h - Shared by the transform operations
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_TRANSFORMOPS_STEPAPPLICATION_H
#define KLINEAGE_LIB_TRANSFORMOPS_STEPAPPLICATION_H

#include "KLineage/Steps/StepKind.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

namespace klineage {

/// The outermost module around the payload root.
mlir::ModuleOp payloadModule(mlir::transform::TransformState &state);

StepContext contextOf(mlir::transform::TransformState &state);

/// Attributes of `op` with knob references replaced; failure if one has no
/// value.
mlir::FailureOr<mlir::DictionaryAttr>
resolvedParams(mlir::Operation *op, mlir::transform::TransformState &state,
               llvm::ArrayRef<llvm::StringRef> skip = {});

/// A silenceable failure with one note for each clause that does not hold.
mlir::DiagnosedSilenceableFailure refuse(mlir::Operation *op,
                                         const StepRefusal &refusal);

/// applyStep, recorded in the skill's run if there is one.
mlir::FailureOr<AppliedStep>
runStep(mlir::transform::TransformRewriter &rewriter,
        mlir::transform::TransformState &state, const StepKind &kind,
        llvm::ArrayRef<mlir::Operation *> targets, mlir::DictionaryAttr params,
        StepRefusal &refusal);

} // namespace klineage

#endif // KLINEAGE_LIB_TRANSFORMOPS_STEPAPPLICATION_H
