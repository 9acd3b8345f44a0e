//===- Print.cpp - Expressions as text
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Symbolic/Print.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace klineage::sym;

template <typename Id> std::string Printer::whole(Id id) {
  out.clear();
  print(id);
  return std::move(out);
}

std::string Printer::str(Poly p) { return whole(p); }
std::string Printer::str(Pred p) { return whole(p); }
std::string Printer::str(Term t) { return whole(t); }

void Printer::print(Atom a) {
  const AtomNode &n = arena.node(a);
  const char *sign = nullptr;
  switch (n.kind) {
  case AtomNode::Kind::symbol:
    out += arena.symbolName(n);
    return;
  case AtomNode::Kind::term:
    out += "int(";
    print(Term(n.name));
    out += ")";
    return;
  case AtomNode::Kind::choose:
    out += "(";
    print(Pred(n.name));
    out += " ? ";
    print(n.lhs);
    out += " : ";
    print(n.rhs);
    out += ")";
    return;
  case AtomNode::Kind::min:
  case AtomNode::Kind::max:
    out += n.kind == AtomNode::Kind::min ? "min(" : "max(";
    print(n.lhs);
    out += ", ";
    print(n.rhs);
    out += ")";
    return;
  case AtomNode::Kind::floorDiv:
    sign = ") / (";
    break;
  case AtomNode::Kind::bitAnd:
    sign = ") & (";
    break;
  case AtomNode::Kind::bitOr:
    sign = ") | (";
    break;
  case AtomNode::Kind::bitXor:
    sign = ") ^ (";
    break;
  }
  out += "((";
  print(n.lhs);
  out += sign;
  print(n.rhs);
  out += "))";
}

void Printer::print(Poly p) {
  if (out.size() > limit) {
    out += "...";
    return;
  }
  const PolyNode &n = arena.node(p);
  if (n.terms.empty())
    out += "0";
  // The constant last, as one writes it.
  for (size_t i = 0; i < n.terms.size(); ++i) {
    size_t first = n.terms[0].atoms.empty() ? 1 : 0;
    const Monomial &m = n.terms[(i + first) % n.terms.size()];
    int64_t c = m.coefficient;
    if (i > 0) {
      out += c < 0 ? " - " : " + ";
      c = c < 0 ? -c : c;
    }
    bool one = (c == 1 || c == -1) && !m.atoms.empty();
    if (c == -1 && one)
      out += "-";
    if (!one)
      out += std::to_string(c);
    bool first1 = one;
    for (Atom atom : m.atoms) {
      if (!first1)
        out += "*";
      first1 = false;
      print(atom);
    }
  }
}

void Printer::print(Pred p) {
  if (out.size() > limit) {
    out += "...";
    return;
  }
  const PredNode &n = arena.node(p);
  switch (n.kind) {
  case PredNode::Kind::yes:
  case PredNode::Kind::no:
    out += n.kind == PredNode::Kind::yes ? "true" : "false";
    return;
  case PredNode::Kind::nonNegative:
    print(Poly(n.operand));
    out += " >= 0";
    return;
  case PredNode::Kind::zero:
  case PredNode::Kind::nonZero:
    print(Poly(n.operand));
    out += n.kind == PredNode::Kind::zero ? " == 0" : " != 0";
    return;
  case PredNode::Kind::term:
  case PredNode::Kind::notTerm:
    out += n.kind == PredNode::Kind::term ? "" : "not ";
    print(Term(n.operand));
    return;
  case PredNode::Kind::all:
  case PredNode::Kind::any:
    out += "(";
    for (size_t i = 0; i < n.parts.size(); ++i) {
      if (i)
        out += n.kind == PredNode::Kind::all ? " and " : " or ";
      print(n.parts[i]);
    }
    out += ")";
  }
}

void Printer::printOp(const TermNode &n) {
  llvm::StringRef name = arena.text(n.label);
  llvm::StringRef sign = llvm::StringSwitch<llvm::StringRef>(name)
                             .Case("addf", " + ")
                             .Case("subf", " - ")
                             .Case("mulf", " * ")
                             .Case("divf", " / ")
                             .Default("");
  if (sign.empty())
    out += name;
  out += "(";
  for (size_t i = 0; i < n.kids.size(); ++i) {
    if (i)
      out += sign.empty() ? ", " : sign;
    print(n.kids[i]);
  }
  out += ")";
}

/// The number that a constant of type `type` is.
static std::string constantText(llvm::StringRef type, uint64_t bits) {
  const llvm::fltSemantics *semantics =
      llvm::StringSwitch<const llvm::fltSemantics *>(type)
          .Case("f16", &llvm::APFloat::IEEEhalf())
          .Case("bf16", &llvm::APFloat::BFloat())
          .Case("f32", &llvm::APFloat::IEEEsingle())
          .Case("f64", &llvm::APFloat::IEEEdouble())
          .Default(nullptr);
  if (!semantics)
    return type.str() + ":0x" + llvm::utohexstr(bits);
  unsigned width = llvm::APFloat::getSizeInBits(*semantics);
  llvm::APFloat value(*semantics, llvm::APInt(width, bits));
  llvm::SmallString<24> text;
  value.toString(text);
  return text.str().str();
}

void Printer::print(Term t) {
  if (out.size() > limit) {
    out += "...";
    return;
  }
  const TermNode &n = arena.node(t);
  switch (n.kind) {
  case TermNode::Kind::constant:
    out += constantText(arena.text(n.label), n.bits);
    return;
  case TermNode::Kind::argument:
    out += arena.text(n.label);
    return;
  case TermNode::Kind::load:
    if (onLoad) {
      out += onLoad(n.bits, n.poly);
      return;
    }
    out += "a" + std::to_string(n.bits) + "[";
    print(n.poly);
    out += "]";
    return;
  case TermNode::Kind::op:
    return printOp(n);
  case TermNode::Kind::select:
    out += "(";
    print(n.pred);
    out += " ? ";
    print(n.kids[0]);
    out += " : ";
    print(n.kids[1]);
    out += ")";
    return;
  case TermNode::Kind::ofPoly:
    out += arena.text(n.label);
    out += "(";
    print(n.poly);
    out += ")";
    return;
  case TermNode::Kind::variable:
    out += (n.bits < (1u << 16) ? "acc" : "v") + std::to_string(n.bits);
    return;
  case TermNode::Kind::undefined:
    out += "undefined";
    return;
  case TermNode::Kind::fold:
    out += "fold k" + std::to_string(n.bits) + " < ";
    print(n.poly);
    out += " from ";
    print(n.kids[0]);
    out += " {";
    print(n.kids[1]);
    out += "}";
  }
}
