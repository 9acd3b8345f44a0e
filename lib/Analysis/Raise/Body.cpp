//===- Body.cpp - Expressions as scalar operations
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Symbolic/Print.h"
#include "Raiser.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace klineage;
using namespace klineage::sym;

using Kind = TermNode::Kind;

Type Raiser::parseType(StringRef name) {
  return mlir::parseType(name, b.getContext());
}

/// Operations that change the type, with the new one behind the last dot.
static bool isConversion(StringRef name) {
  for (StringRef prefix :
       {"extf.", "truncf.", "fptosi.", "fptoui.", "bitcast.", "truncf<"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

/// Null if nothing in the expression says it.
Type Raiser::typeOf(Term t) {
  if (auto it = types.find(t); it != types.end())
    return it->second;
  const TermNode n = arena.node(t);
  Type type;
  StringRef text = n.kind == Kind::constant || n.kind == Kind::argument ||
                           n.kind == Kind::op || n.kind == Kind::ofPoly
                       ? arena.text(n.label)
                       : "";
  if (n.kind == Kind::constant) {
    type = parseType(text);
  } else if (n.kind == Kind::ofPoly) {
    type = parseType(text.substr(text.rfind('.') + 1));
  } else if (n.kind == Kind::op && isConversion(text)) {
    type = parseType(text.substr(text.rfind('.') + 1));
  } else if (n.kind == Kind::argument) {
    unsigned number;
    if (text.consume_front("arg") && !text.getAsInteger(10, number))
      type = entry.getArgument(number).getType();
  } else if (n.kind == Kind::load && n.bits < entry.getNumArguments()) {
    type =
        cast<MemRefType>(entry.getArgument(n.bits).getType()).getElementType();
  } else {
    for (Term kid : n.kids)
      if (!type)
        type = typeOf(kid);
  }
  return types[t] = type;
}

Value Raiser::constantOf(StringRef op, Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return {};
  const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
  APFloat value = APFloat::getZero(semantics);
  if (op == "mulf")
    value = APFloat::getOne(semantics);
  else if (op == "maximumf" || op == "maxnumf")
    value = APFloat::getInf(semantics, /*Negative=*/true);
  else if (op == "minimumf" || op == "minnumf")
    value = APFloat::getInf(semantics);
  else if (op != "addf")
    return {};
  return arith::ConstantOp::create(b, entry.getLoc(),
                                   b.getFloatAttr(type, value));
}

Value Raiser::build(Poly p, BodyScope &scope) {
  Location loc = entry.getLoc();
  Value sum;
  for (const Monomial &m : arena.node(p).terms) {
    Value product = arith::ConstantIndexOp::create(b, loc, m.coefficient);
    for (Atom atom : m.atoms) {
      const Axis *axis = llvm::find_if(
          scope.axes, [&](const Axis &each) { return each.atom == atom; });
      Value factor;
      if (axis != scope.axes.end()) {
        factor = linalg::IndexOp::create(b, loc, axis - scope.axes.begin());
      } else if (arena.node(atom).kind == AtomNode::Kind::symbol) {
        OpBuilder::InsertionGuard guard(b);
        Operation *outer = b.getBlock()->getParentOp();
        if (isa<linalg::GenericOp>(outer))
          b.setInsertionPoint(outer);
        factor = extentOf(arena.ofAtom(atom));
      } else {
        fail("an index that is no sum of coordinates: " +
             Printer(arena, 200).str(p));
      }
      if (!factor)
        return {};
      product = arith::MulIOp::create(b, loc, product, factor);
    }
    sum =
        sum ? arith::AddIOp::create(b, loc, sum, product).getResult() : product;
  }
  return sum ? sum : arith::ConstantIndexOp::create(b, loc, 0).getResult();
}

Value Raiser::build(Pred p, BodyScope &scope) {
  using P = PredNode::Kind;
  Location loc = entry.getLoc();
  const PredNode n = arena.node(p);
  auto compare = [&](arith::CmpIPredicate predicate) -> Value {
    Value left = build(Poly(n.operand), scope);
    if (!left)
      return {};
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    return arith::CmpIOp::create(b, loc, predicate, left, zero);
  };
  switch (n.kind) {
  case P::yes:
  case P::no:
    return arith::ConstantOp::create(b, loc, b.getBoolAttr(n.kind == P::yes));
  case P::nonNegative:
    return compare(arith::CmpIPredicate::sge);
  case P::zero:
    return compare(arith::CmpIPredicate::eq);
  case P::nonZero:
    return compare(arith::CmpIPredicate::ne);
  case P::term:
  case P::notTerm: {
    Value value = build(Term(n.operand), b.getI1Type(), scope);
    if (!value || n.kind == P::term)
      return value;
    Value one = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    return arith::XOrIOp::create(b, loc, value, one);
  }
  case P::all:
  case P::any: {
    Value joined;
    for (Pred part : n.parts) {
      Value value = build(part, scope);
      if (!value)
        return {};
      if (!joined)
        joined = value;
      else if (n.kind == P::all)
        joined = arith::AndIOp::create(b, loc, joined, value);
      else
        joined = arith::OrIOp::create(b, loc, joined, value);
    }
    return joined;
  }
  }
  return {};
}

Value Raiser::buildOp(const TermNode &n, Type expected, BodyScope &scope) {
  StringRef label = arena.text(n.label);
  auto refuse = [&]() -> Value {
    fail("'" + label + "' has no scalar form");
    return {};
  };
  StringRef name = label;
  bool isCmp = name.consume_front("cmpf."), converts = isConversion(name);
  if (label.contains('<') || name.starts_with("bitcast"))
    return refuse();
  Type operandType;
  for (Term kid : n.kids)
    if (!operandType)
      operandType = typeOf(kid);
  if (!operandType)
    operandType = expected;
  SmallVector<Value> operands;
  for (Term kid : n.kids) {
    operands.push_back(build(kid, operandType, scope));
    if (!operands.back())
      return {};
  }
  Location loc = entry.getLoc();
  if (isCmp) {
    auto predicate = arith::symbolizeCmpFPredicate(name);
    if (!predicate || operands.size() != 2)
      return refuse();
    return arith::CmpFOp::create(b, loc, *predicate, operands[0], operands[1]);
  }
  Type type =
      converts ? parseType(name.substr(name.rfind('.') + 1)) : operandType;
  std::string full = name.str();
  if (converts)
    full = name.substr(0, name.find('.')).str();
  if (full == "fma")
    full = "math.fma";
  else if (!name.starts_with("math."))
    full = "arith." + full;
  OperationName known(full, b.getContext());
  if (!known.isRegistered() || !type)
    return refuse();
  OperationState state(loc, known);
  state.addOperands(operands);
  state.addTypes(type);
  return b.create(state)->getResult(0);
}

/// The operations that compute `t`; null, and why, if there are none.
Value Raiser::build(Term t, Type expected, BodyScope &scope) {
  if (auto it = scope.known.find(t); it != scope.known.end())
    return it->second;
  const TermNode n = arena.node(t);
  Location loc = entry.getLoc();
  Value value;
  switch (n.kind) {
  case Kind::constant: {
    auto type = dyn_cast_or_null<FloatType>(typeOf(t));
    if (type)
      value = arith::ConstantOp::create(
          b, loc,
          b.getFloatAttr(type, APFloat(type.getFloatSemantics(),
                                       APInt(type.getWidth(), n.bits))));
    break;
  }
  case Kind::argument: {
    StringRef text = arena.text(n.label);
    unsigned number;
    if (text.consume_front("neutral."))
      value = constantOf(text, expected);
    else if (text.consume_front("arg") && !text.getAsInteger(10, number))
      value = entry.getArgument(number);
    break;
  }
  case Kind::op:
    value = buildOp(n, expected, scope);
    break;
  case Kind::select: {
    Value condition = build(n.pred, scope);
    Type type = typeOf(t) ? typeOf(t) : expected;
    Value yes = condition ? build(n.kids[0], type, scope) : Value();
    Value no = yes ? build(n.kids[1], type, scope) : Value();
    if (no)
      value = arith::SelectOp::create(b, loc, condition, yes, no);
    break;
  }
  case Kind::ofPoly: {
    Value index = build(n.poly, scope);
    Type type = typeOf(t);
    if (index && type && arena.text(n.label).starts_with("tofp.")) {
      index = arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
      value = arith::SIToFPOp::create(b, loc, type, index);
    } else if (index && type && type.isInteger()) {
      value = arith::IndexCastOp::create(b, loc, type, index);
    }
    break;
  }
  default:
    break;
  }
  if (!value) {
    fail("no scalar operations compute " + Printer(arena, 300).str(t));
    return {};
  }
  return scope.known[t] = value;
}
