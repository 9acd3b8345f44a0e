//===- Offsets.cpp - Pointers as offsets from their object
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Offsets.h"
#include "Utils.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace klineage;

namespace {
/// value * bytes, of the sum that a GEP adds.
struct Term {
  Value value;
  int64_t bytes;
};
struct Sum {
  int64_t constant = 0;
  SmallVector<Term> terms;
};
/// A factor that was multiplied into a value before it became an index.
struct Scaled {
  Value value;
  int64_t factor = 1;
  bool zeroExtended = false;
  int64_t shift = 0; ///< take value >> shift for x
};
} // namespace

/// How many low bits of an integer are known to be zero.
static int64_t trailingZeros(Value value, int depth = 0) {
  int64_t width = value.getType().getIntOrFloatBitWidth();
  if (auto constant = constantOf(value))
    return *constant ? llvm::countr_zero(uint64_t(*constant)) : width;
  Operation *def = value.getDefiningOp();
  if (!def || depth > 8)
    return 0;
  auto of = [&](unsigned operand) {
    return trailingZeros(def->getOperand(operand), depth + 1);
  };
  if (isa<arith::ShLIOp>(def)) {
    auto amount = constantOf(def->getOperand(1));
    return amount && *amount >= 0 ? std::min(width, of(0) + *amount) : of(0);
  }
  if (isa<arith::ShRSIOp, arith::ShRUIOp>(def)) {
    auto amount = constantOf(def->getOperand(1));
    return amount && *amount >= 0 ? std::max<int64_t>(0, of(0) - *amount) : 0;
  }
  if (isa<arith::AddIOp, arith::SubIOp>(def))
    return std::min(of(0), of(1));
  if (isa<arith::MulIOp>(def))
    return std::min(width, of(0) + of(1));
  if (isa<arith::AndIOp>(def))
    return std::max(of(0), of(1));
  return 0;
}

static std::optional<Sum> sumOf(LLVM::GEPOp gep) {
  Sum sum;
  Type type = gep.getElemType();
  bool first = true;
  LLVM::GEPIndicesAdaptor<ValueRange> indices(gep.getRawConstantIndicesAttr(),
                                              gep.getDynamicIndices());
  for (auto index : indices) {
    auto value = dyn_cast<Value>(index);
    std::optional<int64_t> constant =
        value ? constantOf(value) : cast<IntegerAttr>(index).getInt();
    auto structure = dyn_cast<LLVM::LLVMStructType>(type);
    if (!first && structure) {
      if (!constant)
        return std::nullopt;
      // The size of the fields before it, with the padding before it.
      SmallVector<Type> upTo(structure.getBody().take_front(*constant + 1));
      Type field = upTo.back();
      auto prefix = LLVM::LLVMStructType::getLiteral(gep.getContext(), upTo,
                                                     structure.isPacked());
      auto before = LLVM::LLVMStructType::getLiteral(
          gep.getContext(), ArrayRef<Type>(upTo).drop_back(),
          structure.isPacked());
      int64_t align =
          structure.isPacked() ? 1 : std::max<int64_t>(1, byteAlign(field));
      if (byteSize(prefix) <= 0)
        return std::nullopt;
      int64_t end = 0;
      for (Type other : before.getBody())
        end = (structure.isPacked()
                   ? end
                   : int64_t(llvm::alignTo(end, byteAlign(other)))) +
              byteSize(other);
      sum.constant += llvm::alignTo(end, align);
      type = field;
      continue;
    }
    if (!first) {
      if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
        type = array.getElementType();
      else if (auto vector = dyn_cast<VectorType>(type))
        type = vector.getElementType();
      else
        return std::nullopt;
    }
    first = false;
    int64_t bytes = byteSize(type);
    if (bytes <= 0 && constant != 0)
      return std::nullopt;
    if (constant)
      sum.constant += *constant * bytes;
    else
      sum.terms.push_back({value, bytes});
  }
  return sum;
}

static bool has(arith::IntegerOverflowFlags flags,
                arith::IntegerOverflowFlags flag) {
  return bitEnumContainsAny(flags, flag);
}

/// `value` = x * factor where that holds for the 64-bit numbers, too: at 64
/// bits addresses wrap alike, below the product must be known not to.
static Scaled scaledOf(Value value) {
  Scaled result{value};
  Value inner = value;
  auto need = arith::IntegerOverflowFlags::nsw;
  bool extended = false;
  if (auto extension = value.getDefiningOp<arith::ExtSIOp>()) {
    inner = extension.getIn();
    extended = true;
  } else if (auto extension = value.getDefiningOp<arith::ExtUIOp>()) {
    inner = extension.getIn();
    need = arith::IntegerOverflowFlags::nuw;
    extended = result.zeroExtended = true;
  }
  bool wide = inner.getType().getIntOrFloatBitWidth() == 64 && !extended;
  if (auto shift = inner.getDefiningOp<arith::ShLIOp>()) {
    auto amount = constantOf(shift.getRhs());
    if (amount && *amount >= 0 && *amount < 31 &&
        (wide || has(shift.getOverflowFlags(), need))) {
      result.value = shift.getLhs();
      result.factor = int64_t(1) << *amount;
      return result;
    }
  }
  if (auto mul = inner.getDefiningOp<arith::MulIOp>()) {
    auto factor = constantOf(mul.getRhs());
    if (factor && *factor > 0 && (wide || has(mul.getOverflowFlags(), need))) {
      result.value = mul.getLhs();
      result.factor = *factor;
      return result;
    }
  }
  // Whatever made the bits: y = (y >> n) * 2^n if the low n are zero.
  int64_t zeros = std::min<int64_t>(4, trailingZeros(value));
  Scaled shifted{value};
  shifted.factor = int64_t(1) << zeros;
  shifted.shift = zeros;
  return shifted;
}

