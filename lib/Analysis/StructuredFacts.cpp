//===- StructuredFacts.cpp - Alignment, divisors, combiners
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/StructuredClauses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace klineage;

Value klineage::baseOf(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    auto view = dyn_cast<ViewLikeOpInterface>(def);
    if (!view)
      break;
    value = view.getViewSource();
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Divisors: the lattice of gcd, 0 on top (zero is divisible by everything)
//===----------------------------------------------------------------------===//

static int64_t divisorOf(AffineExpr expr, ArrayRef<int64_t> operands,
                         unsigned numDims) {
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    return std::abs(cast<AffineConstantExpr>(expr).getValue());
  case AffineExprKind::DimId:
    return operands[cast<AffineDimExpr>(expr).getPosition()];
  case AffineExprKind::SymbolId:
    return operands[numDims + cast<AffineSymbolExpr>(expr).getPosition()];
  default:
    break;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = divisorOf(binary.getLHS(), operands, numDims);
  int64_t rhs = divisorOf(binary.getRHS(), operands, numDims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return std::gcd(lhs, rhs);
  case AffineExprKind::Mul: {
    int64_t product;
    return llvm::MulOverflow(lhs, rhs, product) ? std::max(lhs, rhs) : product;
  }
  case AffineExprKind::Mod:
    // x mod c = x - c * floor(x / c).
    return std::gcd(lhs, rhs);
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return rhs > 0 && lhs % rhs == 0 ? lhs / rhs : 1;
  default:
    return 1;
  }
}

static int64_t divisorOfLoopIndex(BlockArgument arg) {
  Operation *parent = arg.getOwner()->getParentOp();
  auto loop = dyn_cast_or_null<LoopLikeOpInterface>(parent);
  if (!loop)
    return 1;
  auto ivs = loop.getLoopInductionVars();
  auto lower = loop.getLoopLowerBounds();
  auto steps = loop.getLoopSteps();
  if (!ivs || !lower || !steps)
    return 1;
  for (auto [iv, lb, step] : llvm::zip(*ivs, *lower, *steps))
    if (iv == arg)
      return std::gcd(knownDivisor(lb), knownDivisor(step));
  return 1;
}

int64_t klineage::knownDivisor(OpFoldResult value) {
  if (auto constant = getConstantIntValue(value))
    return std::abs(*constant);
  Value v = dyn_cast<Value>(value);
  if (!v)
    return 1;
  if (auto arg = dyn_cast<BlockArgument>(v))
    return divisorOfLoopIndex(arg);
  auto each = [](ValueRange values) {
    return llvm::map_to_vector(values, [](Value v) { return knownDivisor(v); });
  };
  return llvm::TypeSwitch<Operation *, int64_t>(v.getDefiningOp())
      .Case([&](affine::AffineApplyOp op) {
        return divisorOf(op.getAffineMap().getResult(0), each(op.getOperands()),
                         op.getAffineMap().getNumDims());
      })
      .Case<affine::AffineMinOp, affine::AffineMaxOp>([&](auto op) {
        int64_t divisor = 0;
        for (AffineExpr expr : op.getMap().getResults())
          divisor = std::gcd(divisor, divisorOf(expr, each(op.getOperands()),
                                                op.getMap().getNumDims()));
        return divisor;
      })
      .Case([&](arith::MulIOp op) {
        int64_t product;
        int64_t a = knownDivisor(op.getLhs()), b = knownDivisor(op.getRhs());
        return llvm::MulOverflow(a, b, product) ? std::max(a, b) : product;
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::RemSIOp, arith::RemUIOp>(
          [&](auto op) {
            return std::gcd(knownDivisor(op.getLhs()),
                            knownDivisor(op.getRhs()));
          })
      .Case([&](arith::XOrIOp op) {
        // The low bits that are zero in both stay so.
        int64_t common =
            std::gcd(knownDivisor(op.getLhs()), knownDivisor(op.getRhs()));
        return common & -common;
      })
      .Case<arith::MinSIOp, arith::MaxSIOp>([&](auto op) {
        return std::gcd(knownDivisor(op.getLhs()), knownDivisor(op.getRhs()));
      })
      .Case([&](arith::SelectOp op) {
        return std::gcd(knownDivisor(op.getTrueValue()),
                        knownDivisor(op.getFalseValue()));
      })
      .Case([&](arith::IndexCastOp op) { return knownDivisor(op.getIn()); })
      .Default([](Operation *) { return int64_t(1); });
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

static int64_t lowestBit(int64_t value, int64_t whenZero) {
  return value == 0 ? whenZero : value & -value;
}

static int64_t bytesOf(Type type) {
  return type.isIntOrFloat() ? (type.getIntOrFloatBitWidth() + 7) / 8 : 8;
}

/// What is known of the address that the view adds to its source's.
static int64_t alignmentOfOffsets(memref::SubViewOp view, int64_t whole) {
  int64_t offset;
  SmallVector<int64_t> strides;
  MemRefType source = view.getSourceType();
  if (failed(source.getStridesAndOffset(strides, offset)))
    return 1;
  int64_t element = bytesOf(source.getElementType());
  int64_t result = whole;
  for (auto [value, stride] : llvm::zip(view.getMixedOffsets(), strides)) {
    int64_t divisor = knownDivisor(value);
    int64_t scale = ShapedType::isDynamic(stride) ? 1 : stride;
    int64_t bytes;
    if (llvm::MulOverflow(divisor, scale * element, bytes))
      bytes = element;
    result = std::min(result, lowestBit(bytes, whole));
  }
  return result;
}

int64_t klineage::knownAlignment(Value buffer) {
  constexpr int64_t kDeviceTemporary = 256;
  auto type = cast<MemRefType>(buffer.getType());
  int64_t element = lowestBit(bytesOf(type.getElementType()), 1);
  if (auto arg = dyn_cast<BlockArgument>(buffer)) {
    auto func =
        dyn_cast_or_null<FunctionOpInterface>(arg.getOwner()->getParentOp());
    if (!func || !arg.getOwner()->isEntryBlock())
      return element;
    auto align = func.getArgAttrOfType<IntegerAttr>(
        arg.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName());
    return align ? std::max(element, align.getInt()) : element;
  }
  return llvm::TypeSwitch<Operation *, int64_t>(buffer.getDefiningOp())
      .Case<memref::AllocOp, memref::AllocaOp>([&](auto op) {
        bool global = !op.getType().getMemorySpace();
        int64_t declared = op.getAlignment().value_or(global ? 1 : 16);
        return std::max(declared, global ? kDeviceTemporary : int64_t(16));
      })
      .Case([&](memref::SubViewOp op) {
        int64_t source = knownAlignment(op.getSource());
        return std::min(source, alignmentOfOffsets(op, source));
      })
      .Case<memref::CastOp, memref::ExpandShapeOp, memref::CollapseShapeOp,
            memref::AssumeAlignmentOp>([&](auto op) {
        int64_t source = knownAlignment(op->getOperand(0));
        if (auto assume =
                dyn_cast<memref::AssumeAlignmentOp>(op.getOperation()))
          return std::max<int64_t>(source, assume.getAlignment());
        return source;
      })
      .Default([&](Operation *) { return element; });
}

//===----------------------------------------------------------------------===//
// Aliasing
//===----------------------------------------------------------------------===//

/// Memory that no other value has unless it is a view: attributions of a
/// kernel, too, which are arguments of its block, but none of the function.
static bool isAllocation(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value))
    if (auto kernel =
            dyn_cast_or_null<gpu::GPUFuncOp>(arg.getOwner()->getParentOp()))
      return arg.getArgNumber() >= kernel.getNumArguments() &&
             arg.getOwner()->isEntryBlock();
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
      value.getDefiningOp());
}

static bool isNoAliasArgument(Value value) {
  auto arg = dyn_cast<BlockArgument>(value);
  auto func =
      arg ? dyn_cast_or_null<FunctionOpInterface>(arg.getOwner()->getParentOp())
          : FunctionOpInterface();
  // Attributions are arguments of the block, but none of the function.
  return func && arg.getArgNumber() < func.getNumArguments() &&
         func.getArgAttr(arg.getArgNumber(),
                         LLVM::LLVMDialect::getNoAliasAttrName());
}

/// An argument of the entry or of a kernel. Others, such as those of loops that
/// carry a buffer, may be anything.
static bool isEntryArgument(Value value) {
  auto arg = dyn_cast<BlockArgument>(value);
  return arg && arg.getOwner()->isEntryBlock() &&
         isa_and_nonnull<FunctionOpInterface>(arg.getOwner()->getParentOp());
}

bool klineage::ownsItsMemory(Value value) {
  Value base = baseOf(value);
  return isAllocation(base) || isNoAliasArgument(base);
}

bool klineage::provablyDistinct(Value a, Value b) {
  Value first = baseOf(a), second = baseOf(b);
  if (first == second)
    return false;
  // A raw address may come from any buffer.
  if (!isa<BaseMemRefType>(first.getType()) ||
      !isa<BaseMemRefType>(second.getType()))
    return false;
  bool firstAlloc = isAllocation(first), secondAlloc = isAllocation(second);
  if (firstAlloc || secondAlloc)
    return (firstAlloc || isEntryArgument(first)) &&
           (secondAlloc || isEntryArgument(second));
  return isEntryArgument(first) && isEntryArgument(second) &&
         (isNoAliasArgument(first) || isNoAliasArgument(second));
}

/// Operations that declare no effects although they have none that another
/// thread's buffers could see.
static bool touchesNoBuffer(Operation *op) {
  return isa<gpu::BarrierOp, gpu::AllReduceOp>(op) || isMemoryEffectFree(op);
}

/// What one operation by itself does to the buffer at `base`. Structured
/// operations have effects of their own besides those of their regions.
static std::optional<bool> writes(Operation *op, Value base) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    bool harmless = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                    op->hasTrait<OpTrait::IsTerminator>() ||
                    touchesNoBuffer(op);
    return harmless ? std::optional<bool>() : std::optional<bool>(false);
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  std::optional<bool> result;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (!isa<MemoryEffects::Write>(effect.getEffect()))
      continue;
    Value target = effect.getValue();
    if (!target || !isa<MemRefType>(target.getType())) {
      if (!isa<gpu::BarrierOp>(op))
        result = false;
    } else if (baseOf(target) == base) {
      return true;
    } else if (!provablyDistinct(target, base)) {
      result = false;
    }
  }
  return result;
}

