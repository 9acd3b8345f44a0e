//===- Objects.cpp - The memref that takes the place of an object
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "Utils.h"

using namespace mlir;
using namespace klineage;

static Attribute space(MLIRContext *context, gpu::AddressSpace which) {
  return gpu::AddressSpaceAttr::get(context, which);
}

/// Elements of an object of `type`, or nothing if the element does not fit.
static std::optional<int64_t> elementCount(Type type, Type element) {
  int64_t bytes = byteSize(type), size = byteSize(element);
  if (bytes <= 0 || bytes % size)
    return std::nullopt;
  return bytes / size;
}

static LLVM::GlobalOp globalOf(Value root) {
  auto address = root.getDefiningOp<LLVM::AddressOfOp>();
  return address ? SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
                       address, address.getGlobalNameAttr())
                 : nullptr;
}
static bool isDynamic(LLVM::GlobalOp global) {
  auto array = dyn_cast<LLVM::LLVMArrayType>(global.getType());
  return global.getLinkage() == LLVM::Linkage::External &&
         (!array || array.getNumElements() == 0);
}
/// Shared memory starts out undefined, however that is spelled.
static bool isUndef(LLVM::GlobalOp global) {
  if (global.getValueOrNull())
    return false;
  if (global.getInitializerRegion().empty())
    return true;
  auto end = cast<LLVM::ReturnOp>(
      global.getInitializerRegion().front().getTerminator());
  Operation *value = end.getArg() ? end.getArg().getDefiningOp() : nullptr;
  return value && isa<LLVM::UndefOp, LLVM::PoisonOp>(value);
}

/// A parameter changes its type when the pointer has no other use left.
static Value parameter(OpBuilder &b, PointerBase &base, BlockArgument arg) {
  Type element = base.element ? base.element : b.getI8Type();
  return UnrealizedConversionCastOp::create(
             b, arg.getLoc(), MemRefType::get({ShapedType::kDynamic}, element),
             arg)
      .getResult(0);
}

std::optional<LaunchDescription> ObjectBuilder::launch() const {
  auto text = kernel->getAttrOfType<StringAttr>(kLaunchAttr);
  if (!text)
    return std::nullopt;
  auto parsed = LaunchDescription::parse(text.getValue());
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  return std::move(*parsed);
}

void ObjectBuilder::useDeclaredElement(PointerBase &base) const {
  auto arg = dyn_cast<BlockArgument>(base.roots.front());
  std::optional<LaunchDescription> description = launch();
  if (!arg || !description || arg.getArgNumber() >= description->params.size())
    return;
  StringRef name = description->params[arg.getArgNumber()].elementType;
  if (name.empty())
    return;
  // Launch.cpp has checked the name.
  Builder b(arg.getContext());
  base.element = llvm::StringSwitch<Type>(name)
                     .Case("f16", b.getF16Type())
                     .Case("bf16", b.getBF16Type())
                     .Case("f32", b.getF32Type())
                     .Case("f64", b.getF64Type())
                     .Case("i8", b.getI8Type())
                     .Case("i16", b.getI16Type())
                     .Case("i32", b.getI32Type())
                     .Default(b.getI64Type());
}

bool ObjectBuilder::check(PointerBase &base) const {
  Value root = base.roots.front();
  if (!base.element)
    return bool(isa<BlockArgument>(root));
  if (auto alloca = root.getDefiningOp<LLVM::AllocaOp>()) {
    if (constantOf(alloca.getArraySize()) != 1 ||
        !elementCount(alloca.getElemType(), base.element))
      base.fail(alloca, "the array has no constant size");
  } else if (auto global = globalOf(root)) {
    if (global.getAddrSpace() != 3)
      base.fail(root.getDefiningOp(), "a global variable stays");
    else if (isDynamic(global) && !launch())
      base.fail(root.getDefiningOp(),
                "dynamic shared memory needs a launch description");
    else if (!isDynamic(global) &&
             !elementCount(global.getType(), base.element))
      base.fail(root.getDefiningOp(), "its size is no multiple of its element");
    else if (!isDynamic(global) && !isUndef(global))
      base.fail(root.getDefiningOp(), "a shared variable with a value stays");
  }
  return !base.blame;
}

Value ObjectBuilder::build(PointerBase &base) {
  Value root = base.roots.front();
  MLIRContext *context = kernel.getContext();
  OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
  if (auto alloca = root.getDefiningOp<LLVM::AllocaOp>()) {
    int64_t count = *elementCount(alloca.getElemType(), base.element);
    auto type =
        MemRefType::get({count}, base.element, MemRefLayoutAttrInterface(),
                        space(context, gpu::AddressSpace::Private));
    auto alignment = alloca.getAlignment();
    return memref::AllocaOp::create(
        b, alloca.getLoc(), type, ValueRange(), ValueRange(),
        alignment ? b.getI64IntegerAttr(*alignment) : IntegerAttr());
  }
  if (auto global = globalOf(root))
    return isDynamic(global) ? dynamicShared(b, base)
                             : staticShared(b, base, global);
  return parameter(b, base, cast<BlockArgument>(root));
}

Value ObjectBuilder::staticShared(OpBuilder &b, PointerBase &base,
                                  LLVM::GlobalOp global) {
  int64_t count = *elementCount(global.getType(), base.element);
  auto type =
      MemRefType::get({count}, base.element, MemRefLayoutAttrInterface(),
                      space(b.getContext(), gpu::AddressSpace::Workgroup));
  BlockArgument place = kernel.addWorkgroupAttribution(type, global.getLoc());
  kernel.setWorkgroupAttributionAttr(
      kernel.getNumWorkgroupAttributions() - 1,
      b.getStringAttr(LLVM::LLVMDialect::getAlignAttrName()),
      b.getI64IntegerAttr(
          int64_t(global.getAlignment().value_or(byteSize(base.element)))));
  return place;
}

Value ObjectBuilder::dynamicShared(OpBuilder &b, PointerBase &base) {
  Location loc = kernel.getLoc();
  auto shared = space(b.getContext(), gpu::AddressSpace::Workgroup);
  LaunchDescription description = *launch();
  llvm::StringMap<Value> names;
  for (auto [param, arg] : llvm::zip(description.params, kernel.getArguments()))
    if (!param.isBuffer && isa<IntegerType>(arg.getType()))
      names[param.name] =
          arith::IndexCastOp::create(b, loc, b.getIndexType(), arg);
  Value bytes = description.shared.build(b, loc, names);
  if (!bytes)
    bytes = arith::ConstantIndexOp::create(b, loc, 0);
  Value size = arith::DivUIOp::create(
      b, loc, bytes,
      arith::ConstantIndexOp::create(b, loc, byteSize(base.element)));
  auto layout = MemRefLayoutAttrInterface();
  Value arena = gpu::DynamicSharedMemoryOp::create(
      b, loc,
      MemRefType::get({ShapedType::kDynamic}, b.getI8Type(), layout, shared));
  return memref::ViewOp::create(
      b, loc,
      MemRefType::get({ShapedType::kDynamic}, base.element, layout, shared),
      arena, arith::ConstantIndexOp::create(b, loc, 0), ValueRange{size});
}
