//===- ExpandAsm.cpp - Inline PTX becomes intrinsics and generic LLVM IR
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hostify.h"
#include "KLineage/Ptx/Table.h"
#include "Ops.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

static Expected<ptx::Match> matchCall(const CallBase &call) {
  auto *text = cast<InlineAsm>(call.getCalledOperand());
  auto constant = [&](unsigned i) -> std::optional<int64_t> {
    auto *number = i < call.arg_size()
                       ? dyn_cast<ConstantInt>(call.getArgOperand(i))
                       : nullptr;
    if (!number || number->getBitWidth() > 64)
      return std::nullopt;
    return number->getSExtValue();
  };
  return ptx::matchInlineAsm(text->getAsmString(), text->getConstraintString(),
                             constant);
}

/// What generic IR says; all others need an intrinsic that the executor knows.
static bool isGeneric(ptx::Kind kind) {
  switch (kind) {
  case ptx::Kind::load:
  case ptx::Kind::store:
  case ptx::Kind::convert:
  case ptx::Kind::pack:
  case ptx::Kind::half:
  case ptx::Kind::fence:
    return true;
  default:
    return false;
  }
}

std::string klineage::simt::whyAsmUnsupported(const CallBase &call) {
  auto match = matchCall(call);
  if (!match)
    return toString(match.takeError());
  const ptx::Row &row = *match->row;
  if (ptx::needsGpu(row.kind))
    return row.opcode + ": needs a GPU";
  if (row.intrinsic.empty()
          ? isGeneric(row.kind)
          : lookupIntrinsic(Intrinsic::lookupIntrinsicID(row.intrinsic))
                .has_value())
    return "";
  return row.opcode + ": the executor has no such instruction";
}

namespace {
class AsmExpander {
public:
  AsmExpander(CallInst &call, ptx::Match match)
      : call(call), match(std::move(match)), b(&call),
        outputs(this->match.statement.outputs) {}

  void expand() {
    if (auto &guard = match.statement.guard) {
      Instruction *then = SplitBlockAndInsertIfThen(predicate(*guard), &call,
                                                    /*Unreachable=*/false);
      b.SetInsertPoint(then);
    }
    if (match.row->intrinsic.empty())
      generic();
    else
      intrinsic();
    replaceResults();
    call.eraseFromParent();
  }

private:
  Value *predicate(const ptx::Slot &slot) {
    Value *tested = call.getArgOperand(slot.index);
    Value *set = b.CreateIsNotNull(tested);
    return slot.negated ? b.CreateNot(set) : set;
  }

  /// The same bits in another type.
  Value *coerce(Value *value, Type *type) {
    Type *from = value->getType();
    if (from == type)
      return value;
    if (from->isPointerTy() && type->isPointerTy())
      return b.CreateAddrSpaceCast(value, type);
    if (from->isPointerTy())
      return b.CreatePtrToInt(value, type);
    if (type->isPointerTy())
      return b.CreateIntToPtr(value, type);
    if (from->isIntegerTy() && type->isIntegerTy())
      return b.CreateZExtOrTrunc(value, type);
    return b.CreateBitCast(value, type);
  }

  Value *valueOf(const ptx::Slot &slot, Type *type) {
    if (slot.kind == ptx::Slot::number)
      return ConstantInt::get(type, slot.value, /*IsSigned=*/true,
                              /*ImplicitTrunc=*/true);
    return coerce(call.getArgOperand(slot.index), type);
  }

  /// Registers have the low 32 bits of a shared address. Of the distance to the
  /// arena these are enough.
  Value *sharedAddress(Value *given) {
    Value *field = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(),
                                                call.getFunction()->getArg(0),
                                                offsetof(ThreadCtx, shared));
    Value *arena = b.CreateLoad(b.getPtrTy(), field);
    Value *low =
        b.CreateTrunc(b.CreatePtrToInt(arena, b.getInt64Ty()), b.getInt32Ty());
    Value *distance = b.CreateSub(coerce(given, b.getInt32Ty()), low);
    return b.CreateGEP(b.getInt8Ty(), arena,
                       b.CreateSExt(distance, b.getInt64Ty()));
  }

  Value *addressOf(const ptx::Operand &operand, bool shared, Type *type) {
    Value *base = call.getArgOperand(operand.slots.front().index);
    Value *address = shared ? sharedAddress(base) : coerce(base, b.getPtrTy());
    if (operand.offset)
      address = b.CreateGEP(b.getInt8Ty(), address, b.getInt64(operand.offset));
    return coerce(address, type);
  }

