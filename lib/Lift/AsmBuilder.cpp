//===- AsmBuilder.cpp - Operands and results of one statement of inline PTX
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmBuilder.h"
#include "Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace klineage;

std::optional<int64_t> AsmBuilder::constant(unsigned operand) const {
  const ptx::Slot &slot = match.operand(operand).slots.front();
  if (slot.kind == ptx::Slot::number)
    return slot.value;
  bool given =
      slot.kind == ptx::Slot::input || slot.kind == ptx::Slot::predicate;
  auto value = given ? constantOf(op->getOperand(slot.index)) : std::nullopt;
  if (value && slot.kind == ptx::Slot::predicate)
    return (*value != 0) != slot.negated;
  return value;
}

bool AsmBuilder::isNumber(unsigned operand, int64_t value) const {
  return constant(operand) == value;
}

static unsigned registerBits(char letter) {
  return letter == 'h' ? 16 : letter == 'l' || letter == 'd' ? 64 : 32;
}

static unsigned bitsOf(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return 64;
  auto vector = dyn_cast<VectorType>(type);
  if (vector && !vector.isScalable() && vector.getElementType().isIntOrFloat())
    return vector.getNumElements() * vector.getElementTypeBitWidth();
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

/// The pointer in space 3 whose low 32 bits `number` starts with; with
/// `offsets`, what is added to it.
static Value sharedPointer(Value number, SmallVectorImpl<Value> *offsets,
                           int depth = 0) {
  if (depth > 8)
    return {};
  Operation *def = number.getDefiningOp();
  if (isa_and_nonnull<LLVM::TruncOp, LLVM::ZExtOp>(def))
    return sharedPointer(def->getOperand(0), offsets, depth + 1);
  if (auto cast = dyn_cast_or_null<LLVM::PtrToIntOp>(def)) {
    auto type = mlir::cast<LLVM::LLVMPointerType>(cast.getArg().getType());
    return type.getAddressSpace() == 3 ? cast.getArg() : Value();
  }
  auto disjoint = dyn_cast_or_null<LLVM::OrOp>(def);
  if (!isa_and_nonnull<LLVM::AddOp>(def) &&
      !(disjoint && disjoint.getIsDisjoint()))
    return {};
  for (unsigned side : {0, 1}) {
    size_t known = offsets ? offsets->size() : 0;
    Value base = sharedPointer(def->getOperand(side), offsets, depth + 1);
    if (base && offsets)
      offsets->push_back(def->getOperand(1 - side));
    if (base)
      return base;
    if (offsets)
      offsets->resize(known);
  }
  return {};
}

StringRef AsmBuilder::whyNoValues() const {
  auto check = [&](const ptx::Slot &slot, Type type) {
    return bitsOf(type) == registerBits(slot.letter);
  };
  auto structure =
      op->getNumResults()
          ? dyn_cast<LLVM::LLVMStructType>(op->getResult(0).getType())
          : LLVM::LLVMStructType();
  SmallVector<StringRef> words;
  StringRef(match.row->signature).split(words, ' ');
  for (auto [word, operand] : llvm::zip(words, match.statement.operands)) {
    if (operand.form == ptx::Operand::address) {
      Value given = op->getOperand(operand.slots.front().index);
      auto pointer = dyn_cast<LLVM::LLVMPointerType>(given.getType());
      // The bits of a generic pointer are no shared address.
      if (word.starts_with("[s") ? pointer && pointer.getAddressSpace() != 3
                                 : pointer && pointer.getAddressSpace() > 1)
        return "a pointer into another address space";
      if (!pointer && !given.getType().isInteger(32) &&
          !given.getType().isInteger(64))
        return "an address that is no pointer and no number";
      if (given.getType().isInteger(32) && !sharedPointer(given, nullptr))
        return "a shared address that is no pointer plus an offset";
      continue;
    }
    for (const ptx::Slot &slot : operand.slots) {
      if (slot.kind == ptx::Slot::input &&
          !check(slot, op->getOperand(slot.index).getType()))
        return "an argument of another width than its constraint";
      if (slot.kind != ptx::Slot::output)
        continue;
      if (slot.tied >= 0 && !check(slot, op->getOperand(slot.tied).getType()))
        return "an argument of another width than its constraint";
      if (structure && slot.index >= structure.getBody().size())
        return "fewer results than constraints";
      if (!op->getNumResults() ||
          !check(slot, structure ? structure.getBody()[slot.index]
                                 : op->getResult(0).getType()))
        return "a result of another width than its constraint";
    }
  }
  return "";
}

Type AsmBuilder::registerType(unsigned operand) {
  switch (match.operand(operand).slots.front().letter) {
  case 'h':
    return b.getI16Type();
  case 'l':
    return b.getI64Type();
  case 'f':
    return b.getF32Type();
  case 'd':
    return b.getF64Type();
  default:
    return b.getI32Type();
  }
}

/// The same bits as another type.
Value AsmBuilder::coerce(Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (isa<LLVM::LLVMPointerType>(from) && type.isInteger(64))
    return LLVM::PtrToIntOp::create(b, loc(), type, value);
  if (isa<LLVM::LLVMPointerType>(type) && from.isInteger(64))
    return LLVM::IntToPtrOp::create(b, loc(), type, value);
  return LLVM::BitcastOp::create(b, loc(), type, value);
}

Value AsmBuilder::valueOf(const ptx::Slot &slot, Type type) {
  if (slot.kind != ptx::Slot::number)
    return coerce(op->getOperand(slot.index), type);
  unsigned width = type.getIntOrFloatBitWidth();
  llvm::APInt number(width, uint64_t(slot.value), /*isSigned=*/true,
                     /*implicitTrunc=*/true);
  return LLVM::ConstantOp::create(b, loc(), type,
                                  b.getIntegerAttr(type, number));
}

SmallVector<Value> AsmBuilder::values(unsigned operand, Type type) {
  SmallVector<Value> result;
  for (const ptx::Slot &slot : match.operand(operand).slots)
    result.push_back(valueOf(slot, type));
  return result;
}

/// The low 32 bits of p + x are the sum of those of p and x.
Value AsmBuilder::pointerOf(Value number) {
  SmallVector<Value> offsets;
  Value pointer = sharedPointer(number, &offsets);
  if (!pointer)
    return {};
  for (Value offset : offsets)
    pointer = LLVM::GEPOp::create(b, loc(), pointer.getType(), b.getI8Type(),
                                  pointer, ArrayRef<LLVM::GEPArg>{offset});
  return pointer;
}

Value AsmBuilder::address(unsigned operand, unsigned space) {
  const ptx::Operand &written = match.operand(operand);
  Value given = op->getOperand(written.slots.front().index);
  auto type = LLVM::LLVMPointerType::get(b.getContext(), space);
  Value pointer;
  if (isa<LLVM::LLVMPointerType>(given.getType()))
    pointer =
        given.getType() == type
            ? given
            : LLVM::AddrSpaceCastOp::create(b, loc(), type, given).getResult();
  else if (space == 3)
    pointer = pointerOf(given);
  if (!pointer)
    pointer = LLVM::IntToPtrOp::create(b, loc(), type, given);
  if (!written.offset)
    return pointer;
  return LLVM::GEPOp::create(b, loc(), type, b.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{int32_t(written.offset)});
}

SmallVector<Value> AsmBuilder::accumulators(Type type) {
  SmallVector<Value> result;
  for (const ptx::Slot &slot : match.operand(0).slots)
    result.push_back(coerce(op->getOperand(slot.tied), type));
  return result;
}

SmallVector<Value> AsmBuilder::coordinates(unsigned operand) {
  SmallVector<Value> result;
  for (const ptx::Slot &slot : match.operand(operand).coordinates)
    result.push_back(valueOf(slot, b.getI32Type()));
  return result;
}

void AsmBuilder::setResults(Value made) {
  const ptx::Operand &results = match.operand(0);
  auto vector = dyn_cast<VectorType>(made.getType());
  bool split = vector && results.slots.size() > 1;
  for (auto [index, slot] : llvm::enumerate(results.slots)) {
    Value one = made;
    if (isa<LLVM::LLVMStructType>(made.getType()))
      one = LLVM::ExtractValueOp::create(b, loc(), made, int64_t(index));
    else if (split)
      one = vector::ExtractOp::create(b, loc(), made, int64_t(index));
    if (slot.kind == ptx::Slot::output)
      outputs[slot.index] = one;
  }
}

void AsmBuilder::finish() {
  if (outputs.empty()) // The import gives these a result of type void.
    return;
  Value result = op->getResult(0);
  auto structure = dyn_cast<LLVM::LLVMStructType>(result.getType());
  if (!structure) {
    result.replaceAllUsesWith(coerce(outputs.front(), result.getType()));
    return;
  }
  // Each use takes one of them; a struct is only made for another use.
  for (Operation *user : llvm::make_early_inc_range(result.getUsers())) {
    auto extract = dyn_cast<LLVM::ExtractValueOp>(user);
    if (!extract || extract.getPosition().size() != 1)
      continue;
    Value one = outputs[extract.getPosition().front()];
    extract.replaceAllUsesWith(coerce(one, extract.getType()));
    extract.erase();
  }
  if (result.use_empty())
    return;
  Value all = LLVM::PoisonOp::create(b, loc(), structure);
  for (auto [index, value] : llvm::enumerate(outputs))
    all = LLVM::InsertValueOp::create(b, loc(), all,
                                      coerce(value, structure.getBody()[index]),
                                      int64_t(index));
  result.replaceAllUsesWith(all);
}
