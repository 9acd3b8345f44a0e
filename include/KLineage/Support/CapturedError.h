//===- CapturedError.h - Diagnostics as text
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_SUPPORT_CAPTUREDERROR_H
#define KLINEAGE_SUPPORT_CAPTUREDERROR_H

#include "mlir/IR/Diagnostics.h"
#include <string>

namespace klineage {

/// While it lives, keeps the text of the first error and prints no diagnostic
/// of this thread: failing is how a matcher or a step says no.
class CapturedError {
public:
  explicit CapturedError(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          if (text.empty() &&
              diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
            text = diagnostic.str();
          return mlir::success();
        }) {}
  std::string text;

private:
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace klineage

#endif // KLINEAGE_SUPPORT_CAPTUREDERROR_H
