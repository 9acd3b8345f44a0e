//===- DeviceCalls.cpp - Functions of libdevice that write through pointers
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceLib.h"
#include "Hostify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace klineage::simt;
using namespace llvm;

namespace {
/// `name(x..., pointers...)` is a call of each of `stored`, whose results go
/// through the pointers in order, and of `result`, if it gives one.
struct SplitCall {
  StringRef result;
  StringRef stored[2];
};
} // namespace

/// Stems: "f" for f32 comes before the dot, as `__nv_frexpf.exponent`.
static std::optional<SplitCall> splitCall(StringRef stem) {
  return StringSwitch<std::optional<SplitCall>>(stem)
      .Case("sincos", SplitCall{"", {"sin", "cos"}})
      .Case("fast_sincos", SplitCall{"", {"fast_sin", "fast_cos"}})
      .Case("sincospi", SplitCall{"", {"sinpi", "cospi"}})
      .Case("frexp", SplitCall{"frexp.fraction", {"frexp.exponent", ""}})
      .Case("modf", SplitCall{"modf.fraction", {"trunc", ""}})
      .Case("remquo", SplitCall{"remainder", {"remquo.quotient", ""}})
      .Default(std::nullopt);
}

/// The stem and whether it is the f32 form: "modff" is that of "modf".
static std::optional<SplitCall> lookup(StringRef name, bool &single) {
  if (!name.consume_front("__nv_"))
    return std::nullopt;
  single = false;
  if (auto found = splitCall(name))
    return found;
  single = name.consume_back("f");
  return single ? splitCall(name) : std::nullopt;
}

bool klineage::simt::isSplitDeviceFunction(StringRef name) {
  bool single;
  return lookup(name, single).has_value();
}

static std::string fullName(StringRef stem, bool single) {
  auto [head, tail] = stem.split('.');
  return ("__nv_" + head + (single ? "f" : "") + (tail.empty() ? "" : ".") +
          tail)
      .str();
}

static void split(CallInst &call, const SplitCall &form, bool single) {
  IRBuilder<> builder(&call);
  SmallVector<Value *> values, pointers;
  for (Value *arg : call.args())
    (arg->getType()->isPointerTy() ? pointers : values).push_back(arg);
  Type *number = values.front()->getType();
  SmallVector<Type *> types(values.size(), number);
  auto callOf = [&](StringRef stem) -> Value * {
    bool integer = stem.ends_with("exponent") || stem.ends_with("quotient");
    auto *type = FunctionType::get(integer ? builder.getInt32Ty() : number,
                                   types, false);
    return builder.CreateCall(
        call.getModule()->getOrInsertFunction(fullName(stem, single), type),
        values);
  };
  Value *result = form.result.empty() ? nullptr : callOf(form.result);
  for (auto [pointer, stem] : zip(pointers, form.stored))
    builder.CreateStore(callOf(stem), pointer);
  if (result)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

/// The checker must see what such a function writes.
void klineage::simt::splitDeviceCalls(Module &module) {
  SmallVector<std::tuple<CallInst *, SplitCall, bool>> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallInst>(&inst);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      bool single;
      if (auto form = callee ? lookup(callee->getName(), single) : std::nullopt;
          form && call->arg_size() &&
          !call->getArgOperand(0)->getType()->isPointerTy())
        calls.push_back({call, *form, single});
    }
  for (auto &[call, form, single] : calls)
    split(*call, form, single);
}
