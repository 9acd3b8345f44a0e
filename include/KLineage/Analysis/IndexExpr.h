//===- IndexExpr.h - Hash-consed integer expressions of a kernel's indices
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_INDEXEXPR_H
#define KLINEAGE_ANALYSIS_INDEXEXPR_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace klineage {

/// What a variable stands for decides who shares it and what a witness that
/// gives it a value is worth.
enum class VarKind {
  thread,  ///< thread id; differs between two threads
  block,   ///< block id; differs between two blocks
  counter, ///< iterations of a loop so far; each thread has its own
  size,    ///< extent of a buffer of the entry: any value is a legal call
  scalar,  ///< other argument of the kernel: what is legal is not known
  choice,  ///< 0 or 1, the same for the whole block
  opaque,  ///< not understood, e.g. loaded from memory
};

using Expr = unsigned; ///< index into an arena; equal iff structurally equal
using Var = unsigned;
using Assignment = std::map<Var, int64_t>;

/// Inclusive; kInfinity and -kInfinity stand for no bound.
struct Range {
  int64_t lo, hi;
};
constexpr int64_t kInfinity = int64_t(1) << 62;

struct VarInfo {
  std::string name;
  VarKind kind;
  Range range;
};

/// Linear forms over atoms. An atom is a variable, `x floordiv c`, `x xor y`,
/// `x * y` or a minimum or maximum. `x mod c` is `x - c * (x floordiv c)`, so
/// both spellings meet. A result that does not fit in 64 bits is an opaque
/// variable.
class ExprArena {
public:
  enum class AtomKind { var, div, bitXor, product, min, max };
  struct Atom {
    AtomKind kind;
    unsigned a;    ///< the variable or the first operand
    int64_t b = 0; ///< divisor or second operand
    bool operator<(const Atom &o) const {
      return std::tie(kind, a, b) < std::tie(o.kind, o.a, o.b);
    }
  };
  using Term = std::pair<unsigned, int64_t>; ///< atom, coefficient
  struct Linear {
    int64_t constant = 0;
    std::vector<Term> terms; ///< sorted by atom, no zero coefficient
    bool operator<(const Linear &o) const {
      return std::tie(constant, terms) < std::tie(o.constant, o.terms);
    }
  };

  Var makeVar(std::string name, VarKind kind, Range range);
  Expr constant(int64_t value);
  Expr var(Var variable);
  Expr ofAtomId(unsigned atom) { return intern({0, {{atom, 1}}}); }
  Expr add(Expr a, Expr b);
  Expr scale(Expr a, int64_t factor);
  Expr sub(Expr a, Expr b) { return add(a, scale(b, -1)); }
  Expr addConstant(Expr a, int64_t value) { return add(a, constant(value)); }
  Expr mul(Expr a, Expr b);
  Expr floorDiv(Expr a, int64_t divisor); ///< divisor > 0
  Expr mod(Expr a, int64_t divisor);      ///< divisor > 0; in [0, divisor)
  Expr bitXor(Expr a, Expr b);
  Expr minimum(Expr a, Expr b);
  Expr maximum(Expr a, Expr b);
  /// A value that is not understood, but for its bounds.
  Expr opaque(llvm::StringRef what, Range range = {-kInfinity, kInfinity});
  /// The constant and those terms none of whose variables varies.
  Expr partWithout(Expr e, llvm::function_ref<bool(Var)> varies);

  std::optional<int64_t> constantOf(Expr e) const;
  /// Interval arithmetic; x mod c is known to lie in [0, c).
  Range rangeOf(Expr e) const;
  /// A divisor of every value: gcd of the coefficients; 0 for constant zero.
  int64_t divisorOf(Expr e) const;
  /// nullopt if a variable has no value or the result overflows.
  std::optional<int64_t> eval(Expr e, const Assignment &values) const;
  Expr substitute(Expr e, const llvm::DenseMap<Var, Expr> &values);
  void collectVars(Expr e, llvm::SetVector<Var> &vars) const;
  void print(Expr e, llvm::raw_ostream &os) const;
  std::string str(Expr e) const;

  const Linear &linear(Expr e) const { return linears[e]; }
  const Atom &atom(unsigned id) const { return atoms[id]; }
  const VarInfo &info(Var v) const { return vars[v]; }
  unsigned numVars() const { return vars.size(); }

private:
  Expr intern(Linear linear);
  Expr ofAtom(Atom atom);
  unsigned internAtom(Atom atom);
  Range rangeOfAtom(unsigned atom) const;

  std::vector<VarInfo> vars;
  std::vector<Atom> atoms;
  std::vector<Linear> linears;
  std::map<Atom, unsigned> atomIds;
  std::map<Linear, Expr> linearIds;
};

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_INDEXEXPR_H
