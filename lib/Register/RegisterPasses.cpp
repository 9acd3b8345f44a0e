//===- RegisterPasses.cpp - Passes of the tool
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/TestPasses.h"
#include "KLineage/Lift/Passes.h"
#include "KLineage/Passes/Passes.h"
#include "KLineage/RegisterAll.h"
#include "KLineage/Steps/TestPasses.h"
#include "KLineage/Testing/TestPasses.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

void klineage::registerAllPasses() {
  registerKLineagePasses();
  registerKLineageLiftPasses();
  registerLiftPipeline();
  registerStepTestPasses();
  registerAnalysisTestPasses();
  registerTestingPasses();
  mlir::registerTransformsPasses();
  mlir::registerLinalgPasses();
  mlir::bufferization::registerBufferizationPasses();
  mlir::transform::registerTransformPasses();
}
