//===- Outline.cpp - Kernels out of block loops, with a fixed parameter
// convention
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "Lowering.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include <numeric>

using namespace mlir;
using namespace klineage;

namespace {
/// What a kernel needs from the host: buffers and scalars as parameters,
/// computations without side effects again inside.
struct Captures {
  llvm::SetVector<Value> buffers, scalars;
  llvm::SetVector<Operation *> sunk; ///< in an order that respects uses

  LogicalResult add(Value value, Operation *inside) {
    if (buffers.contains(value) || scalars.contains(value))
      return success();
    Operation *def = value.getDefiningOp();
    bool buffer = isa<MemRefType>(value.getType());
    if (!def || isa<memref::AllocOp>(def)) {
      (buffer ? buffers : scalars).insert(value);
      return success();
    }
    if (def->getNumRegions() == 0 && isMemoryEffectFree(def)) {
      for (Value operand : def->getOperands())
        if (failed(add(operand, inside)))
          return failure();
      sunk.insert(def);
      return success();
    }
    if (!buffer && value.getType().isIntOrIndexOrFloat() &&
        !isa<memref::LoadOp>(def)) {
      scalars.insert(value);
      return success();
    }
    return def->emitError("computes on the host what a kernel needs from "
                          "device memory");
  }
};

LogicalResult collect(Operation *region, Captures &captures) {
  WalkResult result = region->walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      Operation *owner = operand.getDefiningOp();
      if (!owner)
        owner = operand.getParentBlock()->getParentOp();
      if (region->isAncestor(owner))
        continue;
      if (failed(captures.add(operand, region)))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Entry arguments first, in order, then temporaries.
SmallVector<Value> ordered(const llvm::SetVector<Value> &values) {
  SmallVector<Value> arguments, temporaries;
  for (Value value : values)
    (isa<BlockArgument>(value) ? arguments : temporaries).push_back(value);
  llvm::sort(arguments, [](Value a, Value b) {
    return cast<BlockArgument>(a).getArgNumber() <
           cast<BlockArgument>(b).getArgNumber();
  });
  arguments.append(temporaries);
  return arguments;
}

/// The pointer of a buffer as a memref of rank 0: that is what a bare pointer
/// is.
Value barePointer(OpBuilder &b, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() == 0)
    return buffer;
  return memref::ReinterpretCastOp::create(
      b, buffer.getLoc(),
      MemRefType::get({}, type.getElementType(), MemRefLayoutAttrInterface(),
                      type.getMemorySpace()),
      buffer, b.getIndexAttr(0), ArrayRef<OpFoldResult>(),
      ArrayRef<OpFoldResult>());
}

/// The contiguous buffer of `type` at `pointer`, with `sizes` for the dynamic
/// dimensions.
Value rebuild(OpBuilder &b, Location loc, MemRefType type, Value pointer,
              ValueRange sizes) {
  if (type.getRank() == 0)
    return pointer;
  SmallVector<OpFoldResult> shape, strides(type.getRank());
  size_t next = 0;
  for (int64_t extent : type.getShape())
    shape.push_back(ShapedType::isDynamic(extent)
                        ? OpFoldResult(sizes[next++])
                        : OpFoldResult(b.getIndexAttr(extent)));
  OpFoldResult stride = b.getIndexAttr(1);
  AffineExpr product = getAffineSymbolExpr(0, b.getContext()) *
                       getAffineSymbolExpr(1, b.getContext());
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    strides[dim] = stride;
    if (dim > 0)
      stride = affine::makeComposedFoldedAffineApply(
          b, loc, AffineMap::get(0, 2, product), {stride, shape[dim]});
  }
  Value made = memref::ReinterpretCastOp::create(
      b, loc, pointer, b.getIndexAttr(0), shape, strides);
  if (made.getType() != type)
    made = memref::CastOp::create(b, loc, type, made);
  return made;
}

