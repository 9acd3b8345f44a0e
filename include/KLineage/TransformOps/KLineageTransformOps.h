//===- KLineageTransformOps.h - Step kinds and clauses as transform operations
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_TRANSFORMOPS_KLINEAGETRANSFORMOPS_H
#define KLINEAGE_TRANSFORMOPS_KLINEAGETRANSFORMOPS_H

#include "KLineage/Analysis/Clause.h"
#include "KLineage/Steps/StepKind.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "KLineage/TransformOps/ClauseOpInterface.h.inc"

#define GET_OP_CLASSES
#include "KLineage/TransformOps/KLineageTransformOps.h.inc"

#endif // KLINEAGE_TRANSFORMOPS_KLINEAGETRANSFORMOPS_H