static bool divides(const Term &term, int64_t size) {
  return term.bytes % size == 0 ||
         (scaledOf(term.value).factor * term.bytes) % size == 0;
}

void klineage::checkOffsets(PointerBase &base) {
  int64_t size = byteSize(base.element);
  for (Value pointer : base.pointers) {
    auto gep = pointer.getDefiningOp<LLVM::GEPOp>();
    if (!gep)
      continue;
    std::optional<Sum> sum = sumOf(gep);
    if (!sum)
      base.fail(gep, "the layout of the type is not known");
    else if (sum->constant % size || llvm::any_of(sum->terms, [&](Term &term) {
               return !divides(term, size);
             }))
      base.fail(gep, "the offset is no multiple of the element's " +
                         Twine(size) + " bytes");
  }
}

Value OffsetBuilder::ofGep(LLVM::GEPOp gep, int64_t size) {
  OpBuilder b(gep);
  Location loc = gep.getLoc();
  Type index = b.getIndexType();
  Sum sum = *sumOf(gep);
  Value result = elements(gep.getBase());
  auto add = [&](Value value) {
    result = constantOf(result) == 0
                 ? value
                 : arith::AddIOp::create(b, loc, result, value).getResult();
  };
  for (Term &term : sum.terms) {
    Scaled scaled{term.value};
    if (term.bytes % size)
      scaled = scaledOf(term.value);
    if (scaled.shift)
      scaled.value = arith::ShRSIOp::create(
          b, loc, scaled.value,
          arith::ConstantOp::create(
              b, loc, b.getIntegerAttr(scaled.value.getType(), scaled.shift)));
    Value value =
        scaled.zeroExtended
            ? arith::IndexCastUIOp::create(b, loc, index, scaled.value)
                  .getResult()
            : arith::IndexCastOp::create(b, loc, index, scaled.value)
                  .getResult();
    int64_t stride = scaled.factor * term.bytes / size;
    if (stride != 1)
      value = arith::MulIOp::create(
          b, loc, value, arith::ConstantIndexOp::create(b, loc, stride));
    add(value);
  }
  if (sum.constant)
    add(arith::ConstantIndexOp::create(b, loc, sum.constant / size));
  return result;
}

Value OffsetBuilder::ofArgument(BlockArgument arg) {
  Block *block = arg.getOwner();
  Builder b(arg.getContext());
  BlockArgument offset = block->addArgument(b.getIndexType(), arg.getLoc());
  known[arg] = offset; // Before the loop comes back to it.
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    auto operands = cast<BranchOpInterface>((*it)->getTerminator())
                        .getSuccessorOperands(it.getSuccessorIndex());
    Value incoming = elements(operands[arg.getArgNumber()]);
    // Making it may have added operands to this very edge.
    cast<BranchOpInterface>((*it)->getTerminator())
        .getSuccessorOperands(it.getSuccessorIndex())
        .append(incoming);
  }
  return offset;
}

Value OffsetBuilder::elements(Value pointer) {
  if (Value found = known.lookup(pointer))
    return found;
  Value result;
  Operation *def = pointer.getDefiningOp();
  if (auto gep = dyn_cast_or_null<LLVM::GEPOp>(def)) {
    result = ofGep(gep, byteSize(analysis.baseOf(pointer)->element));
  } else if (auto cast = dyn_cast_or_null<LLVM::AddrSpaceCastOp>(def)) {
    result = elements(cast.getArg());
  } else if (auto select = dyn_cast_or_null<LLVM::SelectOp>(def)) {
    Value left = elements(select.getTrueValue());
    Value right = elements(select.getFalseValue());
    OpBuilder b(select);
    result = arith::SelectOp::create(b, select.getLoc(), select.getCondition(),
                                     left, right);
  } else if (auto arg = dyn_cast<BlockArgument>(pointer);
             arg && !arg.getOwner()->isEntryBlock()) {
    return ofArgument(arg);
  } else {
    OpBuilder b(pointer.getContext());
    b.setInsertionPointToStart(def ? def->getBlock()
                                   : pointer.getParentBlock());
    result = arith::ConstantIndexOp::create(b, pointer.getLoc(), 0);
  }
  known[pointer] = result;
  return result;
}