/// Values that a launch passes for `buffer`: pointer, then dynamic sizes.
void passBuffer(OpBuilder &b, Value buffer, SmallVectorImpl<Value> &pointers,
                SmallVectorImpl<Value> &sizes) {
  pointers.push_back(barePointer(b, buffer));
  auto type = cast<MemRefType>(buffer.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(b, buffer.getLoc(), buffer, dim));
}

/// What every launch of a kernel passes for one of its pointer parameters.
struct ParameterFacts {
  int64_t alignment = 0;
  bool written = false;
  bool distinct = true; ///< shares no byte with another buffer of a launch

  void add(Value buffer, ValueRange operands) {
    alignment = std::gcd(alignment, knownAlignment(buffer));
    // Each operand counts once: a launch may pass one buffer several times.
    bool self = false;
    for (Value other : operands) {
      if (isa<MemRefType>(other.getType()) &&
          (other != buffer || std::exchange(self, true)))
        distinct &= provablyDistinct(buffer, other);
    }
    distinct &= ownsItsMemory(buffer);
  }
};

/// Alignment and aliasing facts of a pointer parameter.
void annotateParameter(gpu::GPUFuncOp kernel, unsigned index,
                       const ParameterFacts &facts) {
  Builder b(kernel.getContext());
  kernel.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                    b.getI64IntegerAttr(facts.alignment));
  // Without a write that may reach it, it aliases nothing that is written,
  // which is all that noalias says; with readonly it makes loads `.nc`.
  if (facts.distinct || !facts.written)
    kernel.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(),
                      b.getUnitAttr());
  if (!facts.written)
    kernel.setArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName(),
                      b.getUnitAttr());
}

/// Index computations and memory of a mapped loop, for one thread.
Value hardwareId(OpBuilder &b, Location loc, Attribute mapping) {
  auto attr = cast<DeviceMappingAttrInterface>(mapping);
  auto dim = static_cast<gpu::Dimension>(attr.getMappingId());
  if (isa<gpu::GPUBlockMappingAttr>(mapping))
    return gpu::BlockIdOp::create(b, loc, dim);
  return gpu::ThreadIdOp::create(b, loc, dim);
}

/// Moves the body of a mapped loop to the insertion point; induction variables
/// become lower bound + id * step.
void inlineMappedLoop(OpBuilder &b, scf::ForallOp loop) {
  Location loc = loop.getLoc();
  SmallVector<OpFoldResult> lower = loop.getMixedLowerBound();
  SmallVector<OpFoldResult> steps = loop.getMixedStep();
  for (auto [index, iv] : llvm::enumerate(loop.getInductionVars())) {
    Value id = hardwareId(b, loc, (*loop.getMapping())[index]);
    AffineExpr expr = b.getAffineDimExpr(0) * b.getAffineSymbolExpr(0) +
                      b.getAffineSymbolExpr(1);
    OpFoldResult value = affine::makeComposedFoldedAffineApply(
        b, loc, AffineMap::get(1, 2, expr),
        {OpFoldResult(id), steps[index], lower[index]});
    iv.replaceAllUsesWith(getValueOrCreateConstantIndexOp(b, loc, value));
  }
  Block *into = b.getInsertionBlock();
  auto position = b.getInsertionPoint();
  Block *body = loop.getBody();
  Operation *terminator = body->getTerminator();
  into->getOperations().splice(position, body->getOperations(), body->begin(),
                               terminator->getIterator());
}

/// Launch extents along x, y, z.
gpu::KernelDim3 launchDims(OpBuilder &b, Location loc, scf::ForallOp loop) {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> dims(3, one);
  if (loop) {
    SmallVector<OpFoldResult> lower = loop.getMixedLowerBound(),
                              upper = loop.getMixedUpperBound(),
                              steps = loop.getMixedStep();
    AffineExpr trip = (b.getAffineSymbolExpr(1) - b.getAffineSymbolExpr(0))
                          .ceilDiv(b.getAffineSymbolExpr(2));
    for (auto [index, mapping] : llvm::enumerate(*loop.getMapping())) {
      int64_t dim = cast<DeviceMappingAttrInterface>(mapping).getMappingId();
      dims[dim] = getValueOrCreateConstantIndexOp(
          b, loc,
          affine::makeComposedFoldedAffineApply(
              b, loc, AffineMap::get(0, 3, trip),
              {lower[index], upper[index], steps[index]}));
    }
  }
  return {dims[0], dims[1], dims[2]};
}

