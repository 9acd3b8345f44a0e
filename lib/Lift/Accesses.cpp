//===- Accesses.cpp - Loads, stores and atomics of lifted objects
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace klineage;

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

/// Why an access keeps its form, or nothing.
static std::optional<StringRef> whyKept(Operation *access, Type element) {
  auto atomicOrVolatile = [](auto op) -> std::optional<StringRef> {
    if (op.getVolatile_())
      return StringRef("a volatile access stays");
    if (op.getOrdering() != LLVM::AtomicOrdering::not_atomic)
      return StringRef("an atomic access stays");
    return std::nullopt;
  };
  if (auto load = dyn_cast<LLVM::LoadOp>(access))
    return atomicOrVolatile(load);
  if (auto store = dyn_cast<LLVM::StoreOp>(access))
    return atomicOrVolatile(store);
  if (isa<LLVM::AtomicCmpXchgOp>(access))
    return StringRef("a compare and swap stays");
  auto atomic = cast<LLVM::AtomicRMWOp>(access);
  if (atomic.getVolatile_())
    return StringRef("a volatile access stays");
  if (atomic.getOrdering() != LLVM::AtomicOrdering::monotonic)
    return StringRef("memref.atomic_rmw has no such order");
  if (atomic.getVal().getType() != element || !atomicKind(atomic.getBinOp()))
    return StringRef("no memref.atomic_rmw does this");
  return std::nullopt;
}

void klineage::checkAccesses(PointerBase &base) {
  bool isPrivate =
      base.roots.front().getDefiningOp<LLVM::AllocaOp>() != nullptr;
  for (Operation *access : base.accesses) {
    Type type = accessedType(access);
    if (base.element && byteSize(type) % byteSize(base.element))
      base.fail(access, "it moves a part of an element");
    // Address arithmetic would take a private array out of the registers.
    auto why = whyKept(access, base.element);
    if (why && isPrivate)
      base.fail(access, *why);
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

Value klineage::elementAddress(OpBuilder &b, Location loc, Value object,
                               Value index, Type element,
                               LLVM::LLVMPointerType type) {
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(
      cast<MemRefType>(object.getType()).getMemorySpace());
  bool isShared = space && space.getValue() == gpu::AddressSpace::Workgroup;
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, object);
  address = arith::IndexCastOp::create(b, loc, b.getI64Type(), address);
  // The number is that of the object's own address space. A pointer from which
  // an offset is counted says more than a sum of numbers.
  auto own = isShared ? LLVM::LLVMPointerType::get(b.getContext(), 3) : type;
  Value made = LLVM::IntToPtrOp::create(b, loc, own, address);
  if (constantOf(index) != 0) {
    Value wide = arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
    made = LLVM::GEPOp::create(b, loc, own, element, made,
                               ArrayRef<LLVM::GEPArg>{wide});
  }
  return own == type ? made : LLVM::AddrSpaceCastOp::create(b, loc, type, made);
}

/// `access` on the address of the element, and otherwise as it is.
static void keepAccess(OpBuilder &b, Operation *access, Value object,
                       Value index, Type element) {
  Value pointer = addressOf(access);
  access->replaceUsesOfWith(
      pointer, elementAddress(b, access->getLoc(), object, index, element,
                              cast<LLVM::LLVMPointerType>(pointer.getType())));
}

void klineage::liftAccess(Operation *access, Value object, Value index,
                          Type element) {
  OpBuilder b(access);
  if (auto why = whyKept(access, element)) {
    reportKept(access, *why);
    return keepAccess(b, access, object, index, element);
  }
  if (auto load = dyn_cast<LLVM::LoadOp>(access)) {
    liftLoad(b, load, object, index, element);
  } else if (auto store = dyn_cast<LLVM::StoreOp>(access)) {
    liftStore(b, store, object, index, element);
  } else {
    auto atomic = cast<LLVM::AtomicRMWOp>(access);
    Value made = memref::AtomicRMWOp::create(
        b, access->getLoc(), *atomicKind(atomic.getBinOp()), atomic.getVal(),
        object, ValueRange{index});
    made.getDefiningOp()->setAttr("klineage.ordering",
                                  b.getStringAttr("monotonic"));
    atomic.getRes().replaceAllUsesWith(made);
  }
  access->erase();
}

void klineage::liftCompare(LLVM::ICmpOp compare, OffsetBuilder &offsets) {
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

void klineage::expandCopies(gpu::GPUFuncOp kernel) {
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
