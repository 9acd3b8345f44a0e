//===- Traffic.cpp - An estimate of what a state costs, without running it
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Traffic.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace klineage;

static constexpr int64_t kDynamicExtent = 1024;
static constexpr int64_t kWarp = 32;

static double extentOf(int64_t extent) {
  return ShapedType::isDynamic(extent) ? kDynamicExtent : double(extent);
}

static double bytesOf(MemRefType type) {
  double bytes = type.getElementType().isIntOrFloat()
                     ? (type.getElementTypeBitWidth() + 7) / 8
                     : 8;
  for (int64_t extent : type.getShape())
    bytes *= extentOf(extent);
  return bytes;
}

/// Buffers in device memory that `root` uses and did not make itself.
static llvm::SetVector<Value> buffersOf(Operation *root) {
  llvm::SetVector<Value> buffers;
  root->walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<MemRefType>(operand.getType());
      if (!type || type.getMemorySpace())
        continue;
      Value base = baseOf(operand);
      Operation *maker = base.getDefiningOp();
      if (isa<MemRefType>(base.getType()) &&
          !(maker && root->isProperAncestor(maker)) && !isa<memref::DimOp>(op))
        buffers.insert(base);
    }
  });
  return buffers;
}

/// A linalg operation as a naive kernel: a warp of neighbouring points fetches
/// an operand once, the next warp fetches it again.
static double naiveBytes(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  double points = 1;
  for (int64_t range : ranges)
    points *= extentOf(range);
  double bytes = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      continue;
    double once = bytesOf(type), elements = 1;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [loop, range] : llvm::enumerate(ranges))
      if (map.isFunctionOfDim(loop))
        elements *= extentOf(range);
    bytes += op.isDpsInit(&operand)
                 ? once
                 : once * std::max(1.0, points / elements / kWarp);
  }
  return bytes;
}

static bool overBlocks(scf::ForallOp loop) {
  std::optional<ArrayAttr> mapping = loop.getMapping();
  return mapping &&
         llvm::any_of(*mapping, llvm::IsaPred<gpu::GPUBlockMappingAttr>);
}

/// The old code that a guard keeps for what the new one does not take.
static bool isFallback(Operation *op) {
  auto guard = dyn_cast<scf::IfOp>(op->getParentOp());
  return guard && op->getParentRegion() == &guard.getElseRegion();
}

Traffic klineage::estimateTraffic(func::FuncOp entry) {
  Traffic traffic;
  entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isFallback(op))
      return WalkResult::skip();
    auto loop = dyn_cast<scf::ForallOp>(op);
    if (isa<gpu::LaunchFuncOp>(op) || (loop && overBlocks(loop))) {
      ++traffic.launches;
      for (Value buffer : buffersOf(op))
        traffic.bytes += bytesOf(cast<MemRefType>(buffer.getType()));
      return WalkResult::skip();
    }
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      ++traffic.launches;
      traffic.bytes += naiveBytes(linalgOp);
      return WalkResult::skip();
    }
    return WalkResult::advance();
  });
  return traffic;
}