bool klineage::mayWrite(Operation *op, Value buffer) {
  return writes(op, baseOf(buffer)).has_value();
}

Operation *klineage::findWriter(Operation *root, Value buffer, bool *certain) {
  Value base = baseOf(buffer);
  Operation *found = nullptr;
  root->walk([&](Operation *op) {
    if (found || op == root || op->getParentOfType<linalg::LinalgOp>())
      return;
    if (std::optional<bool> sure = writes(op, base)) {
      found = op;
      if (certain)
        *certain = *sure;
    }
  });
  return found;
}

/// True if one operation by itself may read or write the buffer at `base`.
static bool accesses(Operation *op, Value base) {
  if (touchesNoBuffer(op))
    return false;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
           !op->hasTrait<OpTrait::IsTerminator>();
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(
      effects, [&](const MemoryEffects::EffectInstance &effect) {
        if (!isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()))
          return false;
        Value target = effect.getValue();
        return !target || !isa<MemRefType>(target.getType()) ||
               !provablyDistinct(target, base);
      });
}

Operation *klineage::findAccess(Operation *root, Value buffer,
                                llvm::function_ref<bool(Operation *)> skip) {
  Value base = baseOf(buffer);
  Operation *found = nullptr;
  root->walk([&](Operation *op) {
    auto structured = op->getParentOfType<linalg::LinalgOp>();
    if (!found && !structured && !skip(op) && accesses(op, base))
      found = op;
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Combiners
//===----------------------------------------------------------------------===//

Operation *klineage::findCombiner(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1)
    return nullptr;
  Block *body = op.getBlock();
  BlockArgument out = body->getArguments().back();
  auto yielded = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!yielded || yielded->getNumOperands() != 2 || !out.hasOneUse() ||
      *out.getUsers().begin() != yielded)
    return nullptr;
  return yielded;
}

std::optional<TypedAttr> klineage::neutralElementOf(Operation *combiner) {
  auto value = arith::getNeutralElement(combiner);
  if (!value)
    return std::nullopt;
  return *value;
}
