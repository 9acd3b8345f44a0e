//===- LiftAsm.cpp - Inline PTX becomes nvvm, arith and llvm operations
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmBuilder.h"
#include "KLineage/Lift/Passes.h"
#include "LiftHopper.h"
#include "Utils.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace klineage {
#define GEN_PASS_DEF_LIFTASMPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;
using ptx::Kind;

static NVVM::MMATypes mmaType(StringRef name) {
  return *NVVM::symbolizeMMATypes(name);
}

/// m16n8kK of two registers each as nvvm.mma.sync wants them: f16 as vectors.
static void buildMma(AsmBuilder &a) {
  auto words = ptx::words(a.opcode());
  int64_t k = 0;
  words[3].drop_front(6).getAsInteger(10, k);
  bool satfinite = words[6] == "satfinite";
  unsigned types = satfinite ? 7 : 6; // D A B C
  StringRef typeA = words[types + 1], typeB = words[types + 2],
            typeC = words[types + 3];
  Type i32 = a.b.getI32Type(), f16x2 = VectorType::get(2, a.b.getF16Type());
  Type fragment = typeA == "f16" ? f16x2 : i32;
  Type result = typeC == "f16"   ? f16x2
                : typeC == "s32" ? i32
                                 : Type(a.b.getF32Type());
  SmallVector<Value> left = a.values(1, fragment),
                     right = a.values(2, fragment), sum = a.values(3, result);
  SmallVector<Type> results(a.size(0), result);
  auto layouts = std::array{NVVM::MMALayout::row, NVVM::MMALayout::col};
  std::optional<NVVM::MMAIntOverflow> overflow;
  if (typeC == "s32")
    overflow = satfinite ? NVVM::MMAIntOverflow::satfinite
                         : NVVM::MMAIntOverflow::wrapped;
  Value made = NVVM::MmaOp::create(
      a.b, a.loc(), LLVM::LLVMStructType::getLiteral(a.b.getContext(), results),
      left, right, sum, {16, 8, k}, std::nullopt, overflow,
      std::array{mmaType(typeA), mmaType(typeB)}, layouts);
  a.setResults(made);
}

static void buildMatrix(AsmBuilder &a, bool load) {
  auto words = ptx::words(a.opcode());
  int32_t count = words[4].back() - '0';
  auto layout =
      words[5] == "trans" ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  auto shape = NVVM::LdStMatrixShapeAttr::get(a.b.getContext(), 8, 8);
  auto type = NVVM::LdStMatrixEltType::B16;
  Type i32 = a.b.getI32Type();
  if (!load) {
    NVVM::StMatrixOp::create(a.b, a.loc(), a.address(0, 3), a.values(1, i32),
                             layout, shape, type);
    return;
  }
  Type result = i32;
  if (count > 1)
    result = LLVM::LLVMStructType::getLiteral(a.b.getContext(),
                                              SmallVector<Type>(count, i32));
  a.setResults(NVVM::LdMatrixOp::create(a.b, a.loc(), result, a.address(1, 3),
                                        count, layout, shape, type));
}

static void buildCopy(AsmBuilder &a) {
  auto modifier = ptx::words(a.opcode())[2] == "cg"
                      ? NVVM::LoadCacheModifierKind::CG
                      : NVVM::LoadCacheModifierKind::CA;
  Value size;
  if (a.operandCount() > 3)
    size = a.value(3, a.b.getI32Type());
  NVVM::CpAsyncOp::create(a.b, a.loc(), a.address(0, 3), a.address(1, 1),
                          a.number(2), modifier, size);
}

static void buildBarrier(AsmBuilder &a) {
  Type i32 = a.b.getI32Type();
  if (a.kind() == Kind::warpBarrier) {
    NVVM::SyncWarpOp::create(a.b, a.loc(), a.value(0, i32));
  } else if (a.kind() == Kind::barrierArrive) {
    NVVM::BarrierArriveOp::create(a.b, a.loc(), a.value(0, i32),
                                  a.value(1, i32));
  } else if (a.operandCount() == 1 && a.isNumber(0, 0)) {
    gpu::BarrierOp::create(a.b, a.loc());
  } else {
    NVVM::BarrierOp::create(a.b, a.loc(), TypeRange(), a.value(0, i32),
                            a.operandCount() > 1 ? a.value(1, i32) : Value(),
                            NVVM::BarrierReductionAttr(), Value());
  }
}

static void buildShuffle(AsmBuilder &a) {
  Type i32 = a.b.getI32Type();
  auto kind = *NVVM::symbolizeShflKind(ptx::words(a.opcode())[2]);
  a.setResults(NVVM::ShflOp::create(a.b, a.loc(), i32, a.value(4, i32),
                                    a.value(1, i32), a.value(2, i32),
                                    a.value(3, i32), kind, UnitAttr()));
}

