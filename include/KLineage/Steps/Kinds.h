//===- Kinds.h - One factory for each step kind
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_STEPS_KINDS_H
#define KLINEAGE_STEPS_KINDS_H

#include "KLineage/Steps/StepKind.h"
#include <memory>

namespace klineage {

// Alphabetical. Documentation of each kind: docs/steps/<kind>.md.
std::unique_ptr<StepKind> createAsyncCopy();
std::unique_ptr<StepKind> createBlockRowReduction();
std::unique_ptr<StepKind> createDistributeToThreads();
std::unique_ptr<StepKind> createFastMath();
std::unique_ptr<StepKind> createFuseProducer();
std::unique_ptr<StepKind> createPadShared();
std::unique_ptr<StepKind> createPromoteShared();
std::unique_ptr<StepKind> createRegisterTile();
std::unique_ptr<StepKind> createRemoveBarrier();
std::unique_ptr<StepKind> createSplitReduction();
std::unique_ptr<StepKind> createStripMineReduction();
std::unique_ptr<StepKind> createSwizzleShared();
std::unique_ptr<StepKind> createTileToBlocks();
std::unique_ptr<StepKind> createUnroll();
std::unique_ptr<StepKind> createVectorizeAccess();

} // namespace klineage

#endif // KLINEAGE_STEPS_KINDS_H
