//===- KernelViews.cpp - Views of memory, down to the memory itself
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace klineage;

/// Space of the memory, or nullopt for one that the model does not know.
static std::optional<MemoryRoot::Space> spaceOf(MemRefType type, Value base) {
  if (base.getDefiningOp<memref::AllocaOp>())
    return MemoryRoot::Space::local;
  if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return MemoryRoot::Space::shared;
  Attribute space = type.getMemorySpace();
  if (!space)
    return MemoryRoot::Space::global;
  if (auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(space)) {
    if (gpuSpace.getValue() == gpu::AddressSpace::Global)
      return MemoryRoot::Space::global;
    if (gpuSpace.getValue() == gpu::AddressSpace::Private)
      return MemoryRoot::Space::local;
  }
  return std::nullopt;
}

/// Name, alignment and promises of a buffer.
static void describe(KernelModel &model, MemoryRoot &root, Value base) {
  if (auto argument = dyn_cast<BlockArgument>(base)) {
    unsigned number = argument.getArgNumber();
    root.name = "%arg" + std::to_string(number);
    gpu::GPUFuncOp kernel = model.kernel;
    Attribute align, noAlias;
    if (number < kernel.getNumArguments()) {
      align = kernel.getArgAttr(number, "llvm.align");
      noAlias = kernel.getArgAttr(number, "llvm.noalias");
    } else if (number - kernel.getNumArguments() <
               kernel.getNumWorkgroupAttributions()) {
      align = kernel.getWorkgroupAttributionAttr(
          number - kernel.getNumArguments(),
          StringAttr::get(kernel.getContext(), "llvm.align"));
    }
    if (auto value = dyn_cast_or_null<IntegerAttr>(align))
      root.alignment = value.getInt();
    root.noAlias = bool(noAlias);
  } else {
    root.name = "buffer" + std::to_string(model.roots.size());
    root.alignment = 16; // of allocas and of the planned arena
    if (auto alloca = base.getDefiningOp<memref::AllocaOp>())
      root.alignment = alloca.getAlignment().value_or(root.elementBytes);
  }
}

/// Elements are compared dimension by dimension: distinct in-bounds indices
/// must be distinct places.
static bool isInjective(ExprArena &arena, const MemoryRoot &root) {
  for (size_t i = 0; i + 1 < root.sizes.size(); ++i) {
    Expr row = arena.mul(root.strides[i + 1], root.sizes[i + 1]);
    auto have = arena.constantOf(root.strides[i]),
         least = arena.constantOf(row);
    if (root.strides[i] != row && !(have && least && *have >= *least))
      return false;
  }
  return root.strides.empty() ||
         arena.constantOf(root.strides.back()).value_or(0) >= 1;
}

std::optional<unsigned> KernelReader::makeRoot(Value memref, Value base) {
  auto type = cast<MemRefType>(memref.getType());
  std::optional<MemoryRoot::Space> space = spaceOf(type, base);
  if (!space || !type.getElementType().isIntOrIndexOrFloat())
    return std::nullopt;
  MemoryRoot root;
  root.base = base;
  root.space = *space;
  unsigned bits = type.getElementType().isIndex()
                      ? 64
                      : type.getElementType().getIntOrFloatBitWidth();
  root.elementBytes = std::max(1u, bits / 8);
  root.alignment = root.elementBytes;
  describe(model, root, base);
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  auto cast = memref.getDefiningOp<memref::ReinterpretCastOp>();
  auto read = [&](OpFoldResult value) {
    if (auto number = getConstantIntValue(value))
      return arena.constant(*number);
    return valueOf(llvm::cast<Value>(value));
  };
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (cast) {
      root.sizes.push_back(read(cast.getMixedSizes()[i]));
      root.strides.push_back(read(cast.getMixedStrides()[i]));
      continue;
    }
    if (type.isDynamicDim(i))
      root.sizes.push_back(arena.var(
          arena.makeVar(root.name + ".dim" + std::to_string(i), VarKind::scalar,
                        {0, (int64_t(1) << 31) - 1})));
    else
      root.sizes.push_back(arena.constant(type.getDimSize(i)));
    root.strides.push_back(0);
  }
  // Dynamic row-major strides follow from the sizes.
  for (int64_t i = type.getRank() - 1, e = i; i >= 0 && !cast; --i) {
    if (!ShapedType::isDynamic(strides[i]))
      root.strides[i] = arena.constant(strides[i]);
    else if (type.getLayout().isIdentity() && i < e)
      root.strides[i] = arena.mul(root.strides[i + 1], root.sizes[i + 1]);
    else
      root.strides[i] = arena.opaque("stride");
  }
  root.injective = isInjective(arena, root);
  model.roots.push_back(std::move(root));
  return model.roots.size() - 1;
}