  void set(const ptx::Slot &slot, Value *value) {
    if (slot.kind == ptx::Slot::output)
      outputs[slot.index] = value;
  }

  //===--------------------------------------------------------------------===//
  // Intrinsics
  //===--------------------------------------------------------------------===//

  Function *declaration() {
    Intrinsic::ID id = Intrinsic::lookupIntrinsicID(match.row->intrinsic);
    SmallVector<Type *, 1> types;
    if (Intrinsic::isOverloaded(id))
      types.push_back(
          match.row->kind == ptx::Kind::approximate
              ? b.getFloatTy()
              : static_cast<Type *>(b.getPtrTy(sharedAddressSpace)));
    return Intrinsic::getOrInsertDeclaration(call.getModule(), id, types);
  }

  SmallVector<uint8_t, 5> order() {
    SmallVector<uint8_t, 5> result = match.row->order;
    if (!result.empty())
      return result;
    for (unsigned i = 0; i < match.size(); ++i)
      if (match.operand(i).slots.front().kind != ptx::Slot::output)
        result.push_back(i);
    return result;
  }

  void intrinsic() {
    Function *callee = declaration();
    FunctionType *type = callee->getFunctionType();
    SmallVector<Value *, 16> args;
    bool toShared = match.row->kind == ptx::Kind::cpAsync ||
                    match.row->kind == ptx::Kind::ldmatrix ||
                    match.row->kind == ptx::Kind::stmatrix;
    for (uint8_t i : order()) {
      const ptx::Operand &operand = match.operand(i);
      if (operand.form == ptx::Operand::address) {
        // A cp.async reads from its second address, in global memory.
        bool shared =
            toShared && !(match.row->kind == ptx::Kind::cpAsync && i == 1);
        args.push_back(
            addressOf(operand, shared, type->getParamType(args.size())));
        continue;
      }
      for (const ptx::Slot &slot : operand.slots)
        args.push_back(valueOf(slot, type->getParamType(args.size())));
    }
    Value *made = b.CreateCall(callee, args);
    if (type->getReturnType()->isVoidTy())
      return;
    const ptx::Operand &results = match.operand(0);
    for (auto [index, slot] : enumerate(results.slots))
      set(slot, made->getType()->isStructTy()
                    ? b.CreateExtractValue(made, index)
                    : made);
  }

  //===--------------------------------------------------------------------===//
  // Generic IR
  //===--------------------------------------------------------------------===//

  Type *registerType(char letter) {
    switch (letter) {
    case 'h':
      return b.getInt16Ty();
    case 'l':
      return b.getInt64Ty();
    case 'f':
      return b.getFloatTy();
    case 'd':
      return b.getDoubleTy();
    default:
      return b.getInt32Ty();
    }
  }

  void generic() {
    switch (match.row->kind) {
    case ptx::Kind::load:
    case ptx::Kind::store:
      return access();
    case ptx::Kind::convert:
      return convert();
    case ptx::Kind::pack:
      return pack();
    case ptx::Kind::half:
      return half();
    default:
      return fence();
    }
  }

  void access() {
    bool load = match.row->kind == ptx::Kind::load;
    bool shared = ptx::words(match.row->opcode)[1] == "shared";
    const ptx::Operand &values = match.operand(load ? 0 : 1);
    Type *element = registerType(values.slots.front().letter);
    unsigned count = values.slots.size();
    Type *type = count == 1 ? element : FixedVectorType::get(element, count);
    Align align(count * element->getPrimitiveSizeInBits() / 8);
    Value *address =
        addressOf(match.operand(load ? 1 : 0), shared, b.getPtrTy());
    if (load) {
      Value *made = b.CreateAlignedLoad(type, address, align);
      for (auto [index, slot] : enumerate(values.slots))
        set(slot, count == 1 ? made : b.CreateExtractElement(made, index));
      return;
    }
    Value *stored = PoisonValue::get(type);
    for (auto [index, slot] : enumerate(values.slots)) {
      Value *one = valueOf(slot, element);
      stored = count == 1 ? one : b.CreateInsertElement(stored, one, index);
    }
    b.CreateAlignedStore(stored, address, align);
  }

  Value *source(unsigned operand, Type *type) {
    return valueOf(match.operand(operand).slots.front(), type);
  }

