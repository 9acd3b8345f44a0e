//===- Pointers.cpp - Which object each pointer of a kernel points into
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pointers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace klineage;

int64_t klineage::byteAlign(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return byteAlign(array.getElementType());
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    int64_t align = 1;
    if (!structure.isPacked())
      for (Type field : structure.getBody())
        align = std::max(align, byteAlign(field));
    return align;
  }
  int64_t size = byteSize(type);
  return size > 0 ? int64_t(llvm::PowerOf2Ceil(size)) : 0;
}

int64_t klineage::byteSize(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return byteSize(array.getElementType()) * int64_t(array.getNumElements());
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    int64_t offset = 0;
    for (Type field : structure.getBody()) {
      if (byteSize(field) <= 0)
        return 0;
      if (!structure.isPacked())
        offset = llvm::alignTo(offset, byteAlign(field));
      offset += byteSize(field);
    }
    return llvm::alignTo(offset, std::max<int64_t>(1, byteAlign(type)));
  }
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.isScalable()
               ? 0
               : vector.getNumElements() * byteSize(vector.getElementType());
  if (isa<LLVM::LLVMPointerType>(type))
    return 8;
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() % 8)
    return 0;
  return type.getIntOrFloatBitWidth() / 8;
}

Value klineage::addressOf(Operation *access) {
  if (auto load = dyn_cast<LLVM::LoadOp>(access))
    return load.getAddr();
  if (auto store = dyn_cast<LLVM::StoreOp>(access))
    return store.getAddr();
  if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(access))
    return atomic.getPtr();
  if (auto swap = dyn_cast<LLVM::AtomicCmpXchgOp>(access))
    return swap.getPtr();
  return {};
}

Type klineage::accessedType(Operation *access) {
  if (auto store = dyn_cast<LLVM::StoreOp>(access))
    return store.getValue().getType();
  if (isa<LLVM::LoadOp, LLVM::AtomicRMWOp>(access))
    return access->getResult(0).getType();
  if (auto swap = dyn_cast<LLVM::AtomicCmpXchgOp>(access))
    return swap.getVal().getType();
  return {};
}

SmallVector<Value> klineage::incomingValues(Value pointer) {
  if (auto select = pointer.getDefiningOp<LLVM::SelectOp>())
    return {select.getTrueValue(), select.getFalseValue()};
  SmallVector<Value> result;
  auto arg = dyn_cast<BlockArgument>(pointer);
  if (!arg || arg.getOwner()->isEntryBlock())
    return result;
  for (auto it = arg.getOwner()->pred_begin(), end = arg.getOwner()->pred_end();
       it != end; ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    result.push_back(branch ? branch.getSuccessorOperands(
                                  it.getSuccessorIndex())[arg.getArgNumber()]
                            : Value());
  }
  return result;
}

PointerAnalysis::PointerAnalysis(gpu::GPUFuncOp kernel) {
  for (BlockArgument arg : kernel.getArguments())
    if (isa<LLVM::LLVMPointerType>(arg.getType()))
      addBase(Value(arg));
  llvm::MapVector<StringAttr, SmallVector<Value>> globals;
  kernel.walk([&](Operation *op) {
    if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
      globals[address.getGlobalNameAttr().getAttr()].push_back(address);
    else if (auto alloca = dyn_cast<LLVM::AllocaOp>(op))
      addBase(alloca.getRes());
  });
  for (auto &entry : globals)
    addBase(entry.second);
  for (auto &base : bases) {
    checkMerges(base.get());
    checkCompares(base.get());
    chooseElement(base.get());
  }
}

void PointerAnalysis::addBase(ArrayRef<Value> roots) {
  bases.push_back(std::make_unique<PointerBase>());
  PointerBase *base = bases.back().get();
  base->roots.assign(roots.begin(), roots.end());
  for (Value root : roots)
    add(base, root, root.getDefiningOp());
  while (!worklist.empty()) {
    Value pointer = worklist.pop_back_val();
    for (OpOperand &use : pointer.getUses())
      visitUse(base, use);
  }
}

void PointerAnalysis::add(PointerBase *base, Value pointer, Operation *at) {
  PointerBase *&known = owner[pointer];
  if (known == base)
    return;
  if (known) {
    known->fail(at, "this pointer may point into two objects");
    base->fail(at, "this pointer may point into two objects");
    return;
  }
  known = base;
  base->pointers.insert(pointer);
  worklist.push_back(pointer);
}

/// Takes the address of an element, whatever it does there.
static bool takesAddress(Operation *op) {
  return isa<LLVM::InlineAsmOp, LLVM::PtrToIntOp>(op) ||
         isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect());
}