std::optional<unsigned> KernelReader::rootOf(Value memref) {
  if (auto it = rootIds.find(memref); it != rootIds.end())
    return it->second;
  Value base = memref;
  if (auto cast = memref.getDefiningOp<memref::ReinterpretCastOp>()) {
    base = cast.getSource();
    auto type = llvm::cast<MemRefType>(base.getType());
    auto offset = getConstantIntValue(cast.getMixedOffsets()[0]);
    if (!isa<BlockArgument>(base) || type.getRank() != 0 || !offset ||
        *offset != 0)
      return std::nullopt;
    // Two shapes of one argument: elements could not be compared.
    for (const MemoryRoot &root : model.roots)
      if (root.base == base)
        return std::nullopt;
  } else if (auto view = memref.getDefiningOp<memref::ViewOp>()) {
    auto shift = getConstantIntValue(view.getByteShift());
    if (!shift || *shift % 16 ||
        !view.getSource().getDefiningOp<gpu::DynamicSharedMemoryOp>() ||
        !view.getType().hasStaticShape())
      return std::nullopt;
    int64_t bytes = view.getType().getNumElements() *
                    ((view.getType().getElementTypeBitWidth() + 7) / 8);
    for (auto &[other, id] : rootIds)
      if (auto that = other.getDefiningOp<memref::ViewOp>()) {
        int64_t start = *getConstantIntValue(that.getByteShift());
        int64_t size = that.getType().getNumElements() *
                       ((that.getType().getElementTypeBitWidth() + 7) / 8);
        if (start < *shift + bytes && *shift < start + size)
          return std::nullopt;
      }
  } else if (!isa<BlockArgument>(memref) &&
             !memref.getDefiningOp<memref::AllocaOp>()) {
    return std::nullopt;
  } else if (auto argument = dyn_cast<BlockArgument>(memref)) {
    if (argument.getOwner()->getParentOp() != model.kernel.getOperation())
      return std::nullopt;
  }
  std::optional<unsigned> id = makeRoot(memref, base);
  if (id)
    rootIds[memref] = *id;
  return id;
}

Expr KernelReader::sizeOf(Value memref, int64_t dim) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || dim < 0 || dim >= type.getRank())
    return arena.opaque("extent");
  if (!type.isDynamicDim(dim))
    return arena.constant(type.getDimSize(dim));
  if (auto subview = memref.getDefiningOp<memref::SubViewOp>()) {
    llvm::SmallBitVector dropped = subview.getDroppedDims();
    int64_t kept = 0;
    for (int64_t i = 0, e = subview.getSourceType().getRank(); i < e; ++i)
      if (!dropped.test(i) && kept++ == dim) {
        OpFoldResult size = subview.getMixedSizes()[i];
        if (auto number = getConstantIntValue(size))
          return arena.constant(*number);
        return valueOf(cast<Value>(size));
      }
  }
  if (auto root = rootOf(memref))
    return model.roots[*root].sizes[dim];
  return arena.opaque("extent");
}

std::optional<unsigned> KernelReader::resolve(Value memref,
                                              SmallVectorImpl<Expr> &index) {
  while (true) {
    Operation *op = memref.getDefiningOp();
    if (auto cast = dyn_cast_or_null<memref::CastOp>(op)) {
      memref = cast.getSource();
    } else if (auto assume = dyn_cast_or_null<memref::AssumeAlignmentOp>(op)) {
      memref = assume.getMemref();
    } else if (auto subview = dyn_cast_or_null<memref::SubViewOp>(op)) {
      llvm::SmallBitVector dropped = subview.getDroppedDims();
      SmallVector<Expr> source;
      auto read = [&](OpFoldResult value) {
        if (auto number = getConstantIntValue(value))
          return arena.constant(*number);
        return valueOf(llvm::cast<Value>(value));
      };
      unsigned next = 0;
      for (int64_t i = 0, e = subview.getSourceType().getRank(); i < e; ++i) {
        Expr at = read(subview.getMixedOffsets()[i]);
        if (!dropped.test(i))
          at = arena.add(
              at, arena.mul(index[next++], read(subview.getMixedStrides()[i])));
        source.push_back(at);
      }
      index.assign(source);
      memref = subview.getSource();
    } else if (auto expand = dyn_cast_or_null<memref::ExpandShapeOp>(op)) {
      SmallVector<Expr> source;
      for (auto group : expand.getReassociationIndices()) {
        Expr at = arena.constant(0);
        for (auto [n, dim] : llvm::enumerate(group)) {
          int64_t size = expand.getResultType().getDimSize(dim);
          if (n > 0 && ShapedType::isDynamic(size))
            return std::nullopt;
          at = n ? arena.add(arena.scale(at, size), index[dim]) : index[dim];
        }
        source.push_back(at);
      }
      index.assign(source);
      memref = expand.getSrc();
    } else if (auto collapse = dyn_cast_or_null<memref::CollapseShapeOp>(op)) {
      SmallVector<Expr> source(collapse.getSrcType().getRank(), 0);
      for (auto [n, group] :
           llvm::enumerate(collapse.getReassociationIndices())) {
        Expr at = index[n];
        for (size_t i = group.size(); i-- > 0;) {
          int64_t size = collapse.getSrcType().getDimSize(group[i]);
          if (i > 0 && (ShapedType::isDynamic(size) || size == 0))
            return std::nullopt;
          source[group[i]] = i ? arena.mod(at, size) : at;
          if (i)
            at = arena.floorDiv(at, size);
        }
      }
      index.assign(source);
      memref = collapse.getSrc();
    } else {
      return rootOf(memref);
    }
  }
}
