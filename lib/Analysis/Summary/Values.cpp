//===- Values.cpp - Floats and vectors of the executor
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace klineage;
using namespace klineage::sym;

static std::string nameOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The value of an integer or a float as what memory and operations hold.
Term Executor::termOf(Type type, uint32_t id) {
  if (!type.isIntOrIndex())
    return Term(id);
  Poly p = Poly(id);
  if (auto atom = arena.atomOf(p))
    if (arena.node(*atom).kind == AtomNode::Kind::term)
      return Term(arena.node(*atom).name);
  return arena.ofPoly(arena.label(nameOf(type)), p);
}

uint32_t Executor::idOf(Type type, Term t) {
  if (!type.isIntOrIndex())
    return uint32_t(t);
  const TermNode &n = arena.node(t);
  if (n.kind == TermNode::Kind::ofPoly && n.label == arena.label(nameOf(type)))
    return uint32_t(n.poly);
  return uint32_t(arena.ofTerm(t));
}

uint32_t Executor::chosen(Type type, Pred p, uint32_t a, uint32_t b) {
  if (type.isInteger(1))
    return uint32_t(arena.any(
        {arena.all({p, Pred(a)}), arena.all({arena.negate(p), Pred(b)})}));
  if (type.isIntOrIndex())
    return uint32_t(arena.choose(p, Poly(a), Poly(b)));
  return uint32_t(arena.select(p, Term(a), Term(b)));
}

bool Executor::runConstant(arith::ConstantOp op) {
  auto idOfAttr = [&](Attribute attr) -> std::optional<uint32_t> {
    if (auto truth = dyn_cast<BoolAttr>(attr))
      return uint32_t(arena.boolean(truth.getValue()));
    if (auto integer = dyn_cast<IntegerAttr>(attr))
      return integer.getValue().getSignificantBits() > 63
                 ? std::optional<uint32_t>()
                 : uint32_t(arena.constant(integer.getValue().getSExtValue()));
    if (auto number = dyn_cast<FloatAttr>(attr))
      return uint32_t(
          arena.constant(arena.label(nameOf(number.getType())),
                         number.getValue().bitcastToAPInt().getZExtValue()));
    return std::nullopt;
  };
  Lanes lanes;
  if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue())) {
    lanes.width = unsigned(dense.getNumElements());
    for (Attribute attr : dense.getValues<Attribute>()) {
      auto id = idOfAttr(attr);
      if (!id)
        return refuse(op, "a constant of this type");
      lanes.ids.push_back(*id);
    }
  } else {
    auto id = idOfAttr(op.getValue());
    if (!id)
      return refuse(op, "a constant of this type");
    lanes.ids.push_back(*id);
  }
  values[op] = std::move(lanes);
  return true;
}

/// How many elements; none if the type is not handled.
static std::optional<unsigned> widthOf(Type type) {
  if (type.isIntOrIndexOrFloat())
    return 1;
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.isScalable() || vector.getNumElements() > 64)
    return std::nullopt;
  return unsigned(vector.getNumElements());
}

bool Executor::select(arith::SelectOp op) {
  auto width = widthOf(op.getType());
  if (!width || !op.getCondition().getType().isInteger(1))
    return refuse(op, "a selection of this type");
  Type type = getElementTypeOrSelf(op.getType());
  return map(op, op->getOperands(), op, *width,
             [&](ArrayRef<uint32_t> in, uint32_t *out) {
               Pred p = Pred(in[0]);
               if (auto fixed = arena.decide(p))
                 p = arena.boolean(*fixed);
               for (unsigned i = 0; i < *width; ++i)
                 out[i] = chosen(type, p, in[1 + i], in[1 + *width + i]);
               return true;
             });
}

/// Name of a float operation with what changes its meaning; contraction alone
/// is left to the level of a comparison.
static std::string labelOf(Operation &op) {
  std::string name = op.getName().stripDialect().str();
  if (isa<math::MathDialect>(op.getDialect()) && name != "fma")
    name = "math." + name;
  auto interface = dyn_cast<arith::ArithFastMathInterface>(op);
  if (auto flags = interface ? interface.getFastMathFlagsAttr() : nullptr) {
    auto rest = flags.getValue() & ~arith::FastMathFlags::contract;
    if (rest != arith::FastMathFlags::none)
      name += "<" + arith::stringifyFastMathFlags(rest) + ">";
  }
  if (auto cast = dyn_cast<arith::TruncFOp>(op))
    if (auto mode = cast.getRoundingmode())
      name += "<" + arith::stringifyRoundingMode(*mode).str() + ">";
  return name;
}

