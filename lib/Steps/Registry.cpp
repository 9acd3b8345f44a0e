//===- Registry.cpp - The closed set of step kinds
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Steps/Kinds.h"
#include "KLineage/Steps/StepKind.h"

using namespace klineage;

namespace {
/// Built once; every kind is stateless.
struct Registry {
  std::vector<std::unique_ptr<StepKind>> owned;
  std::vector<const StepKind *> kinds;

  Registry() {
    using Factory = std::unique_ptr<StepKind> (*)();
    const Factory factories[] = {
        createAsyncCopy,           createBlockRowReduction,
        createDistributeToThreads, createFastMath,
        createFuseProducer,        createPadShared,
        createPromoteShared,       createRegisterTile,
        createRemoveBarrier,       createSplitReduction,
        createStripMineReduction,  createSwizzleShared,
        createTileToBlocks,        createUnroll,
        createVectorizeAccess,
    };
    for (Factory factory : factories) {
      owned.push_back(factory());
      kinds.push_back(owned.back().get());
    }
  }
};
} // namespace

static const Registry &registry() {
  static const Registry instance;
  return instance;
}

llvm::ArrayRef<const StepKind *> klineage::allStepKinds() {
  return registry().kinds;
}

const StepKind *klineage::lookupStepKind(llvm::StringRef name) {
  for (const StepKind *kind : allStepKinds())
    if (kind->getName() == name)
      return kind;
  return nullptr;
}