static void buildDot(AsmBuilder &a) {
  auto words = ptx::words(a.opcode());
  auto sign = [](StringRef type) {
    return type == "s32" ? NVVM::DotAccumulateType::SIGNED
                         : NVVM::DotAccumulateType::UNSIGNED;
  };
  Type bytes = VectorType::get(4, a.b.getI8Type()), i32 = a.b.getI32Type();
  a.setResults(NVVM::DotAccumulate4WayOp::create(
      a.b, a.loc(), i32, a.value(1, bytes), sign(words[1]), a.value(2, bytes),
      sign(words[2]), a.value(3, i32)));
}

static void buildConvert(AsmBuilder &a) {
  auto words = ptx::words(a.opcode());
  StringRef to = words[words.size() - 2], from = words.back();
  Type f32 = a.b.getF32Type(), i32 = a.b.getI32Type(), i64 = a.b.getI64Type();
  auto half = [&](StringRef name) -> Type {
    return name.starts_with("bf16") ? Type(a.b.getBF16Type())
                                    : Type(a.b.getF16Type());
  };
  Location loc = a.loc();
  if (to == "tf32") {
    a.setResults(NVVM::ConvertFloatToTF32Op::create(
        a.b, loc, i32, a.value(1, f32), NVVM::FPRoundingMode::RNA,
        NVVM::SaturationMode::NONE, false));
  } else if (to.ends_with("x2")) { // The first operand goes to the upper half.
    SmallVector<Value> pair;
    for (unsigned i : {2, 1})
      pair.push_back(
          arith::TruncFOp::create(a.b, loc, half(to), a.value(i, f32)));
    a.setResults(vector::FromElementsOp::create(
        a.b, loc, VectorType::get(2, half(to)), pair));
  } else if (to == "bf16" || to == "f16") {
    a.setResults(arith::TruncFOp::create(a.b, loc, half(to), a.value(1, f32)));
  } else if (from == "bf16" || from == "f16") {
    a.setResults(arith::ExtFOp::create(a.b, loc, f32, a.value(1, half(from))));
  } else if (to == "f32") {
    Value integer = a.value(1, i32);
    a.setResults(
        from == "s32"
            ? arith::SIToFPOp::create(a.b, loc, f32, integer).getResult()
            : arith::UIToFPOp::create(a.b, loc, f32, integer));
  } else if (to == "u32") {
    a.setResults(arith::TruncIOp::create(a.b, loc, i32, a.value(1, i64)));
  } else {
    Value integer = a.value(1, i32);
    a.setResults(
        from == "s32"
            ? arith::ExtSIOp::create(a.b, loc, i64, integer).getResult()
            : arith::ExtUIOp::create(a.b, loc, i64, integer));
  }
}

/// The first of two is the lower half.
static void buildPack(AsmBuilder &a) {
  bool packs = a.size(1) == 2;
  Type part = a.registerType(packs ? 1 : 0);
  VectorType pair = VectorType::get(2, part);
  if (packs)
    a.setResults(
        vector::FromElementsOp::create(a.b, a.loc(), pair, a.values(1, part)));
  else
    a.setResults(a.value(1, pair));
}

static void buildHalf(AsmBuilder &a) {
  auto words = ptx::words(a.opcode());
  StringRef name = words.front(), type = words.back();
  Type number = type.starts_with("bf16") ? Type(a.b.getBF16Type())
                                         : Type(a.b.getF16Type());
  if (type.ends_with("x2"))
    number = VectorType::get(2, number);
  Value x = a.value(1, number), y = a.value(2, number);
  Value made;
  if (name == "add")
    made = arith::AddFOp::create(a.b, a.loc(), x, y);
  else if (name == "sub")
    made = arith::SubFOp::create(a.b, a.loc(), x, y);
  else if (name == "mul")
    made = arith::MulFOp::create(a.b, a.loc(), x, y);
  else
    made = math::FmaOp::create(a.b, a.loc(), x, y, a.value(3, number));
  a.setResults(made);
}

/// A load or store that lift-memory takes on; `.nc` is an invariant load.
static void buildAccess(AsmBuilder &a) {
  bool load = a.kind() == Kind::load;
  unsigned space = ptx::words(a.opcode())[1] == "shared" ? 3 : 1;
  unsigned values = load ? 0 : 1, count = a.size(values);
  Type element = a.registerType(values);
  Type type = count == 1 ? element : Type(VectorType::get(count, element));
  unsigned align = count * element.getIntOrFloatBitWidth() / 8;
  Value address = a.address(load ? 1 : 0, space);
  if (load) {
    auto made = LLVM::LoadOp::create(a.b, a.loc(), type, address, align);
    made.setInvariant(StringRef(a.opcode()).contains(".nc"));
    a.setResults(made);
    return;
  }
  SmallVector<Value> stored = a.values(1, element);
  Value value = stored.front();
  if (count > 1)
    value = vector::FromElementsOp::create(a.b, a.loc(), cast<VectorType>(type),
                                           stored);
  LLVM::StoreOp::create(a.b, a.loc(), value, address, align);
}

