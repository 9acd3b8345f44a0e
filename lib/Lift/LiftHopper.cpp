//===- LiftHopper.cpp - Inline PTX of TMA, mbarrier and wgmma
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiftHopper.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace klineage;
using ptx::Kind;

/// The time that a wait loop asks for where the source gives none: a hint.
constexpr int32_t kWaitTicks = 10000000;

static void buildArrive(AsmBuilder &a) {
  Type i32 = a.b.getI32Type(), i64 = a.b.getI64Type();
  TypeRange results = a.hasResult() ? TypeRange(i64) : TypeRange();
  bool count = a.operandCount() > 2;
  Operation *made;
  if (a.kind() == Kind::mbarrierExpectTx)
    made = NVVM::MBarrierArriveExpectTxOp::create(
        a.b, a.loc(), results, a.address(1, 3), a.value(2, i32),
        NVVM::MemScopeKind::CTA, /*relaxed=*/false, /*predicate=*/Value());
  else
    made = NVVM::MBarrierArriveOp::create(
        a.b, a.loc(), results, a.address(1, 3),
        count ? a.value(2, i32) : Value(), NVVM::MemScopeKind::CTA,
        /*relaxed=*/false);
  if (a.hasResult())
    a.setResults(made->getResult(0));
}

/// A loop around it is that of nvvm.mbarrier.try_wait.parity.
static void buildWait(AsmBuilder &a) {
  Type i32 = a.b.getI32Type();
  Value address = a.address(1, 3), phase = a.value(2, i32);
  Value ticks = a.operandCount() > 3 ? a.value(3, i32) : Value();
  if (a.untilTrue()) {
    if (!ticks)
      ticks = LLVM::ConstantOp::create(a.b, a.loc(), i32,
                                       a.b.getI32IntegerAttr(kWaitTicks));
    NVVM::MBarrierTryWaitParityOp::create(a.b, a.loc(), address, phase, ticks);
    return;
  }
  Value done = NVVM::MBarrierTryWaitOp::create(
      a.b, a.loc(), a.b.getI1Type(), address, phase, ticks,
      NVVM::MemScopeKind::CTA, /*relaxed=*/false);
  a.setResults(arith::ExtUIOp::create(a.b, a.loc(), i32, done));
}

static void buildTensorLoad(AsmBuilder &a) {
  StringRef opcode = a.opcode();
  Type i16 = a.b.getI16Type(), i64 = a.b.getI64Type();
  bool multicast = opcode.contains(".multicast");
  bool hint = opcode.ends_with("::cache_hint");
  bool ctaOnly = opcode.contains("shared::cta");
  Value to = a.address(0, 3);
  if (!ctaOnly)
    to = LLVM::AddrSpaceCastOp::create(
        a.b, a.loc(), LLVM::LLVMPointerType::get(a.b.getContext(), 7), to);
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      a.b, a.loc(), to, a.address(1, 0), a.coordinates(1), a.address(2, 3),
      /*im2colOffsets=*/ValueRange(), multicast ? a.value(3, i16) : Value(),
      hint ? a.value(3, i64) : Value(), NVVM::TMALoadMode::TILE, ctaOnly,
      /*group=*/nullptr, /*predicate=*/Value());
}

static void buildTensorStore(AsmBuilder &a) {
  NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
      a.b, a.loc(), a.address(0, 0), a.address(1, 3), a.coordinates(0),
      /*l2CacheHint=*/Value(), NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
}

/// Operands: accumulators, A, B, scale of D, of A, of B, and of elements of 16
/// bits the order of A and B (1: M or N is contiguous).
static void buildWgmma(AsmBuilder &a) {
  auto words = ptx::words(a.opcode());
  StringRef shape = words[4]; // m64nNkK
  int64_t n = 0, k = 0;
  auto [columns, depth] = shape.drop_front(4).split('k');
  columns.getAsInteger(10, n);
  depth.getAsInteger(10, k);
  Type f32 = a.b.getF32Type(), i64 = a.b.getI64Type();
  auto type = *NVVM::symbolizeWGMMATypes(words.back());
  SmallVector<Value> sums = a.accumulators(f32);
  auto structure = LLVM::LLVMStructType::getLiteral(
      a.b.getContext(), SmallVector<Type>(sums.size(), f32));
  Value all = LLVM::PoisonOp::create(a.b, a.loc(), structure);
  for (auto [index, sum] : llvm::enumerate(sums))
    all = LLVM::InsertValueOp::create(a.b, a.loc(), all, sum, int64_t(index));
  auto scale = [&](unsigned operand) {
    return a.constant(operand) == 1 ? NVVM::WGMMAScaleIn::one
                                    : NVVM::WGMMAScaleIn::neg;
  };
  // The operation's words are those of the matrices as they are multiplied.
  bool orders = a.operandCount() > 6;
  auto layout = [&](unsigned operand, bool isA) {
    bool other = orders && a.constant(operand) == 1;
    return other == isA ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  };
  a.setResults(NVVM::WgmmaMmaAsyncOp::create(
      a.b, a.loc(), structure, all, a.value(1, i64), a.value(2, i64),
      NVVM::MMAShapeAttr::get(a.b.getContext(), 64, n, k), type, type,
      NVVM::WGMMATypes::f32,
      a.constant(3) == 0 ? NVVM::WGMMAScaleOut::zero : NVVM::WGMMAScaleOut::one,
      scale(4), scale(5), layout(6, true), layout(7, false), nullptr));
}

StringRef klineage::whyWgmmaKept(const AsmBuilder &a) {
  if (a.size(1) != 1)
    return "no operation has A in registers";
  if (!a.constant(3))
    return "whether it adds is no constant";
  for (unsigned operand = 4; operand < a.operandCount(); ++operand) {
    auto value = a.constant(operand);
    bool order = operand > 5;
    if (value != 1 && value != (order ? 0 : -1))
      return "a scale or an order that does not exist";
  }
  return "";
}

bool klineage::buildHopper(AsmBuilder &a) {
  Type i32 = a.b.getI32Type();
  switch (a.kind()) {
  case Kind::mbarrierInit:
    NVVM::MBarrierInitOp::create(a.b, a.loc(), a.address(0, 3), a.value(1, i32),
                                 /*predicate=*/Value());
    return true;
  case Kind::mbarrierInval:
    NVVM::MBarrierInvalOp::create(a.b, a.loc(), a.address(0, 3));
    return true;
  case Kind::mbarrierArrive:
  case Kind::mbarrierExpectTx:
    buildArrive(a);
    return true;
  case Kind::mbarrierTryWait:
    buildWait(a);
    return true;
  case Kind::bulkTensorLoad:
    buildTensorLoad(a);
    return true;
  case Kind::bulkTensorStore:
    buildTensorStore(a);
    return true;
  case Kind::wgmma:
    buildWgmma(a);
    return true;
  default:
    return false;
  }
}