void PointerAnalysis::visitUse(PointerBase *base, OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<LLVM::GEPOp>(op)) {
    if (use.getOperandNumber() == 0)
      add(base, op->getResult(0), op);
    return;
  }
  if (isa<LLVM::AddrSpaceCastOp, LLVM::SelectOp>(op))
    return add(base, op->getResult(0), op);
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    for (unsigned i = 0; i < op->getNumSuccessors(); ++i) {
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      unsigned first = operands.getProducedOperandCount();
      for (unsigned k = first; k < operands.size(); ++k)
        if (operands[k] == use.get())
          add(base, op->getSuccessor(i)->getArgument(k), op);
    }
    return;
  }
  if (Value address = addressOf(op)) {
    // A store has its address second, the atomics have it first.
    if (address != use.get() ||
        use.getOperandNumber() != (isa<LLVM::StoreOp>(op) ? 1u : 0u))
      base->fail(op, "the pointer itself is stored");
  } else if (auto compare = dyn_cast<LLVM::ICmpOp>(op);
             compare && (compare.getPredicate() == LLVM::ICmpPredicate::eq ||
                         compare.getPredicate() == LLVM::ICmpPredicate::ne)) {
    base->compares.insert(op);
  } else if (takesAddress(op) &&
             !base->roots.front().getDefiningOp<LLVM::AllocaOp>()) {
    base->addresses.insert(&use);
  } else if (isa<LLVM::MemcpyOp>(op)) {
    base->fail(op, "a copy of memory stays");
  } else {
    base->fail(op, "the pointer is used by " + op->getName().getStringRef());
  }
  if (addressOf(op))
    base->accesses.insert(op);
}

/// Each value that flows into a pointer of the base is of the base.
void PointerAnalysis::checkMerges(PointerBase *base) {
  for (Value pointer : base->pointers)
    for (Value incoming : incomingValues(pointer))
      if (!incoming || baseOf(incoming) != base)
        base->fail(pointer.getDefiningOp()
                       ? pointer.getDefiningOp()
                       : pointer.getParentBlock()->getTerminator(),
                   "this pointer may point into two objects, or none");
}

/// Equality of two pointers into one object is equality of offsets.
void PointerAnalysis::checkCompares(PointerBase *base) {
  for (Operation *op : base->compares)
    if (baseOf(op->getOperand(0)) != base || baseOf(op->getOperand(1)) != base)
      base->fail(op, "the pointer is compared with one of another object");
}

/// The one scalar type that an aggregate is made of, or null.
static Type uniformScalar(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return uniformScalar(array.getElementType());
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getElementType();
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structure)
    return type;
  Type result;
  for (Type field : structure.getBody()) {
    Type scalar = uniformScalar(field);
    if (!scalar || (result && scalar != result))
      return {};
    result = scalar;
  }
  return result;
}

/// Two halves that are loaded as one word are two elements still: pointers
/// count in the type of the source, or in bytes, which says nothing.
static void narrowByPointers(PointerBase *base) {
  for (Value pointer : base->pointers) {
    auto gep = pointer.getDefiningOp<LLVM::GEPOp>();
    if (!gep || gep.getElemType().isInteger(8))
      continue;
    Type scalar = uniformScalar(gep.getElemType());
    if (scalar && scalar.isIntOrFloat() && byteSize(scalar) > 0 &&
        byteSize(scalar) < byteSize(base->element))
      base->element = scalar;
  }
}

/// What pointers count in, or what a shared variable is made of, where nothing
/// says what is accessed; null if that is not known.
static Type elementOfPointers(PointerBase *base) {
  for (Value pointer : base->pointers) {
    auto gep = pointer.getDefiningOp<LLVM::GEPOp>();
    Type scalar = gep ? uniformScalar(gep.getElemType()) : Type();
    if (scalar && scalar.isIntOrFloat() && byteSize(scalar) > 1)
      return scalar;
  }
  auto address = base->roots.front().getDefiningOp<LLVM::AddressOfOp>();
  auto global = address ? SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
                              address, address.getGlobalNameAttr())
                        : LLVM::GlobalOp();
  Type scalar = global ? uniformScalar(global.getType()) : Type();
  return scalar && scalar.isIntOrFloat() && byteSize(scalar) > 0 ? scalar
                                                                 : Type();
}

/// The narrowest scalar that is accessed; a float if there is one of that size.
void PointerAnalysis::chooseElement(PointerBase *base) {
  for (Operation *access : base->accesses) {
    Type type = getElementTypeOrSelf(accessedType(access));
    int64_t size = byteSize(type);
    if (size <= 0 || isa<LLVM::LLVMPointerType>(type) || !type.isIntOrFloat()) {
      base->fail(access, "no memref has elements of this type");
      continue;
    }
    int64_t best = base->element ? byteSize(base->element) : 0;
    if (!base->element || size < best ||
        (size == best && isa<FloatType>(type) &&
         !isa<FloatType>(base->element)))
      base->element = type;
  }
  if (!base->element && !base->addresses.empty())
    base->element = elementOfPointers(base);
  if (base->element)
    narrowByPointers(base);
}
