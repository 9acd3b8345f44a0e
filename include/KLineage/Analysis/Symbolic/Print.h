//===- Print.h - Expressions as text
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_SYMBOLIC_PRINT_H
#define KLINEAGE_ANALYSIS_SYMBOLIC_PRINT_H

#include "KLineage/Analysis/Symbolic/Arena.h"
#include <functional>

namespace klineage::sym {

/// Prints what fits into `limit` characters, then "...".
class Printer {
public:
  explicit Printer(const Arena &arena, size_t limit = 4000)
      : arena(arena), limit(limit) {}
  /// Text of an element; by default array number and offset.
  std::function<std::string(uint64_t array, Poly offset)> onLoad;

  std::string str(Poly p);
  std::string str(Pred p);
  std::string str(Term t);

private:
  void print(Poly p);
  void print(Atom a);
  void print(Pred p);
  void print(Term t);
  void printOp(const TermNode &n);
  template <typename Id> std::string whole(Id id);

  const Arena &arena;
  size_t limit;
  std::string out;
};

} // namespace klineage::sym

#endif // KLINEAGE_ANALYSIS_SYMBOLIC_PRINT_H
