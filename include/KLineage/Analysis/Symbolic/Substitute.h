//===- Substitute.h - Putting expressions in the place of others
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_SYMBOLIC_SUBSTITUTE_H
#define KLINEAGE_ANALYSIS_SYMBOLIC_SUBSTITUTE_H

#include "KLineage/Analysis/Symbolic/Arena.h"
#include <functional>

namespace klineage::sym {

/// One simultaneous substitution, with a memory of what it did.
class Substituter {
public:
  explicit Substituter(Arena &arena) : arena(arena) {}

  void set(Atom atom, Poly value) { atoms[atom] = value; }
  void set(Term variable, Term value) { terms[variable] = value; }
  /// `alpha` times the atom is `exact`; the atom alone is `general`.
  void setScaled(Atom atom, int64_t alpha, Poly exact, Poly general) {
    scaled[atom] = {alpha, exact};
    atoms[atom] = general;
  }
  /// Conditions that `facts` decide go away.
  void assume(llvm::ArrayRef<Poly> more) {
    facts.append(more.begin(), more.end());
  }
  /// What an element of an array is; nothing: it stays.
  std::function<std::optional<Term>(uint64_t array, Poly offset)> onLoad;

  Poly apply(Poly p);
  Pred apply(Pred p);
  Term apply(Term t);

private:
  Poly ofAtom(Atom a);
  Poly quotient(const AtomNode &n);
  Term rebuild(Term t);
  Term applyInside(const Arena::Open &body, Poly count);

  struct Scaled {
    int64_t alpha;
    Poly exact;
  };
  Arena &arena;
  Facts facts;
  llvm::DenseMap<Atom, Poly> atoms, atomMemo;
  llvm::DenseMap<Atom, Scaled> scaled;
  llvm::DenseMap<Poly, Poly> polyMemo;
  llvm::DenseMap<Pred, Pred> predMemo;
  llvm::DenseMap<Term, Term> terms, termMemo;
};

/// What occurs in expressions, once each.
class Mentions {
public:
  explicit Mentions(const Arena &arena) : arena(arena) {}
  Mentions &add(Poly p);
  Mentions &add(Pred p);
  Mentions &add(Term t);

  bool has(Atom a) const { return atoms.contains(a); }
  bool has(Term t) const { return terms.contains(t); }
  bool hasUndefined() const { return undefined; }
  const llvm::DenseMap<Term, bool> &all() const { return terms; }

private:
  const Arena &arena;
  llvm::DenseMap<Atom, bool> atoms;
  llvm::DenseMap<Poly, bool> polys;
  llvm::DenseMap<Pred, bool> preds;
  llvm::DenseMap<Term, bool> terms;
  bool undefined = false;
};

} // namespace klineage::sym

#endif // KLINEAGE_ANALYSIS_SYMBOLIC_SUBSTITUTE_H