static void buildPrefetch(AsmBuilder &a) {
  auto words = ptx::words(a.opcode());
  NVVM::PrefetchCacheLevelAttr level;
  NVVM::CacheEvictionPriorityAttr priority;
  MLIRContext *context = a.b.getContext();
  bool global = words[1] == "global";
  if (a.kind() == Kind::prefetch) {
    auto [cache, evict] = words.back().split("::");
    level = NVVM::PrefetchCacheLevelAttr::get(
        context, cache == "L1" ? NVVM::PrefetchCacheLevel::L1
                               : NVVM::PrefetchCacheLevel::L2);
    if (!evict.empty())
      priority = NVVM::CacheEvictionPriorityAttr::get(
          context, evict == "evict_last"
                       ? NVVM::CacheEvictionPriority::EvictLast
                       : NVVM::CacheEvictionPriority::EvictNormal);
  }
  auto unit = a.kind() == Kind::prefetch ? UnitAttr() : a.b.getUnitAttr();
  NVVM::PrefetchOp::create(a.b, a.loc(), level, priority,
                           a.address(0, global ? 1 : 0), Value(), unit,
                           UnitAttr(), UnitAttr());
}

/// fence.acq_rel and fence.sc are those of LLVM.
static void buildOrder(AsmBuilder &a) {
  auto words = ptx::words(a.opcode());
  StringRef scope = words[2] == "cta"   ? "block"
                    : words[2] == "gpu" ? "device"
                                        : "";
  LLVM::FenceOp::create(a.b, a.loc(),
                        words[1] == "sc" ? LLVM::AtomicOrdering::seq_cst
                                         : LLVM::AtomicOrdering::acq_rel,
                        scope);
}

static void buildFence(AsmBuilder &a) {
  StringRef scope = ptx::words(a.opcode()).back();
  if (a.kind() == Kind::membar) {
    auto which = scope == "cta"  ? NVVM::MemScopeKind::CTA
                 : scope == "gl" ? NVVM::MemScopeKind::GPU
                                 : NVVM::MemScopeKind::SYS;
    NVVM::MembarOp::create(a.b, a.loc(), which);
  } else if (a.kind() == Kind::fenceMbarrierInit) {
    NVVM::FenceMbarrierInitOp::create(a.b, a.loc());
  } else {
    auto kind = scope == "alias"    ? NVVM::ProxyKind::alias
                : scope == "async"  ? NVVM::ProxyKind::async
                : scope == "global" ? NVVM::ProxyKind::async_global
                                    : NVVM::ProxyKind::async_shared;
    auto space = kind == NVVM::ProxyKind::async_shared
                     ? NVVM::SharedSpaceAttr::get(a.b.getContext(),
                                                  NVVM::SharedSpace::shared_cta)
                     : NVVM::SharedSpaceAttr();
    NVVM::FenceProxyOp::create(
        a.b, a.loc(), NVVM::ProxyKindAttr::get(a.b.getContext(), kind), space);
  }
}

/// Operations without operands, or with a number only.
static bool buildSimple(AsmBuilder &a) {
  OpBuilder &b = a.b;
  switch (a.kind()) {
  case Kind::cpAsyncCommit:
    NVVM::CpAsyncCommitGroupOp::create(b, a.loc());
    return true;
  case Kind::cpAsyncWaitAll:
    // Without a commit that is all groups; the commit makes the last one.
    NVVM::CpAsyncCommitGroupOp::create(b, a.loc());
    NVVM::CpAsyncWaitGroupOp::create(b, a.loc(), 0);
    return true;
  case Kind::cpAsyncWaitGroup:
    NVVM::CpAsyncWaitGroupOp::create(b, a.loc(), a.number(0));
    return true;
  case Kind::bulkWait:
    NVVM::CpAsyncBulkWaitGroupOp::create(
        b, a.loc(), b.getI32IntegerAttr(a.number(0)),
        StringRef(a.opcode()).ends_with(".read") ? b.getUnitAttr()
                                                 : UnitAttr());
    return true;
  case Kind::bulkCommit:
    NVVM::CpAsyncBulkCommitGroupOp::create(b, a.loc());
    return true;
  case Kind::wgmmaFence:
    NVVM::WgmmaFenceAlignedOp::create(b, a.loc());
    return true;
  case Kind::wgmmaCommit:
    NVVM::WgmmaGroupSyncAlignedOp::create(b, a.loc());
    return true;
  case Kind::wgmmaWait:
    NVVM::WgmmaWaitGroupSyncOp::create(b, a.loc(), a.number(0));
    return true;
  case Kind::setMaxRegisters:
    NVVM::SetMaxRegisterOp::create(b, a.loc(), a.number(0),
                                   ptx::words(a.opcode())[1] == "inc"
                                       ? NVVM::SetMaxRegisterAction::increase
                                       : NVVM::SetMaxRegisterAction::decrease);
    return true;
  default:
    return false;
  }
}