/// Block extents, which are constants; x fastest.
SmallVector<int32_t> blockSize(scf::ForallOp threads) {
  SmallVector<int32_t> size(3, 1);
  if (threads)
    for (auto [index, mapping] : llvm::enumerate(*threads.getMapping()))
      size[cast<DeviceMappingAttrInterface>(mapping).getMappingId()] =
          threads.getStaticUpperBound()[index];
  return size;
}

template <typename Attr> bool mapsTo(scf::ForallOp loop) {
  return loop.getMapping() && !loop.getMapping()->empty() &&
         llvm::all_of(*loop.getMapping(), llvm::IsaPred<Attr>);
}

LogicalResult outline(scf::ForallOp loop, gpu::GPUModuleOp module,
                      StringRef name) {
  Location loc = loop.getLoc();
  scf::ForallOp threads;
  for (auto nested : loop.getBody()->getOps<scf::ForallOp>())
    if (mapsTo<gpu::GPUThreadMappingAttr>(nested))
      threads = nested;
  if (threads &&
      llvm::any_of(threads.getStaticUpperBound(), ShapedType::isDynamic))
    return threads.emitError("the number of threads of a block is a constant");
  Captures captures;
  if (failed(collect(loop, captures)))
    return failure();

  OpBuilder b(loop);
  SmallVector<Value> buffers = ordered(captures.buffers);
  SmallVector<Value> scalars = ordered(captures.scalars);
  SmallVector<Value> pointers, sizes;
  SmallVector<ParameterFacts> facts(buffers.size());
  for (auto [buffer, fact] : llvm::zip(buffers, facts)) {
    fact.add(buffer, buffers);
    fact.written = bool(findWriter(loop, buffer));
    passBuffer(b, buffer, pointers, sizes);
  }
  SmallVector<Value> operands(pointers);
  llvm::append_range(operands, sizes);
  llvm::append_range(operands, scalars);
  gpu::KernelDim3 grid = launchDims(b, loc, loop);
  SmallVector<int32_t> size = blockSize(threads);
  auto extent = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  gpu::KernelDim3 block{extent(size[0]), extent(size[1]), extent(size[2])};

  OpBuilder inside = OpBuilder::atBlockEnd(module.getBody());
  auto kernel = gpu::GPUFuncOp::create(
      inside, loc, name,
      inside.getFunctionType(ValueRange(operands).getTypes(), {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  inside.getUnitAttr());
  kernel.setKnownBlockSizeAttr(inside.getDenseI32ArrayAttr(size));
  if (auto blocks =
          loop->getAttrOfType<IntegerAttr>("klineage.min_blocks_per_sm"))
    kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    inside.getI32IntegerAttr(blocks.getInt()));
  if (auto registers =
          loop->getAttrOfType<IntegerAttr>("klineage.max_registers"))
    kernel->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                    inside.getI32IntegerAttr(registers.getInt()));
  for (auto [index, fact] : llvm::enumerate(facts))
    annotateParameter(kernel, index, fact);

  Block &body = kernel.getBody().front();
  inside.setInsertionPointToStart(&body);
  IRMapping mapping;
  size_t next = buffers.size();
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    auto type = cast<MemRefType>(buffer.getType());
    size_t count = type.getNumDynamicDims();
    mapping.map(buffer, rebuild(inside, loc, type, body.getArgument(index),
                                body.getArguments().slice(next, count)));
    next += count;
  }
  for (Value scalar : scalars)
    mapping.map(scalar, body.getArgument(next++));
  for (Operation *op : captures.sunk)
    inside.clone(*op, mapping);
  auto copy = cast<scf::ForallOp>(inside.clone(*loop, mapping));
  gpu::ReturnOp::create(inside, loc);
  inside.setInsertionPoint(copy);
  inlineMappedLoop(inside, copy);
  copy.erase();
  SmallVector<scf::ForallOp> nested;
  kernel.walk([&](scf::ForallOp op) { nested.push_back(op); });
  for (scf::ForallOp op : nested) {
    if (!mapsTo<gpu::GPUThreadMappingAttr>(op))
      return op.emitError("is neither a block loop nor a thread loop");
    inside.setInsertionPoint(op);
    inlineMappedLoop(inside, op);
    op.erase();
  }
  b.setInsertionPoint(loop);
  gpu::LaunchFuncOp::create(
      b, loc,
      SymbolRefAttr::get(b.getContext(), module.getSymName(),
                         {FlatSymbolRefAttr::get(kernel)}),
      grid, block, /*dynamicSharedMemorySize=*/Value(), operands);
  loop.erase();
  return success();
}

} // namespace

