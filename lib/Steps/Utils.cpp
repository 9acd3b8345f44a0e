//===- Utils.cpp - Shared by step kinds
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Steps/Utils.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace klineage;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

int64_t klineage::intParam(DictionaryAttr params, StringRef name,
                           int64_t whenAbsent) {
  auto value = params.getAs<IntegerAttr>(name);
  return value ? value.getInt() : whenAbsent;
}

SmallVector<int64_t> klineage::intArrayParam(DictionaryAttr params,
                                             StringRef name) {
  SmallVector<int64_t> values;
  if (auto array = params.getAs<ArrayAttr>(name)) {
    for (Attribute element : array)
      if (auto value = dyn_cast<IntegerAttr>(element))
        values.push_back(value.getInt());
  } else if (auto dense = params.getAs<DenseI64ArrayAttr>(name)) {
    llvm::append_range(values, dense.asArrayRef());
  }
  return values;
}

Attribute klineage::intArrayAttr(MLIRContext *context,
                                 ArrayRef<int64_t> values) {
  return Builder(context).getI64ArrayAttr(values);
}

FailureOr<linalg::LinalgOp>
klineage::verifyLinalgTarget(ArrayRef<Operation *> targets, StringRef kind) {
  if (targets.size() != 1)
    return targets.front()->emitError()
           << kind << " takes one target, got " << targets.size();
  auto op = dyn_cast<linalg::LinalgOp>(targets.front());
  if (!op || !op.hasPureBufferSemantics())
    return targets.front()->emitError()
           << kind << " takes a linalg operation on buffers";
  return op;
}

LogicalResult klineage::verifyRange(Operation *op, DictionaryAttr params,
                                    StringRef name, int64_t low, int64_t high) {
  Attribute attr = params.get(name);
  SmallVector<int64_t> values = intArrayParam(params, name);
  if (auto value = dyn_cast_or_null<IntegerAttr>(attr))
    values.push_back(value.getInt());
  if (values.empty())
    return op->emitError() << "parameter '" << name << "' is missing";
  for (int64_t value : values)
    if (value < low || value > high)
      return op->emitError() << "parameter '" << name << "' is " << value
                             << ", expected " << low << " to " << high;
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> klineage::loopExtents(OpBuilder &b,
                                                linalg::LinalgOp op) {
  SmallVector<OpFoldResult> extents;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [loop, range] : llvm::enumerate(ranges)) {
    if (!ShapedType::isDynamic(range)) {
      extents.push_back(b.getIndexAttr(range));
      continue;
    }
    OpFoldResult extent;
    for (OpOperand &operand : op->getOpOperands()) {
      auto results = op.getMatchingIndexingMap(&operand).getResults();
      auto it = llvm::find(results, getAffineDimExpr(loop, b.getContext()));
      if (extent || it == results.end())
        continue;
      extent = memref::getMixedSize(b, op.getLoc(), operand.get(),
                                    it - results.begin());
    }
    extents.push_back(extent);
  }
  return extents;
}

OpFoldResult klineage::boundedSize(OpBuilder &b, Location loc, int64_t tile,
                                   OpFoldResult extent, OpFoldResult offset,
                                   bool divides) {
  if (divides)
    return b.getIndexAttr(tile);
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  AffineMap map = AffineMap::get(
      2, 0, {getAffineConstantExpr(tile, b.getContext()), d0 - d1},
      b.getContext());
  return affine::makeComposedFoldedAffineMin(b, loc, map, {extent, offset});
}

OpFoldResult klineage::tileSize(OpBuilder &b, Location loc, int64_t tile,
                                int64_t range, OpFoldResult extent,
                                OpFoldResult iv) {
  bool isStatic = !ShapedType::isDynamic(range);
  if (isStatic && range > 0 && range <= tile)
    return b.getIndexAttr(range);
  return boundedSize(b, loc, tile, extent, iv, isStatic && range % tile == 0);
}

linalg::LinalgOp
klineage::cloneOnTile(OpBuilder &b, linalg::LinalgOp op,
                      ArrayRef<std::optional<LoopTile>> tiles) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<OpFoldResult> offsets, sizes;
    bool touched = false;
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      const auto &tile = tiles[cast<AffineDimExpr>(expr).getPosition()];
      touched |= tile.has_value();
      offsets.push_back(tile ? tile->offset : OpFoldResult(b.getIndexAttr(0)));
      sizes.push_back(
          tile ? tile->size
               : memref::getMixedSize(b, op.getLoc(), operand.get(), position));
    }
    if (!touched) {
      operands.push_back(operand.get());
      continue;
    }
    SmallVector<OpFoldResult> strides(offsets.size(), b.getIndexAttr(1));
    operands.push_back(memref::SubViewOp::create(b, op.getLoc(), operand.get(),
                                                 offsets, sizes, strides));
  }
  return cast<linalg::LinalgOp>(mlir::clone(b, op, TypeRange(), operands));
}

