//===- KLineageDialect.cpp - Registration and attributes
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Dialect/KLineage/KLineage.h"
#include "KLineage/Support/TargetInfo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace klineage;

#include "KLineage/Dialect/KLineage/KLineageDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "KLineage/Dialect/KLineage/KLineageAttrs.cpp.inc"

void KLineageDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "KLineage/Dialect/KLineage/KLineageOps.cpp.inc"
      >();
}

void KLineageDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "KLineage/Dialect/KLineage/KLineageAttrs.cpp.inc"
      >();
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef chip) {
  if (lookupTarget(chip))
    return success();
  return emitError() << "unknown chip '" << chip << "'; known are "
                     << llvm::join(knownTargets(), ", ");
}