LogicalResult klineage::outlineBlockLoops(func::FuncOp entry,
                                          gpu::GPUModuleOp kernels) {
  SmallVector<scf::ForallOp> loops;
  WalkResult result = entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto loop = dyn_cast<scf::ForallOp>(op);
    if (!loop)
      return WalkResult::advance();
    if (!mapsTo<gpu::GPUBlockMappingAttr>(loop)) {
      loop.emitError("a parallel loop of the entry maps to blocks");
      return WalkResult::interrupt();
    }
    loops.push_back(loop);
    return WalkResult::skip();
  });
  if (result.wasInterrupted())
    return failure();
  for (auto [index, loop] : llvm::enumerate(loops)) {
    std::string name = (entry.getSymName() + "_k" + Twine(index)).str();
    if (failed(outline(loop, kernels, name)))
      return failure();
  }
  return success();
}

/// A kernel that takes bare pointers and scalars has the convention already;
/// the order of its parameters is its own, as others may launch it.
static bool isBare(gpu::LaunchFuncOp launch) {
  return llvm::all_of(launch.getKernelOperands(), [](Value operand) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    return !type || (type.getRank() == 0 && type.getLayout().isIdentity());
  });
}

/// What is true of a bare parameter because nothing in the kernel writes it.
static void annotateBare(gpu::GPUFuncOp kernel) {
  Builder b(kernel.getContext());
  unsigned parameters = kernel.getNumArguments();
  for (unsigned index = 0; index < parameters; ++index) {
    BlockArgument arg = kernel.getArgument(index);
    if (!isa<MemRefType>(arg.getType()) || findWriter(kernel, arg))
      continue;
    for (StringRef name : {LLVM::LLVMDialect::getReadonlyAttrName(),
                           LLVM::LLVMDialect::getNoAliasAttrName()})
      kernel.setArgAttr(index, name, b.getUnitAttr());
  }
}

/// Gives a kernel the parameters `operands` (bare pointers, then sizes, then
/// scalars) instead of those that `launch` passes, and rebuilds these inside.
static void changeParameters(gpu::GPUFuncOp kernel,
                             ArrayRef<gpu::LaunchFuncOp> launches,
                             ValueRange operands, size_t pointers,
                             size_t sizes) {
  SmallVector<ParameterFacts> facts;
  Block &body = kernel.getBody().front();
  unsigned parameters = kernel.getNumArguments();
  for (BlockArgument arg : body.getArguments().take_front(parameters)) {
    if (!isa<MemRefType>(arg.getType()))
      continue;
    ParameterFacts fact;
    for (gpu::LaunchFuncOp launch : launches)
      fact.add(launch.getKernelOperand(arg.getArgNumber()),
               launch.getKernelOperands());
    fact.written = bool(findWriter(kernel, arg));
    facts.push_back(fact);
  }
  SmallVector<Type> types = llvm::to_vector(operands.getTypes());
  // New parameters go in front of the old ones, which then go away; the
  // attributions stay last.
  for (auto [index, type] : llvm::enumerate(types))
    body.insertArgument(unsigned(index), type, kernel.getLoc());
  OpBuilder inside = OpBuilder::atBlockBegin(&body);
  size_t pointer = 0, sizeAt = pointers, scalarAt = pointers + sizes;
  for (unsigned index = 0; index < parameters; ++index) {
    BlockArgument arg = body.getArgument(types.size() + index);
    Value replacement;
    if (auto type = dyn_cast<MemRefType>(arg.getType())) {
      size_t count = type.getNumDynamicDims();
      replacement =
          rebuild(inside, kernel.getLoc(), type, body.getArgument(pointer++),
                  body.getArguments().slice(sizeAt, count));
      sizeAt += count;
    } else {
      replacement = body.getArgument(scalarAt++);
    }
    arg.replaceAllUsesWith(replacement);
  }
  body.eraseArguments(types.size(), parameters);
  kernel.setFunctionType(inside.getFunctionType(types, {}));
  kernel.removeArgAttrsAttr();
  for (auto [param, fact] : llvm::enumerate(facts))
    annotateParameter(kernel, param, fact);
}

