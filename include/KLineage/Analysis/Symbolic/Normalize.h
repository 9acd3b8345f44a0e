//===- Normalize.h - Values up to how sums are rounded
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_SYMBOLIC_NORMALIZE_H
#define KLINEAGE_ANALYSIS_SYMBOLIC_NORMALIZE_H

#include "KLineage/Analysis/Symbolic/Arena.h"

namespace klineage::sym {

/// Which changes of rounding are none. Each level has those before it.
enum class Level {
  exact,
  contracted,  ///< fma is a product and a sum, or may be made of them
  reassociated ///< sums, products, minima and maxima in any order
};
std::optional<Level> levelOf(llvm::StringRef name);
llvm::StringRef nameOf(Level level);

/// True if a product may become one operation with a sum that it goes into:
/// which ones do is up to the backend, so equal values may differ in rounding.
bool mayContract(Arena &arena, Term t);

/// Rewrites values so that those that differ in rounding only become one.
/// Values that stay different may still be equal.
class Normalizer {
public:
  Normalizer(Arena &arena, Level level) : arena(arena), level(level) {}
  Term apply(Term t);

private:
  /// Operands of one associative operation, all that it joins.
  struct Sum {
    llvm::SmallVector<Term> single;
    /// `count` operands that the counter numbers.
    struct Family {
      Atom counter;
      Poly count;
      Term value;
    };
    llvm::SmallVector<Family> families;
  };

  Term plain(Term t);
  Term joined(Label label, Term t);
  std::optional<Label> joinedBy(Term t);
  bool isFma(const TermNode &n) const;
  bool isAssociative(Label label) const;
  bool isNeutral(Label label, Term t) const;
  void flatten(Label label, Term t, Sum &sum);
  bool flattenFold(Label label, Term t, Sum &sum);
  Term join(Label label, Sum sum);
  Term withFamily(Label label, const Sum::Family &family, Term init);
  void gather(Label label, Sum &sum);
  void mergeStrided(Sum &sum);

  Arena &arena;
  Level level;
  llvm::DenseMap<Term, Term> memo;
};

} // namespace klineage::sym

#endif // KLINEAGE_ANALYSIS_SYMBOLIC_NORMALIZE_H