  void convert() {
    auto words = ptx::words(match.row->opcode);
    StringRef to = words[words.size() - 2], from = words.back();
    auto half = [&](StringRef name) {
      return name.starts_with("bf16") ? b.getBFloatTy() : b.getHalfTy();
    };
    Value *made = nullptr;
    if (to.ends_with("x2")) { // The first operand goes to the upper half.
      made = PoisonValue::get(FixedVectorType::get(half(to), 2));
      for (unsigned i : {0, 1})
        made = b.CreateInsertElement(
            made, b.CreateFPTrunc(source(2 - i, b.getFloatTy()), half(to)), i);
    } else if (to == "bf16" || to == "f16") {
      made = b.CreateFPTrunc(source(1, b.getFloatTy()), half(to));
    } else if (from == "bf16" || from == "f16") {
      made = b.CreateFPExt(source(1, half(from)), b.getFloatTy());
    } else if (to == "f32") {
      Value *integer = source(1, b.getInt32Ty());
      made = from == "s32" ? b.CreateSIToFP(integer, b.getFloatTy())
                           : b.CreateUIToFP(integer, b.getFloatTy());
    } else if (to == "u32") {
      made = b.CreateTrunc(source(1, b.getInt64Ty()), b.getInt32Ty());
    } else {
      Value *integer = source(1, b.getInt32Ty());
      made = from == "s32" ? b.CreateSExt(integer, b.getInt64Ty())
                           : b.CreateZExt(integer, b.getInt64Ty());
    }
    set(match.operand(0).slots.front(), made);
  }

  /// The first of two is the lower half.
  void pack() {
    const ptx::Operand &to = match.operand(0), &from = match.operand(1);
    bool packs = from.slots.size() == 2;
    Type *part = registerType((packs ? from : to).slots.front().letter);
    auto *pair = FixedVectorType::get(part, 2);
    if (!packs) {
      Type *whole = registerType(from.slots.front().letter);
      Value *parts = b.CreateBitCast(valueOf(from.slots.front(), whole), pair);
      for (unsigned i : {0, 1})
        set(to.slots[i], b.CreateExtractElement(parts, i));
      return;
    }
    Value *parts = PoisonValue::get(pair);
    for (unsigned i : {0, 1})
      parts = b.CreateInsertElement(parts, valueOf(from.slots[i], part), i);
    set(to.slots.front(),
        b.CreateBitCast(parts, registerType(to.slots.front().letter)));
  }

  void half() {
    auto words = ptx::words(match.row->opcode);
    StringRef name = words.front(), type = words.back();
    Type *number = type.starts_with("bf16") ? b.getBFloatTy() : b.getHalfTy();
    if (type.ends_with("x2"))
      number = FixedVectorType::get(number, 2);
    Value *x = source(1, number), *y = source(2, number);
    set(match.operand(0).slots.front(),
        name == "add"   ? b.CreateFAdd(x, y)
        : name == "sub" ? b.CreateFSub(x, y)
        : name == "mul" ? b.CreateFMul(x, y)
                        : b.CreateIntrinsic(Intrinsic::fma, {number},
                                            {x, y, source(3, number)}));
  }

  /// Between the threads of a block, which run one at a time, nothing is out of
  /// order; a fence of the device may order the accesses of blocks.
  void fence() {
    auto words = ptx::words(match.row->opcode);
    if (words.back() != "cta")
      b.CreateFence(words[1] == "sc" ? AtomicOrdering::SequentiallyConsistent
                                     : AtomicOrdering::AcquireRelease);
  }

  void replaceResults() {
    if (call.getType()->isVoidTy())
      return;
    auto *structure = dyn_cast<StructType>(call.getType());
    if (!structure)
      return call.replaceAllUsesWith(coerce(outputs.front(), call.getType()));
    Value *all = PoisonValue::get(structure);
    for (auto [index, value] : enumerate(outputs))
      all = b.CreateInsertValue(
          all, coerce(value, structure->getElementType(index)), index);
    call.replaceAllUsesWith(all);
  }

  CallInst &call;
  ptx::Match match;
  IRBuilder<> b;
  SmallVector<Value *, 8> outputs;
};
} // namespace

void klineage::simt::expandInlineAsm(Module &module) {
  SmallVector<CallInst *> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst);
          call && isa<InlineAsm>(call->getCalledOperand()))
        calls.push_back(call);
  for (CallInst *call : calls)
    AsmExpander(*call, cantFail(matchCall(*call))).expand();
}
