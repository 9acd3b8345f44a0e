//===- Arena.h - Integers, predicates and values as shared expressions
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_SYMBOLIC_ARENA_H
#define KLINEAGE_ANALYSIS_SYMBOLIC_ARENA_H

#include "KLineage/Analysis/Symbolic/Nodes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace klineage::sym {

/// Polynomials that are not negative.
using Facts = llvm::SmallVector<Poly, 8>;

/// Makes and owns all expressions; equal ones have equal ids. Integers are
/// those of mathematics: nothing wraps. An operation that a 64-bit coefficient
/// cannot hold, or one beyond the budget, spoils the arena: `failure()` says
/// so, and nothing made since then means anything.
class Arena {
public:
  explicit Arena(size_t budget = 4000000);

  llvm::StringRef failure() const { return failed; }
  size_t size() const { return polys.size() + preds.size() + terms.size(); }
  Label label(llvm::StringRef text);
  llvm::StringRef text(Label l) const { return labels[uint32_t(l)]; }

  // Integers.
  Poly constant(int64_t value);
  /// A new symbol, always within `range`.
  Poly symbol(llvm::StringRef name, Interval range = {});
  /// Counter of the folds of one height; not negative.
  Poly counter(uint32_t height);
  Poly add(Poly a, Poly b);
  Poly sub(Poly a, Poly b) { return add(a, scale(b, -1)); }
  Poly mul(Poly a, Poly b);
  Poly scale(Poly a, int64_t factor);
  /// Rounds down; the divisor is positive (assumed where not constant).
  Poly floorDiv(Poly a, Poly b);
  Poly ceilDiv(Poly a, Poly b);
  Poly mod(Poly a, Poly b) { return sub(a, mul(b, floorDiv(a, b))); }
  Poly min(Poly a, Poly b);
  Poly max(Poly a, Poly b);
  Poly choose(Pred p, Poly a, Poly b);
  Poly bits(AtomNode::Kind kind, Poly a, Poly b);
  Poly ofTerm(Term t);
  std::optional<int64_t> constantOf(Poly p) const;
  std::optional<Atom> atomOf(Poly p) const;
  Poly ofAtom(Atom a);
  Interval rangeOf(Poly p) const;
  /// p = quotient * divisor + rest, exactly, with every monomial that the
  /// divisor (one monomial) divides in the quotient.
  std::pair<Poly, Poly> split(Poly p, Poly divisor);

  // Facts. `assume` holds for ever; `more` where the caller is.
  void assume(Poly nonNegative) { global.push_back(nonNegative); }
  /// Facts of the place that expressions are made for from now on: what is made
  /// means something there only. They must outlive that.
  void within(llvm::ArrayRef<Poly> facts) { local = facts; }
  llvm::ArrayRef<Poly> place() const { return local; }
  std::optional<bool> decide(Pred p, llvm::ArrayRef<Poly> more = {});
  bool isNonNegative(Poly p, llvm::ArrayRef<Poly> more = {});
  /// Adds to `facts` what `p` says about polynomials.
  void learn(Pred p, Facts &facts);

  // Predicates.
  Pred boolean(bool value);
  Pred nonNegative(Poly p);
  Pred zero(Poly p);
  Pred less(Poly a, Poly b);
  Pred ofTermPred(Term t);
  Pred negate(Pred p);
  Pred all(llvm::ArrayRef<Pred> parts);
  Pred any(llvm::ArrayRef<Pred> parts);

  // Values.
  Term constant(Label type, uint64_t bits);
  Term argument(Label name);
  Term load(uint64_t array, Poly offset);
  /// Operands of a commutative operation are sorted.
  Term op(Label name, llvm::ArrayRef<Term> kids);
  Term select(Pred p, Term a, Term b);
  Term ofPoly(Label conversion, Poly p);
  Term variable();
  Term accumulator(uint32_t height);
  Term undefined();
  /// In canonical form already: see Fold.h for making one.
  Term foldNode(uint32_t height, Poly count, Term init, Term body);

  const AtomNode &node(Atom a) const { return atoms[a]; }
  const PolyNode &node(Poly p) const { return polys[p]; }
  const PredNode &node(Pred p) const { return preds[p]; }
  const TermNode &node(Term t) const { return terms[t]; }
  llvm::StringRef symbolName(const AtomNode &a) const { return names[a.name]; }
  bool isCommutative(Label name) const;

  /// The body of a fold with a counter and an accumulator of its own.
  struct Open {
    Atom counter;
    Term accumulator, body;
  };
  llvm::DenseMap<uint32_t, Open> open; ///< by fold

private:
  friend class Prover;
  Poly make(PolyNode node);
  Pred make(PredNode node);
  Term make(TermNode node);
  Poly makeAtom(AtomNode node);
  Pred joined(PredNode::Kind kind, llvm::ArrayRef<Pred> parts);
  void fail(llvm::StringRef why);

  size_t budget;
  std::string failed;
  Interner<Atom, AtomNode> atoms;
  Interner<Poly, PolyNode> polys;
  Interner<Pred, PredNode> preds;
  Interner<Term, TermNode> terms;
  std::deque<std::string> labels, names;
  llvm::StringMap<uint32_t> labelIds;
  llvm::SmallVector<Poly, 4> counters;
  uint64_t variables = 1u << 16; ///< below: accumulators by height
  Facts global;
  llvm::ArrayRef<Poly> local;
};

} // namespace klineage::sym

#endif // KLINEAGE_ANALYSIS_SYMBOLIC_ARENA_H
