//===- LiftLaunch.cpp - A lifted kernel becomes a state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Extents.h"
#include "KLineage/Lift/Passes.h"
#include "Launch.h"
#include "Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace klineage {
#define GEN_PASS_DEF_LIFTLAUNCHPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

using Names = std::map<std::string, int64_t>;

/// "m=64,n=32".
static FailureOr<Names> parseFixed(ModuleOp module, StringRef text) {
  Names names;
  SmallVector<StringRef> items;
  text.split(items, ',', -1, false);
  for (StringRef item : items) {
    auto [name, value] = item.split('=');
    if (value.getAsInteger(10, names[name.trim().str()]))
      return module.emitError("'") << item << "' is no extent: name=number";
  }
  return names;
}

static LogicalResult checkParams(gpu::GPUFuncOp kernel,
                                 const LaunchDescription &launch) {
  if (launch.params.size() != kernel.getFunctionType().getNumInputs())
    return kernel.emitError("takes ")
           << kernel.getFunctionType().getNumInputs()
           << " parameters, the launch description has "
           << launch.params.size();
  for (auto [index, param] : llvm::enumerate(launch.params)) {
    Type type = kernel.getArgument(index).getType();
    if (isa<MemRefType>(type) != param.isBuffer)
      return kernel.emitError("parameter ")
             << index << " ('" << param.name << "') has type " << type
             << ", the launch description has a "
             << (param.isBuffer ? "buffer" : "scalar")
             << (isa<MemRefType>(type) || type.isIntOrIndexOrFloat()
                     ? ""
                     : "; what keeps it a pointer is reported above");
  }
  return success();
}

namespace {
/// Builds the entry of one kernel.
class EntryBuilder {
public:
  EntryBuilder(gpu::GPUFuncOp kernel, const LaunchDescription &launch,
               const Names &fixed)
      : kernel(kernel), launch(launch), fixed(fixed) {}

  LogicalResult build() {
    chooseArguments();
    OpBuilder b(kernel.getContext());
    b.setInsertionPointToStart(kernel->getParentOfType<ModuleOp>().getBody());
    auto entry = func::FuncOp::create(b, kernel.getLoc(), launch.entry,
                                      b.getFunctionType(types, {}));
    b.setInsertionPointToStart(entry.addEntryBlock());
    nameExtents(b, entry);
    tieExtents(b, entry);
    SmallVector<Value> operands;
    for (auto [index, param] : llvm::enumerate(launch.params)) {
      Value operand = operandOf(b, entry, index);
      if (!operand)
        return kernel.emitError("no argument gives the extent '")
               << param.name << "'";
      operands.push_back(operand);
    }
    Value dims[6];
    for (int i = 0; i < 6; ++i) {
      const Extent &extent = i < 3 ? launch.grid[i] : launch.block[i - 3];
      dims[i] = extent.build(b, kernel.getLoc(), names);
      if (!dims[i])
        return kernel.emitError("the launch description uses a name that no "
                                "argument gives");
    }
    Value shared;
    if (launch.shared.kind != Extent::number || launch.shared.value) {
      shared = launch.shared.build(b, kernel.getLoc(), names);
      if (!shared)
        return kernel.emitError("'shared' uses a name that no argument gives");
      shared = arith::IndexCastOp::create(b, kernel.getLoc(), b.getI32Type(),
                                          shared);
    }
    auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
    gpu::LaunchFuncOp::create(
        b, kernel.getLoc(),
        SymbolRefAttr::get(b.getContext(), module.getSymName(),
                           {FlatSymbolRefAttr::get(kernel)}),
        gpu::KernelDim3{dims[0], dims[1], dims[2]},
        gpu::KernelDim3{dims[3], dims[4], dims[5]}, shared, operands);
    func::ReturnOp::create(b, kernel.getLoc());
    return success();
  }

private:
  /// A scalar is an argument of the entry only if no buffer's extent, and
  /// nothing fixed, gives it.
  void chooseArguments() {
    llvm::StringMap<bool> given;
    for (auto &name : fixed)
      given[name.first] = true;
    for (const LaunchParam &param : launch.params)
      for (const Extent &extent : param.shape)
        if (extent.kind == Extent::name)
          given[extent.symbol] = true;
    for (auto [index, param] : llvm::enumerate(launch.params)) {
      position.push_back(-1);
      Type type = kernel.getArgument(index).getType();
      if (!param.isBuffer && given.contains(param.name))
        continue;
      position.back() = types.size();
      if (param.isBuffer)
        type = bufferType(param, cast<MemRefType>(type).getElementType());
      types.push_back(type);
    }
    firstFree = types.size();
    types.append(launch.freeNames(fixed).size(),
                 IndexType::get(kernel.getContext()));
  }

  MemRefType bufferType(const LaunchParam &param, Type element) const {
    SmallVector<int64_t> shape;
    for (const Extent &extent : param.shape) {
      auto value = extent.evaluate(fixed);
      shape.push_back(value ? *value : ShapedType::kDynamic);
      llvm::consumeError(value.takeError());
    }
    return MemRefType::get(shape, element);
  }