static bool isConversion(Operation &op) {
  return isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
             arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp>(op);
}

/// Operations whose attributes say nothing but fast math.
static bool isPlain(Operation &op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::RemFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, math::FmaOp>(op) ||
         (isa<math::MathDialect>(op.getDialect()) &&
          llvm::all_of(op.getOperandTypes(), [](Type t) {
            return isa<FloatType>(getElementTypeOrSelf(t));
          }));
}

bool Executor::runFloat(Operation &op, bool &known) {
  known = true;
  if (auto selection = dyn_cast<arith::SelectOp>(op))
    return select(selection);
  bool conversion = isConversion(op);
  auto cmp = dyn_cast<arith::CmpFOp>(op);
  if (!conversion && !cmp && !isPlain(op)) {
    known = false;
    return true;
  }
  auto width = widthOf(op.getResult(0).getType());
  if (!width)
    return refuse(&op, "a vector of this type");
  Type from = getElementTypeOrSelf(op.getOperand(0).getType());
  Type to = getElementTypeOrSelf(op.getResult(0).getType());
  std::string name = labelOf(op);
  if (cmp)
    name += "." + arith::stringifyCmpFPredicate(cmp.getPredicate()).str();
  if (conversion)
    name += "." + nameOf(to);
  Label label = arena.label(name);
  unsigned count = op.getNumOperands();
  return map(
      &op, op.getOperands(), op.getResult(0), *width,
      [&](ArrayRef<uint32_t> in, uint32_t *out) {
        for (unsigned i = 0; i < *width; ++i) {
          SmallVector<Term, 3> kids;
          for (unsigned k = 0; k < count; ++k)
            kids.push_back(termOf(from, in[k * *width + i]));
          if (isa<arith::BitcastOp>(op)) {
            // Back to where it came from.
            const TermNode &n = arena.node(kids[0]);
            if (n.kind == TermNode::Kind::op &&
                arena.text(n.label) ==
                    "bitcast." + nameOf(from) + "." + nameOf(to)) {
              out[i] = idOf(to, n.kids[0]);
              continue;
            }
            Label there =
                arena.label("bitcast." + nameOf(to) + "." + nameOf(from));
            out[i] = idOf(to, arena.op(there, kids));
            continue;
          }
          if (isa<arith::SIToFPOp, arith::UIToFPOp>(op) &&
              (from.isInteger(1) ||
               (isa<arith::UIToFPOp>(op) && !arena.isNonNegative(Poly(in[i])))))
            return false;
          if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
            out[i] = uint32_t(
                arena.ofPoly(arena.label("tofp." + nameOf(to)), Poly(in[i])));
            continue;
          }
          Term value = arena.op(label, kids);
          out[i] = cmp ? uint32_t(arena.ofTermPred(value)) : idOf(to, value);
        }
        return true;
      });
}

bool Executor::runVector(Operation &op, bool &known) {
  known = true;
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    auto type = extract.getSourceVectorType();
    if (type.getRank() != 1 || extract.getNumIndices() != 1 ||
        extract.hasDynamicPosition())
      return refuse(&op, "an element at a place that varies");
    int64_t at = extract.getStaticPosition()[0];
    return map(&op, extract.getSource(), extract.getResult(), 1,
               [&](ArrayRef<uint32_t> in, uint32_t *out) {
                 *out = in[at];
                 return true;
               });
  }
  if (isa<vector::BroadcastOp, vector::FromElementsOp>(op)) {
    auto width = widthOf(op.getResult(0).getType());
    if (!width || (isa<vector::BroadcastOp>(op) &&
                   isa<VectorType>(op.getOperand(0).getType())))
      return refuse(&op, "a vector of this type");
    return map(&op, op.getOperands(), op.getResult(0), *width,
               [&](ArrayRef<uint32_t> in, uint32_t *out) {
                 for (unsigned i = 0; i < *width; ++i)
                   out[i] = in[in.size() == 1 ? 0 : i];
                 return true;
               });
  }
  if (auto fma = dyn_cast<vector::FMAOp>(op)) {
    auto width = widthOf(fma.getType());
    if (!width)
      return refuse(&op, "a vector of this type");
    Label label = arena.label("fma");
    return map(&op, op.getOperands(), op.getResult(0), *width,
               [&](ArrayRef<uint32_t> in, uint32_t *out) {
                 for (unsigned i = 0; i < *width; ++i)
                   out[i] = uint32_t(
                       arena.op(label, {Term(in[i]), Term(in[*width + i]),
                                        Term(in[2 * *width + i])}));
                 return true;
               });
  }
  known = false;
  return true;
}