/// One element along every tiled loop: a tile of it is all of it.
static bool isSingleAlong(Value operand, AffineMap map,
                          const llvm::SmallBitVector &tiled) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  return type && llvm::all_of(llvm::enumerate(map.getResults()), [&](auto it) {
           auto dim = cast<AffineDimExpr>(it.value());
           return !tiled.test(dim.getPosition()) ||
                  type.getDimSize(it.index()) == 1;
         });
}

linalg::LinalgOp klineage::cloneUntiled(OpBuilder &b, linalg::LinalgOp op,
                                        const llvm::SmallBitVector &tiled,
                                        Operation *scope) {
  auto isOwn = [&](Operation *view) {
    return view && (!scope || scope->isProperAncestor(view));
  };
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool touched = llvm::any_of(map.getResults(), [&](AffineExpr expr) {
      return tiled.test(cast<AffineDimExpr>(expr).getPosition());
    });
    Value value = operand.get();
    // Static sizes reach an operand through a cast of a dynamic view.
    if (touched && isOwn(value.getDefiningOp<memref::CastOp>()))
      value = value.getDefiningOp<memref::CastOp>().getSource();
    auto view = value.getDefiningOp<memref::SubViewOp>();
    bool whole = scope && !isOwn(view) && isSingleAlong(value, map, tiled);
    if (touched && !whole && !isOwn(view))
      return {};
    operands.push_back(!touched ? operand.get()
                       : whole  ? value
                                : view.getSource());
  }
  return cast<linalg::LinalgOp>(mlir::clone(b, op, TypeRange(), operands));
}

std::optional<int64_t> klineage::staticUpperBound(OpFoldResult value) {
  if (auto constant = getConstantIntValue(value))
    return constant;
  auto v = dyn_cast<Value>(value);
  if (!v)
    return std::nullopt;
  if (auto min = v.getDefiningOp<affine::AffineMinOp>()) {
    std::optional<int64_t> bound;
    for (AffineExpr expr : min.getMap().getResults())
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        bound =
            std::min(bound.value_or(constant.getValue()), constant.getValue());
    return bound;
  }
  if (auto max = v.getDefiningOp<affine::AffineMaxOp>()) {
    std::optional<int64_t> bound;
    AffineMap map = max.getMap();
    for (AffineExpr expr : map.getResults()) {
      std::optional<int64_t> one;
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        one = constant.getValue();
      else if (auto dim = dyn_cast<AffineDimExpr>(expr))
        one = staticUpperBound(max.getOperand(dim.getPosition()));
      else if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
        one = staticUpperBound(
            max.getOperand(map.getNumDims() + symbol.getPosition()));
      if (!one)
        return std::nullopt;
      bound = std::max(bound.value_or(*one), *one);
    }
    return bound;
  }
  return std::nullopt;
}

SmallVector<int64_t> klineage::boundedShape(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.hasStaticShape())
    return SmallVector<int64_t>(type.getShape());
  auto view = buffer.getDefiningOp<memref::SubViewOp>();
  if (!view || view.getType().getRank() != view.getSourceType().getRank())
    return {};
  SmallVector<int64_t> shape;
  for (OpFoldResult size : view.getMixedSizes()) {
    std::optional<int64_t> bound = staticUpperBound(size);
    if (!bound)
      return {};
    shape.push_back(*bound);
  }
  return shape;
}

std::optional<SmallVector<int64_t>> klineage::sizeSources(Value buffer) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  if (!alloc || !alloc.getSymbolOperands().empty())
    return std::nullopt;
  SmallVector<int64_t> sources;
  for (Value size : alloc.getDynamicSizes()) {
    auto dim = size.getDefiningOp<memref::DimOp>();
    auto arg = dim ? dyn_cast<BlockArgument>(dim.getSource()) : BlockArgument();
    std::optional<int64_t> index =
        dim ? dim.getConstantIndex() : std::optional<int64_t>();
    if (!arg || !index)
      return std::nullopt;
    sources.push_back(arg.getArgNumber());
    sources.push_back(*index);
  }
  return sources;
}

