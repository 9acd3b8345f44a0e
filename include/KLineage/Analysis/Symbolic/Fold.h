//===- Fold.h - Loops over one accumulator, in a canonical form
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_SYMBOLIC_FOLD_H
#define KLINEAGE_ANALYSIS_SYMBOLIC_FOLD_H

#include "KLineage/Analysis/Symbolic/Arena.h"

namespace klineage::sym {

/// `init`, then `body` for the counter 0 to `count` - 1, each time with the
/// result before as the accumulator. Rounds that change nothing at the end are
/// cut off, a body of equal parts becomes a longer fold of one, a fold that
/// goes on where its `init` ended is one with it, and few rounds are written
/// out: unrolled, tiled and plain loops meet.
Term makeFold(Arena &arena, Atom counter, Poly count, Term accumulator,
              Term init, Term body);

/// The body of a fold with a counter and an accumulator that nothing else
/// mentions.
Arena::Open openFold(Arena &arena, Term fold);

/// Chains of at least four links that progress evenly, anywhere in `t`, as
/// folds.
class Roller {
public:
  explicit Roller(Arena &arena) : arena(arena) {}
  Term apply(Term t);

private:
  Term rebuilt(Term t);
  Arena &arena;
  llvm::DenseMap<Term, Term> memo;
};

/// A chain: `links[0]` applied to `bottom`, and so on. Each link is an
/// operation, maybe under a condition that else keeps what was before.
struct Chain {
  Term bottom{};
  llvm::SmallVector<Term> links; ///< innermost first
};
Chain chainOf(Arena &arena, Term top);
/// What the link does to `before`, with `accumulator` in its place.
Term linkOver(Arena &arena, Term link, Term before, Term accumulator);

/// A term over `step` that is `first` for step = 0 and `second` for step = 1.
std::optional<Term> generalize(Arena &arena, Term first, Term second,
                               Poly step);

} // namespace klineage::sym

#endif // KLINEAGE_ANALYSIS_SYMBOLIC_FOLD_H
