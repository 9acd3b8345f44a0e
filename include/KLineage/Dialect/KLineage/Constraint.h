//===- Constraint.h - Inequalities over knobs and facts
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_DIALECT_CONSTRAINT_H
#define KLINEAGE_DIALECT_CONSTRAINT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace klineage {

/// Both sides of an evaluated constraint.
struct ConstraintValue {
  bool holds = false;
  int64_t left = 0, right = 0;
  std::string relation; ///< "<="
};

/// Evaluates `condition` (grammar: `klineage.constraint`) with the values that
/// `lookup` gives. Errors: bad syntax with its column, an unknown name,
/// division by zero, overflow of 64 bits.
llvm::Expected<ConstraintValue> evaluateConstraint(
    llvm::StringRef condition,
    llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> lookup);

/// Names that `condition` mentions, in order, once each.
llvm::Expected<llvm::SmallVector<std::string>>
constraintNames(llvm::StringRef condition);

/// Names that mean a limit of the target or a fact of the anchor.
bool isConstraintFact(llvm::StringRef name);

} // namespace klineage

#endif // KLINEAGE_DIALECT_CONSTRAINT_H
