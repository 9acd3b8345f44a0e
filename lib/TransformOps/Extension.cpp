//===- Extension.cpp - Registration in the transform dialect
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Dialect/KLineage/KLineage.h"
#include "KLineage/TransformOps/KLineageTransformOps.h"
#include "KLineage/TransformOps/SkillRun.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace klineage;

#include "KLineage/TransformOps/ClauseOpInterface.cpp.inc"

#define GET_OP_CLASSES
#include "KLineage/TransformOps/KLineageTransformOps.cpp.inc"

namespace {
class KLineageTransformExtension
    : public transform::TransformDialectExtension<KLineageTransformExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KLineageTransformExtension)
  using Base::Base;

  void init() {
    declareDependentDialect<KLineageDialect>();
    declareGeneratedDialect<affine::AffineDialect>();
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<gpu::GPUDialect>();
    declareGeneratedDialect<linalg::LinalgDialect>();
    declareGeneratedDialect<math::MathDialect>();
    declareGeneratedDialect<memref::MemRefDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    declareGeneratedDialect<nvgpu::NVGPUDialect>();
    declareGeneratedDialect<vector::VectorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "KLineage/TransformOps/KLineageTransformOps.cpp.inc"
        >();
  }
};
} // namespace

void klineage::registerTransformExtension(DialectRegistry &registry) {
  registry.addExtensions<KLineageTransformExtension>();
}

Attribute klineage::resolveKnobs(Attribute attr, DictionaryAttr knobs) {
  if (auto ref = dyn_cast<FlatSymbolRefAttr>(attr))
    return knobs ? knobs.get(ref.getValue()) : Attribute();
  auto array = dyn_cast<ArrayAttr>(attr);
  if (!array)
    return attr;
  SmallVector<Attribute> values;
  for (Attribute element : array) {
    Attribute value = resolveKnobs(element, knobs);
    if (!value)
      return {};
    values.push_back(value);
  }
  return ArrayAttr::get(attr.getContext(), values);
}
