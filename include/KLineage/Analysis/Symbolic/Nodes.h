//===- Nodes.h - What integer polynomials, predicates and terms are made of
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_SYMBOLIC_NODES_H
#define KLINEAGE_ANALYSIS_SYMBOLIC_NODES_H

#include "KLineage/Analysis/Symbolic/Interner.h"
#include "llvm/ADT/Hashing.h"
#include <limits>
#include <string>
#include <tuple>

namespace klineage::sym {

enum class Atom : uint32_t {};
enum class Poly : uint32_t {};
enum class Pred : uint32_t {};
enum class Term : uint32_t {};
enum class Label : uint32_t {}; ///< an interned string

/// Both ends included; the extreme values stand for no bound.
struct Interval {
  static constexpr int64_t none = std::numeric_limits<int64_t>::max();
  int64_t lo = -none, hi = none;
};

/// What a polynomial is over. `term` is an integer that memory or a float op
/// made; bits are and, or, xor of two operands.
struct AtomNode {
  enum class Kind {
    symbol,
    floorDiv,
    bitAnd,
    bitOr,
    bitXor,
    min,
    max,
    choose,
    term
  };
  Kind kind = Kind::symbol;
  uint32_t name = 0; ///< number of a symbol, `Pred` of a choose, `Term`
  Poly lhs{}, rhs{};
  Interval range; ///< follows from the rest

  bool operator==(const AtomNode &o) const {
    return std::tie(kind, name, lhs, rhs) ==
           std::tie(o.kind, o.name, o.lhs, o.rhs);
  }
  llvm::hash_code hash() const {
    return llvm::hash_combine(int(kind), name, uint32_t(lhs), uint32_t(rhs));
  }
};

/// coefficient * product of atoms (sorted, with repetition).
struct Monomial {
  int64_t coefficient = 0;
  llvm::SmallVector<Atom, 2> atoms;

  bool operator==(const Monomial &o) const {
    return coefficient == o.coefficient && atoms == o.atoms;
  }
};

/// Sum of monomials, sorted by atoms; a constant comes first.
struct PolyNode {
  llvm::SmallVector<Monomial, 2> terms;

  bool operator==(const PolyNode &o) const { return terms == o.terms; }
  llvm::hash_code hash() const {
    llvm::hash_code code(0);
    for (const Monomial &m : terms) {
      code = llvm::hash_combine(code, m.coefficient);
      for (Atom atom : m.atoms)
        code = llvm::hash_combine(code, uint32_t(atom));
    }
    return code;
  }
};

struct PredNode {
  enum class Kind {
    yes,
    no,
    nonNegative,
    zero,
    nonZero,
    term,
    notTerm,
    all,
    any
  };
  Kind kind = Kind::yes;
  uint32_t operand = 0; ///< `Poly` or `Term`
  llvm::SmallVector<Pred, 2> parts;

  bool operator==(const PredNode &o) const {
    return kind == o.kind && operand == o.operand && parts == o.parts;
  }
  llvm::hash_code hash() const {
    llvm::hash_code code = llvm::hash_combine(int(kind), operand);
    for (Pred part : parts)
      code = llvm::hash_combine(code, uint32_t(part));
    return code;
  }
};

/// A value. Which members count depends on the kind:
///   constant  label (of the type), bits      argument  label
///   load      bits (array), poly (linear)    op        label, kids
///   select    pred, kids                     ofPoly    label, poly
///   variable  bits (number)                  undefined
///   fold      bits (height), poly (count), kids: init, body
struct TermNode {
  enum class Kind {
    constant,
    argument,
    load,
    op,
    select,
    ofPoly,
    variable,
    undefined,
    fold
  };
  Kind kind = Kind::undefined;
  Label label{};
  uint64_t bits = 0;
  Poly poly{};
  Pred pred{};
  llvm::SmallVector<Term, 3> kids;
  uint64_t shape = 0;  ///< hash that forgets numbers and positions
  uint32_t height = 0; ///< folds around the innermost one in here

  bool operator==(const TermNode &o) const {
    return std::tie(kind, label, bits, poly, pred) ==
               std::tie(o.kind, o.label, o.bits, o.poly, o.pred) &&
           kids == o.kids;
  }
  llvm::hash_code hash() const {
    llvm::hash_code code = llvm::hash_combine(int(kind), uint32_t(label), bits,
                                              uint32_t(poly), uint32_t(pred));
    for (Term kid : kids)
      code = llvm::hash_combine(code, uint32_t(kid));
    return code;
  }
};

} // namespace klineage::sym

#endif // KLINEAGE_ANALYSIS_SYMBOLIC_NODES_H
