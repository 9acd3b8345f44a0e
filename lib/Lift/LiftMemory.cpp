//===- LiftMemory.cpp - Pointers become memrefs
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lift/Passes.h"
#include "Launch.h"
#include "Offsets.h"
#include "Pointers.h"
#include "Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace klineage {
#define GEN_PASS_DEF_LIFTMEMORYPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

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

namespace {
/// Makes the memref that takes the place of a base.
class ObjectBuilder {
public:
  explicit ObjectBuilder(gpu::GPUFuncOp kernel) : kernel(kernel) {}

  /// Fails the base, without a change, if it can have no memref.
  bool check(PointerBase &base) const {
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
        base.fail(root.getDefiningOp(),
                  "its size is no multiple of its element");
      else if (!isDynamic(global) && !isUndef(global))
        base.fail(root.getDefiningOp(), "a shared variable with a value stays");
    }
    return !base.blame;
  }

  Value build(PointerBase &base) {
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

private:
  LLVM::GlobalOp globalOf(Value root) const {
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
  std::optional<LaunchDescription> launch() const {
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

  /// A parameter changes its type when the pointer has no other use left.
  Value parameter(OpBuilder &b, PointerBase &base, BlockArgument arg) {
    Type element = base.element ? base.element : b.getI8Type();
    return UnrealizedConversionCastOp::create(
               b, arg.getLoc(),
               MemRefType::get({ShapedType::kDynamic}, element), arg)
        .getResult(0);
  }

  Value staticShared(OpBuilder &b, PointerBase &base, LLVM::GlobalOp global) {
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

  Value dynamicShared(OpBuilder &b, PointerBase &base) {
    Location loc = kernel.getLoc();
    auto shared = space(b.getContext(), gpu::AddressSpace::Workgroup);
    LaunchDescription description = *launch();
    llvm::StringMap<Value> names;
    for (auto [param, arg] :
         llvm::zip(description.params, kernel.getArguments()))
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

  gpu::GPUFuncOp kernel;
};
} // namespace

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// `value` as `type` of the same number of bytes.
static Value reinterpret(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  auto from = dyn_cast<VectorType>(value.getType());
  auto to = dyn_cast<VectorType>(type);
  if (!from && !to)
    return arith::BitcastOp::create(b, loc, type, value);
  if (!from)
    value = vector::BroadcastOp::create(
        b, loc, VectorType::get(1, value.getType()), value);
  VectorType target = to ? to : VectorType::get(1, type);
  if (value.getType() != target)
    value = vector::BitCastOp::create(b, loc, target, value);
  return to ? value
            : vector::ExtractOp::create(b, loc, value, ArrayRef<int64_t>{0})
                  .getResult();
}

static IntegerAttr alignmentOf(Operation *op) {
  return op->getAttrOfType<IntegerAttr>("alignment");
}

static std::optional<arith::AtomicRMWKind> atomicKind(LLVM::AtomicBinOp op) {
  switch (op) {
  case LLVM::AtomicBinOp::add:
    return arith::AtomicRMWKind::addi;
  case LLVM::AtomicBinOp::fadd:
    return arith::AtomicRMWKind::addf;
  case LLVM::AtomicBinOp::max:
    return arith::AtomicRMWKind::maxs;
  case LLVM::AtomicBinOp::min:
    return arith::AtomicRMWKind::mins;
  case LLVM::AtomicBinOp::umax:
    return arith::AtomicRMWKind::maxu;
  case LLVM::AtomicBinOp::umin:
    return arith::AtomicRMWKind::minu;
  case LLVM::AtomicBinOp::_and:
    return arith::AtomicRMWKind::andi;
  case LLVM::AtomicBinOp::_or:
    return arith::AtomicRMWKind::ori;
  case LLVM::AtomicBinOp::xchg:
    return arith::AtomicRMWKind::assign;
  default:
    return std::nullopt;
  }
}

/// Names the access that has no counterpart, if there is one.
static void checkAccesses(PointerBase &base) {
  for (Operation *access : base.accesses) {
    Type type = accessedType(access);
    if (base.element && byteSize(type) % byteSize(base.element))
      base.fail(access, "it moves a part of an element");
    auto atomic = dyn_cast<LLVM::AtomicRMWOp>(access);
    if (atomic && atomic.getOrdering() == LLVM::AtomicOrdering::monotonic &&
        (type != base.element || !atomicKind(atomic.getBinOp())))
      base.fail(access, "no memref.atomic_rmw does this");
  }
}

static void liftLoad(OpBuilder &b, LLVM::LoadOp load, Value object, Value index,
                     Type element) {
  Location loc = load.getLoc();
  int64_t count = byteSize(load.getType()) / byteSize(element);
  Operation *made;
  if (count == 1 && !isa<VectorType>(load.getType()))
    made = memref::LoadOp::create(b, loc, object, ValueRange{index});
  else
    made = vector::LoadOp::create(b, loc, VectorType::get(count, element),
                                  object, ValueRange{index});
  if (IntegerAttr alignment = alignmentOf(load))
    made->setAttr("alignment", alignment);
  if (load.getInvariant())
    made->setAttr("klineage.invariant", b.getUnitAttr());
  load.replaceAllUsesWith(
      reinterpret(b, loc, made->getResult(0), load.getType()));
}

static void liftStore(OpBuilder &b, LLVM::StoreOp store, Value object,
                      Value index, Type element) {
  Location loc = store.getLoc();
  Value value = store.getValue();
  int64_t count = byteSize(value.getType()) / byteSize(element);
  Operation *made;
  if (count == 1 && !isa<VectorType>(value.getType()))
    made = memref::StoreOp::create(b, loc, reinterpret(b, loc, value, element),
                                   object, ValueRange{index});
  else
    made = vector::StoreOp::create(
        b, loc, reinterpret(b, loc, value, VectorType::get(count, element)),
        object, ValueRange{index});
  if (IntegerAttr alignment = alignmentOf(store))
    made->setAttr("alignment", alignment);
}

/// An atomic whose order memref.atomic_rmw cannot say stays as it is, on the
/// address of the element.
static void keepAtomic(OpBuilder &b, LLVM::AtomicRMWOp atomic, Value object,
                       Value index, Type element) {
  Location loc = atomic.getLoc();
  reportKept(atomic, "memref.atomic_rmw has no such order");
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, object);
  Value size = arith::ConstantIndexOp::create(b, loc, byteSize(element));
  address = arith::AddIOp::create(b, loc, address,
                                  arith::MulIOp::create(b, loc, index, size));
  address = arith::IndexCastOp::create(b, loc, b.getI64Type(), address);
  atomic.getPtrMutable().assign(
      LLVM::IntToPtrOp::create(b, loc, atomic.getPtr().getType(), address));
}

static void liftAccess(Operation *access, Value object, Value index,
                       Type element) {
  OpBuilder b(access);
  if (auto load = dyn_cast<LLVM::LoadOp>(access)) {
    liftLoad(b, load, object, index, element);
  } else if (auto store = dyn_cast<LLVM::StoreOp>(access)) {
    liftStore(b, store, object, index, element);
  } else {
    auto atomic = cast<LLVM::AtomicRMWOp>(access);
    if (atomic.getOrdering() != LLVM::AtomicOrdering::monotonic)
      return keepAtomic(b, atomic, object, index, element);
    Value made = memref::AtomicRMWOp::create(
        b, access->getLoc(), *atomicKind(atomic.getBinOp()), atomic.getVal(),
        object, ValueRange{index});
    made.getDefiningOp()->setAttr("klineage.ordering",
                                  b.getStringAttr("monotonic"));
    atomic.getRes().replaceAllUsesWith(made);
  }
  access->erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct LiftMemory : klineage::impl::LiftMemoryPassBase<LiftMemory> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      lift(kernel);
    removeUnusedGlobals();
  }

  static void lift(gpu::GPUFuncOp kernel) {
    expandCopies(kernel);
    PointerAnalysis analysis(kernel);
    ObjectBuilder objects(kernel);
    SmallVector<PointerBase *> lifted;
    for (auto &base : analysis.bases) {
      checkAccesses(*base);
      if (!base->blame && objects.check(*base) && base->element)
        checkOffsets(*base);
      if (base->blame)
        reportKept(base->blame, base->why);
      else if (base->element || isa<BlockArgument>(base->roots.front()))
        lifted.push_back(base.get());
    }
    OffsetBuilder offsets(analysis);
    SmallVector<UnrealizedConversionCastOp> parameters;
    for (PointerBase *base : lifted) {
      Value object = objects.build(*base);
      if (auto cast = object.getDefiningOp<UnrealizedConversionCastOp>())
        parameters.push_back(cast);
      for (Operation *access : base->accesses)
        liftAccess(access, object, offsets.elements(addressOf(access)),
                   base->element);
      for (Operation *compare : base->compares)
        liftCompare(cast<LLVM::ICmpOp>(compare), offsets);
    }
    for (PointerBase *base : lifted)
      erasePointers(*base);
    retypeParameters(kernel, parameters);
  }

  static void liftCompare(LLVM::ICmpOp compare, OffsetBuilder &offsets) {
    OpBuilder b(compare);
    auto predicate = compare.getPredicate() == LLVM::ICmpPredicate::eq
                         ? arith::CmpIPredicate::eq
                         : arith::CmpIPredicate::ne;
    Value left = offsets.elements(compare.getLhs());
    Value right = offsets.elements(compare.getRhs());
    compare.replaceAllUsesWith(
        arith::CmpIOp::create(b, compare.getLoc(), predicate, left, right)
            .getResult());
    compare.erase();
  }

  /// A short copy is a load and a store of the same bytes.
  static void expandCopies(gpu::GPUFuncOp kernel) {
    SmallVector<LLVM::MemcpyOp> copies;
    kernel.walk([&](LLVM::MemcpyOp op) { copies.push_back(op); });
    for (LLVM::MemcpyOp op : copies) {
      auto bytes = constantOf(op.getLen());
      if (op.getIsVolatile() || !bytes || *bytes % 4 || *bytes <= 0 ||
          *bytes > 16)
        continue;
      auto alignment = [&](unsigned argument) {
        auto all = op.getArgAttrsAttr();
        auto one =
            all && argument < all.size()
                ? cast<DictionaryAttr>(all[argument])
                      .getAs<IntegerAttr>(LLVM::LLVMDialect::getAlignAttrName())
                : IntegerAttr();
        return one ? unsigned(one.getInt()) : 1u;
      };
      OpBuilder b(op);
      Type word = b.getI32Type();
      Type type = *bytes == 4 ? word : Type(VectorType::get(*bytes / 4, word));
      Value value =
          LLVM::LoadOp::create(b, op.getLoc(), type, op.getSrc(), alignment(1));
      LLVM::StoreOp::create(b, op.getLoc(), value, op.getDst(), alignment(0));
      op.erase();
    }
  }

  /// The pointers have no use but each other now.
  static void erasePointers(PointerBase &base) {
    SmallVector<BlockArgument> arguments;
    SmallVector<Operation *> operations;
    for (Value pointer : base.pointers) {
      auto arg = dyn_cast<BlockArgument>(pointer);
      if (!arg)
        operations.push_back(pointer.getDefiningOp());
      else if (!arg.getOwner()->isEntryBlock())
        arguments.push_back(arg);
    }
    for (BlockArgument arg : arguments) {
      Block *block = arg.getOwner();
      for (auto it = block->pred_begin(); it != block->pred_end(); ++it)
        cast<BranchOpInterface>((*it)->getTerminator())
            .getSuccessorOperands(it.getSuccessorIndex())
            .erase(arg.getArgNumber());
      arg.dropAllUses();
      block->eraseArgument(arg.getArgNumber());
    }
    for (Operation *op : llvm::reverse(operations)) {
      op->dropAllUses();
      op->erase();
    }
  }

  static void
  retypeParameters(gpu::GPUFuncOp kernel,
                   ArrayRef<UnrealizedConversionCastOp> parameters) {
    SmallVector<Type> types(kernel.getFunctionType().getInputs());
    for (UnrealizedConversionCastOp cast : parameters) {
      auto arg = mlir::cast<BlockArgument>(cast.getOperand(0));
      Type type = cast.getResult(0).getType();
      arg.setType(type);
      types[arg.getArgNumber()] = type;
      cast.getResult(0).replaceAllUsesWith(arg);
      UnrealizedConversionCastOp(cast).erase();
    }
    kernel.setFunctionType(FunctionType::get(kernel.getContext(), types, {}));
  }

  void removeUnusedGlobals() {
    for (auto global :
         llvm::make_early_inc_range(getOperation().getOps<LLVM::GlobalOp>()))
      if (SymbolTable::symbolKnownUseEmpty(global, getOperation()))
        global.erase();
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (func.isExternal() &&
          SymbolTable::symbolKnownUseEmpty(func, getOperation()))
        func.erase();
  }
};
} // namespace