static bool isCount(const AsmBuilder &a, unsigned operand, int64_t from,
                    int64_t to, int64_t step = 1) {
  auto value = a.constant(operand);
  return value && *value >= from && *value <= to && *value % step == 0;
}

/// Why the row has no operation that says exactly the same; empty if it has.
static StringRef whyKept(const AsmBuilder &a, const ptx::Match &match,
                         bool isVolatile) {
  StringRef opcode = a.opcode();
  if (match.statement.guard)
    return "a guarded instruction has no operation";
  if (match.row->hint)
    return "its cache policy has no counterpart";
  switch (a.kind()) {
  case Kind::barrier:
  case Kind::barrierArrive:
    return opcode.starts_with("bar.") || opcode.contains(".aligned")
               ? ""
               : "nvvm.barrier is aligned";
  case Kind::cpAsyncWaitGroup:
  case Kind::bulkWait:
  case Kind::wgmmaWait:
    return isCount(a, 0, 0, INT32_MAX) ? "" : "a negative count";
  case Kind::setMaxRegisters:
    return isCount(a, 0, 24, 256, 8) ? ""
                                     : "a register count that does not exist";
  case Kind::load:
    // It may be read again because another thread changes it.
    return isVolatile && !opcode.contains(".nc") ? "a volatile access stays"
                                                 : "";
  case Kind::wgmma:
    return whyWgmmaKept(a);
  case Kind::approximate:
    return "no operation for this instruction";
  default:
    return "";
  }
}

static void build(AsmBuilder &a) {
  if (buildSimple(a) || buildHopper(a))
    return;
  switch (a.kind()) {
  case Kind::mma:
    return buildMma(a);
  case Kind::ldmatrix:
  case Kind::stmatrix:
    return buildMatrix(a, a.kind() == Kind::ldmatrix);
  case Kind::cpAsync:
    return buildCopy(a);
  case Kind::barrier:
  case Kind::barrierArrive:
  case Kind::warpBarrier:
    return buildBarrier(a);
  case Kind::shuffle:
    return buildShuffle(a);
  case Kind::dot4:
    return buildDot(a);
  case Kind::convert:
    return buildConvert(a);
  case Kind::pack:
    return buildPack(a);
  case Kind::half:
    return buildHalf(a);
  case Kind::load:
  case Kind::store:
    return buildAccess(a);
  case Kind::prefetch:
  case Kind::prefetchTensormap:
    return buildPrefetch(a);
  case Kind::fence:
    return buildOrder(a);
  default:
    return buildFence(a);
  }
}

static bool liftStatement(LLVM::InlineAsmOp op) {
  auto constant = [&](unsigned i) -> std::optional<int64_t> {
    return i < op->getNumOperands() ? constantOf(op->getOperand(i))
                                    : std::nullopt;
  };
  auto match =
      ptx::matchInlineAsm(op.getAsmString(), op.getConstraints(), constant);
  if (!match) {
    reportKept(op, "inline PTX " + llvm::toString(match.takeError()));
    return false;
  }
  AsmBuilder builder(op, *match);
  StringRef why = whyKept(builder, *match, op.getHasSideEffects());
  if (why.empty())
    why = builder.whyNoValues();
  if (!why.empty()) {
    reportKept(op, "inline PTX " + match->row->opcode + ": " + why);
    return false;
  }
  build(builder);
  builder.finish();
  return true;
}

namespace {
struct LiftAsm : klineage::impl::LiftAsmPassBase<LiftAsm> {
  void runOnOperation() override {
    SmallVector<LLVM::InlineAsmOp> statements;
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      kernel.walk([&](LLVM::InlineAsmOp op) { statements.push_back(op); });
    });
    for (LLVM::InlineAsmOp op : statements)
      if (liftStatement(op))
        eraseWithUnused(op);
  }

  /// Numbers that were only made for the asm would keep their pointer.
  static void eraseWithUnused(Operation *op) {
    SmallVector<Operation *> worklist{op};
    for (bool first = true; !worklist.empty(); first = false) {
      Operation *next = worklist.pop_back_val();
      if (!first && !isOpTriviallyDead(next))
        continue;
      llvm::SmallSetVector<Operation *, 4> operands;
      for (Value operand : next->getOperands())
        if (Operation *def = operand.getDefiningOp())
          operands.insert(def);
      for (Operation *def : operands)
        llvm::erase(worklist, def);
      next->erase();
      worklist.append(operands.begin(), operands.end());
    }
  }
};
} // namespace