/// A promise of the kernel's author that its launch breaks.
static LogicalResult checkPromises(gpu::GPUFuncOp kernel,
                                   gpu::LaunchFuncOp launch) {
  for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands())) {
    if (!isa<MemRefType>(operand.getType()) ||
        !kernel.getArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName()))
      continue;
    for (auto [other, buffer] : llvm::enumerate(launch.getKernelOperands()))
      // Of memory that nothing writes the promise says nothing.
      if (other != index && baseOf(buffer) == baseOf(operand) &&
          (findWriter(kernel, kernel.getArgument(index)) ||
           findWriter(kernel, kernel.getArgument(other))))
        return launch.emitError("passes one buffer as arguments ")
               << std::min(index, other) << " and " << std::max(index, other)
               << " of @" << kernel.getName()
               << ", which has llvm.noalias on argument " << index;
  }
  return success();
}

LogicalResult klineage::normalizeLaunches(func::FuncOp entry) {
  SmallVector<gpu::LaunchFuncOp> launches;
  entry.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  llvm::DenseMap<Operation *, SmallVector<gpu::LaunchFuncOp>> launchesOf;
  llvm::DenseMap<Operation *, gpu::GPUFuncOp> kernelOf;
  for (gpu::LaunchFuncOp launch : launches) {
    auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(
        SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernel()));
    if (!kernel)
      return launch.emitError("launches @")
             << launch.getKernelName().getValue() << ", which is no gpu.func";
    if (launch.getNumResults() || launch.getAsyncDependencies().size())
      return launch.emitError(
          "is asynchronous; launches of an entry run in order");
    if (failed(checkPromises(kernel, launch)))
      return failure();
    kernelOf[launch] = kernel;
    launchesOf[kernel].push_back(launch);
  }
  llvm::DenseSet<Operation *> seen;
  for (gpu::LaunchFuncOp launch : launches) {
    gpu::GPUFuncOp kernel = kernelOf[launch];
    if (isBare(launch)) {
      annotateBare(kernel);
      continue;
    }
    OpBuilder b(launch);
    SmallVector<Value> pointers, sizes, scalars;
    for (Value operand : launch.getKernelOperands()) {
      auto type = dyn_cast<MemRefType>(operand.getType());
      if (type && !type.getLayout().isIdentity())
        return launch.emitError("passes a strided view; pass the buffer and "
                                "make the view in the kernel");
      if (type)
        passBuffer(b, operand, pointers, sizes);
      else
        scalars.push_back(operand);
    }
    SmallVector<Value> operands(pointers);
    llvm::append_range(operands, sizes);
    llvm::append_range(operands, scalars);
    if (seen.insert(kernel).second)
      changeParameters(kernel, launchesOf[kernel], operands, pointers.size(),
                       sizes.size());
    gpu::LaunchFuncOp::create(b, launch.getLoc(), launch.getKernelAttr(),
                              launch.getGridSizeOperandValues(),
                              launch.getBlockSizeOperandValues(),
                              launch.getDynamicSharedMemorySize(), operands);
    launch.erase();
  }
  return success();
}