  void nameExtents(OpBuilder &b, func::FuncOp entry) {
    Location loc = kernel.getLoc();
    for (auto &[name, value] : fixed)
      names[name] = arith::ConstantIndexOp::create(b, loc, value);
    for (auto [index, name] : llvm::enumerate(launch.freeNames(fixed)))
      names[name] = entry.getArgument(firstFree + index);
    for (auto [index, param] : llvm::enumerate(launch.params)) {
      if (position[index] < 0)
        continue;
      Value arg = entry.getArgument(position[index]);
      if (!param.isBuffer && isa<IntegerType>(arg.getType()) &&
          !names.contains(param.name))
        names[param.name] =
            arith::IndexCastOp::create(b, loc, b.getIndexType(), arg);
      for (auto [dim, extent] : llvm::enumerate(param.shape))
        if (extent.kind == Extent::name && !names.contains(extent.symbol))
          names[extent.symbol] = memref::DimOp::create(b, loc, arg, dim);
    }
  }

  /// Buffers whose shapes share a name have an extent in common.
  void tieExtents(OpBuilder &b, func::FuncOp entry) {
    for (auto [index, param] : llvm::enumerate(launch.params)) {
      if (!param.isBuffer || param.shape.empty())
        continue;
      SmallVector<StringRef> extents;
      for (const Extent &extent : param.shape)
        extents.push_back(extent.symbol); // empty unless it is a name
      entry.setArgAttr(position[index], kExtentsAttr,
                       b.getStrArrayAttr(extents));
    }
  }

  Value operandOf(OpBuilder &b, func::FuncOp entry, size_t index) {
    Type type = kernel.getArgument(index).getType();
    if (position[index] < 0) {
      Value extent = names.lookup(launch.params[index].name);
      return extent
                 ? arith::IndexCastOp::create(b, kernel.getLoc(), type, extent)
                 : Value();
    }
    Value arg = entry.getArgument(position[index]);
    auto memref = dyn_cast<MemRefType>(arg.getType());
    if (!memref || memref.getRank() == 0)
      return arg;
    return memref::ReinterpretCastOp::create(
        b, kernel.getLoc(), MemRefType::get({}, memref.getElementType()), arg,
        b.getIndexAttr(0), ArrayRef<OpFoldResult>(), ArrayRef<OpFoldResult>());
  }

  gpu::GPUFuncOp kernel;
  const LaunchDescription &launch;
  const Names &fixed;
  SmallVector<Type> types;
  int64_t firstFree = 0;         ///< argument of the entry
  SmallVector<int64_t> position; ///< in the entry, -1: computed
  llvm::StringMap<Value> names;
};
} // namespace

/// Parameters become bare pointers; inside, each buffer has the number of
/// elements that the launch description gives it.
static LogicalResult barePointers(gpu::GPUFuncOp kernel,
                                  const LaunchDescription &launch,
                                  const Names &fixed) {
  OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = kernel.getLoc();
  llvm::StringMap<Value> names;
  for (auto &[name, value] : fixed)
    names[name] = arith::ConstantIndexOp::create(b, loc, value);
  for (auto [param, arg] : llvm::zip(launch.params, kernel.getArguments()))
    if (isa<IntegerType>(arg.getType()) && !names.contains(param.name))
      names[param.name] =
          arith::IndexCastOp::create(b, loc, b.getIndexType(), arg);
  // An extent that is one of the grid's can be read there.
  for (int i = 0; i < 3; ++i)
    if (launch.grid[i].kind == Extent::name &&
        !names.contains(launch.grid[i].symbol))
      names[launch.grid[i].symbol] =
          gpu::GridDimOp::create(b, loc, static_cast<gpu::Dimension>(i));
  SmallVector<Type> types(kernel.getFunctionType().getInputs());
  for (auto [index, param] : llvm::enumerate(launch.params)) {
    if (!param.isBuffer)
      continue;
    BlockArgument arg = kernel.getArgument(index);
    auto type = cast<MemRefType>(arg.getType());
    Value count = arith::ConstantIndexOp::create(b, loc, 1);
    for (const Extent &extent : param.shape) {
      Value dim = extent.build(b, loc, names);
      if (!dim)
        return kernel.emitError("the extents of '")
               << param.name << "' name what is no parameter";
      count = arith::MulIOp::create(b, loc, count, dim);
    }
    arg.setType(MemRefType::get({}, type.getElementType()));
    types[index] = arg.getType();
    auto view = memref::ReinterpretCastOp::create(
        b, loc, arg, b.getIndexAttr(0), ArrayRef<OpFoldResult>{count},
        ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
    Value made = view;
    if (made.getType() != type)
      made = memref::CastOp::create(b, loc, type, made);
    arg.replaceAllUsesExcept(made, view);
  }
  kernel.setFunctionType(b.getFunctionType(types, {}));
  return success();
}

namespace {
struct LiftLaunch : klineage::impl::LiftLaunchPassBase<LiftLaunch> {
  using LiftLaunchPassBase::LiftLaunchPassBase;

  void runOnOperation() override {
    FailureOr<Names> fixed = parseFixed(getOperation(), fix);
    if (failed(fixed))
      return signalPassFailure();
    SmallVector<gpu::GPUFuncOp> kernels;
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      if (kernel->hasAttr(kLaunchAttr))
        kernels.push_back(kernel);
    });
    for (gpu::GPUFuncOp kernel : kernels) {
      auto launch = LaunchDescription::parse(
          kernel->getAttrOfType<StringAttr>(kLaunchAttr).getValue());
      if (!launch) {
        kernel.emitError("launch description: ")
            << llvm::toString(launch.takeError());
        return signalPassFailure();
      }
      if (failed(checkParams(kernel, *launch)) ||
          failed(EntryBuilder(kernel, *launch, *fixed).build()) ||
          failed(barePointers(kernel, *launch, *fixed)))
        return signalPassFailure();
    }
  }
};
} // namespace