ClauseResult klineage::simpleMaps(linalg::LinalgOp op) {
  bool maps = llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return map.isProjectedPermutation();
  });
  bool index = op.hasIndexSemantics();
  return formClause(op.getLoc(), "simple_maps", ClauseClass::layout,
                    maps && !index,
                    "operands indexed by distinct loops, and no linalg.index",
                    !maps   ? "an indexing map of another form"
                    : index ? "linalg.index in the body"
                            : "such maps");
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

template <typename MappingAttr> static bool isMappedLoop(Operation *op) {
  auto loop = dyn_cast_or_null<scf::ForallOp>(op);
  return loop && loop.getMapping() && !loop.getMapping()->empty() &&
         llvm::all_of(*loop.getMapping(), llvm::IsaPred<MappingAttr>);
}

bool klineage::isBlockLoop(Operation *op) {
  return isMappedLoop<gpu::GPUBlockMappingAttr>(op);
}

bool klineage::isThreadLoop(Operation *op) {
  return isMappedLoop<gpu::GPUThreadMappingAttr>(op);
}

scf::ForallOp klineage::threadLoopOf(scf::ForallOp blockLoop) {
  for (auto loop : blockLoop.getBody()->getOps<scf::ForallOp>())
    if (isThreadLoop(loop))
      return loop;
  return {};
}

scf::ForallOp klineage::enclosingBlockLoop(Operation *op) {
  auto loop = op->getParentOfType<scf::ForallOp>();
  while (loop && !isBlockLoop(loop))
    loop = loop->getParentOfType<scf::ForallOp>();
  return loop;
}

scf::ForallOp klineage::enclosingThreadLoop(Operation *op) {
  auto loop = op->getParentOfType<scf::ForallOp>();
  return loop && isThreadLoop(loop) ? loop : scf::ForallOp();
}

int64_t klineage::threadCount(scf::ForallOp threadLoop) {
  int64_t count = 1;
  for (int64_t extent : threadLoop.getStaticUpperBound())
    count *= ShapedType::isDynamic(extent) ? 1 : extent;
  return count;
}

bool klineage::isWorkgroup(Type memref) {
  auto type = dyn_cast<MemRefType>(memref);
  return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

bool klineage::isPrivate(Type memref) {
  auto type = dyn_cast<MemRefType>(memref);
  auto space =
      type ? dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace())
           : gpu::AddressSpaceAttr();
  return space && space.getValue() == gpu::AddressSpace::Private;
}

MemRefType klineage::withSpace(MemRefType type, ArrayRef<int64_t> shape,
                               gpu::AddressSpace space) {
  return MemRefType::get(shape, type.getElementType(), AffineMap(),
                         gpu::AddressSpaceAttr::get(type.getContext(), space));
}

bool klineage::isOldCode(Operation *op) {
  for (auto guard = op->getParentOfType<scf::IfOp>(); guard;
       guard = guard->getParentOfType<scf::IfOp>())
    if (guard->hasAttr(kGuardAttr) &&
        guard.getElseRegion().findAncestorBlockInRegion(*op->getBlock()))
      return true;
  return false;
}

linalg::LinalgOp klineage::onlyLinalgOpIn(Operation *op) {
  linalg::LinalgOp found;
  bool several = false;
  op->walk([&](linalg::LinalgOp nested) {
    several |= bool(found);
    found = nested;
  });
  return several ? linalg::LinalgOp() : found;
}

ClauseResult klineage::inHostForm(Operation *op) {
  bool holds = isa<func::FuncOp>(op->getParentOp());
  return formClause(op->getLoc(), "host_form", ClauseClass::types, holds,
                    "an operation directly in the entry function",
                    holds ? "such an operation"
                          : "one inside " +
                                op->getParentOp()->getName().getStringRef());
}

ClauseResult klineage::inSimtForm(Operation *op, bool orKernel) {
  bool holds = op->getParentOfType<gpu::GPUFuncOp>() && orKernel;
  for (Operation *parent = op->getParentOp(); parent && !holds;
       parent = parent->getParentOp())
    holds = isThreadLoop(parent);
  return formClause(op->getLoc(), "simt_form", ClauseClass::types, holds,
                    "an operation that threads of a block execute",
                    holds ? "such an operation" : "no thread loop around it");
}
