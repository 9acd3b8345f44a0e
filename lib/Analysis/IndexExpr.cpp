//===- IndexExpr.cpp - Hash-consed integer expressions of a kernel's indices
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/IndexExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace klineage;
using Wide = __int128;

static int64_t clampWide(Wide value) {
  return value >= kInfinity    ? kInfinity
         : value <= -kInfinity ? -kInfinity
                               : int64_t(value);
}

static int64_t floorOf(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b < 0 ? q - 1 : q;
}

static int64_t timesBound(int64_t bound, int64_t factor) {
  if (bound == 0 || factor == 0)
    return 0;
  if (bound >= kInfinity || bound <= -kInfinity)
    return (bound > 0) == (factor > 0) ? kInfinity : -kInfinity;
  return clampWide(Wide(bound) * factor);
}

static int64_t addBound(int64_t a, int64_t b) {
  // An infinite bound absorbs the other one.
  if (a >= kInfinity || a <= -kInfinity)
    return a;
  if (b >= kInfinity || b <= -kInfinity)
    return b;
  return clampWide(Wide(a) + b);
}

static Range addRange(Range a, Range b) {
  return {addBound(a.lo, b.lo), addBound(a.hi, b.hi)};
}

static Range scaleRange(Range r, int64_t factor) {
  int64_t a = timesBound(r.lo, factor), b = timesBound(r.hi, factor);
  return {std::min(a, b), std::max(a, b)};
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

Var ExprArena::makeVar(std::string name, VarKind kind, Range range) {
  vars.push_back({std::move(name), kind, range});
  return vars.size() - 1;
}

Expr ExprArena::intern(Linear linear) {
  auto [it, fresh] = linearIds.try_emplace(linear, linears.size());
  if (fresh)
    linears.push_back(std::move(linear));
  return it->second;
}

unsigned ExprArena::internAtom(Atom atom) {
  auto [it, fresh] = atomIds.try_emplace(atom, atoms.size());
  if (fresh)
    atoms.push_back(atom);
  return it->second;
}

Expr ExprArena::ofAtom(Atom atom) {
  return intern({0, {{internAtom(atom), 1}}});
}

Expr ExprArena::constant(int64_t value) { return intern({value, {}}); }
Expr ExprArena::var(Var v) { return ofAtom({AtomKind::var, v}); }

Expr ExprArena::opaque(llvm::StringRef what, Range range) {
  return var(makeVar(what.str(), VarKind::opaque, range));
}

Expr ExprArena::partWithout(Expr e, llvm::function_ref<bool(Var)> varies) {
  Linear part = {linears[e].constant, {}};
  for (Term term : linears[e].terms) {
    llvm::SetVector<Var> used;
    collectVars(ofAtom(atoms[term.first]), used);
    if (llvm::none_of(used, varies))
      part.terms.push_back(term);
  }
  return intern(std::move(part));
}

Expr ExprArena::add(Expr a, Expr b) {
  Linear x = linears[a], y = linears[b], sum;
  if (llvm::AddOverflow(x.constant, y.constant, sum.constant))
    return opaque("overflow");
  size_t i = 0, j = 0;
  while (i < x.terms.size() || j < y.terms.size()) {
    if (j == y.terms.size() ||
        (i < x.terms.size() && x.terms[i].first < y.terms[j].first)) {
      sum.terms.push_back(x.terms[i++]);
    } else if (i == x.terms.size() || y.terms[j].first < x.terms[i].first) {
      sum.terms.push_back(y.terms[j++]);
    } else {
      int64_t c;
      if (llvm::AddOverflow(x.terms[i].second, y.terms[j].second, c))
        return opaque("overflow");
      if (c)
        sum.terms.push_back({x.terms[i].first, c});
      ++i, ++j;
    }
  }
  return intern(std::move(sum));
}

Expr ExprArena::scale(Expr a, int64_t factor) {
  if (factor == 0)
    return constant(0);
  Linear x = linears[a];
  if (llvm::MulOverflow(x.constant, factor, x.constant))
    return opaque("overflow");
  for (Term &term : x.terms)
    if (llvm::MulOverflow(term.second, factor, term.second))
      return opaque("overflow");
  return intern(std::move(x));
}

Expr ExprArena::mul(Expr a, Expr b) {
  if (auto c = constantOf(a))
    return scale(b, *c);
  if (auto c = constantOf(b))
    return scale(a, *c);
  return ofAtom({AtomKind::product, std::min(a, b), std::max(a, b)});
}

Expr ExprArena::floorDiv(Expr a, int64_t divisor) {
  if (divisor == 1)
    return a;
  Linear x = linears[a], out, rest;
  out.constant = floorOf(x.constant, divisor);
  rest.constant = x.constant - out.constant * divisor;
  for (Term term : x.terms) {
    if (term.second % divisor == 0)
      out.terms.push_back({term.first, term.second / divisor});
    else
      rest.terms.push_back(term);
  }
  Expr whole = intern(std::move(out)), part = intern(rest);
  Range range = rangeOf(part);
  if (range.lo >= 0 && range.hi < divisor)
    return whole;
  // (x floordiv a) floordiv b is x floordiv (a * b).
  if (rest.constant == 0 && rest.terms.size() == 1 &&
      rest.terms[0].second == 1) {
    Atom inner = atoms[rest.terms[0].first];
    int64_t product;
    if (inner.kind == AtomKind::div &&
        !llvm::MulOverflow(inner.b, divisor, product))
      return add(whole, floorDiv(inner.a, product));
  }
  return add(whole, ofAtom({AtomKind::div, part, divisor}));
}

Expr ExprArena::mod(Expr a, int64_t divisor) {
  return sub(a, scale(floorDiv(a, divisor), divisor));
}

Expr ExprArena::bitXor(Expr a, Expr b) {
  auto x = constantOf(a), y = constantOf(b);
  if (x && y)
    return constant(*x ^ *y);
  if (a == b)
    return constant(0);
  if (x && *x == 0)
    return b;
  if (y && *y == 0)
    return a;
  return ofAtom({AtomKind::bitXor, std::min(a, b), std::max(a, b)});
}

Expr ExprArena::minimum(Expr a, Expr b) {
  Range difference = rangeOf(sub(a, b));
  if (difference.hi <= 0)
    return a;
  if (difference.lo >= 0)
    return b;
  return ofAtom({AtomKind::min, std::min(a, b), std::max(a, b)});
}

Expr ExprArena::maximum(Expr a, Expr b) {
  Range difference = rangeOf(sub(a, b));
  if (difference.lo >= 0)
    return a;
  if (difference.hi <= 0)
    return b;
  return ofAtom({AtomKind::max, std::min(a, b), std::max(a, b)});
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

std::optional<int64_t> ExprArena::constantOf(Expr e) const {
  if (linears[e].terms.empty())
    return linears[e].constant;
  return std::nullopt;
}

Range ExprArena::rangeOfAtom(unsigned id) const {
  Atom atom = atoms[id];
  if (atom.kind == AtomKind::var)
    return vars[atom.a].range;
  Range a = rangeOf(atom.a);
  if (atom.kind == AtomKind::div)
    return {a.lo <= -kInfinity ? -kInfinity : floorOf(a.lo, atom.b),
            a.hi >= kInfinity ? kInfinity : floorOf(a.hi, atom.b)};
  Range b = rangeOf(Expr(atom.b));
  if (atom.kind == AtomKind::min)
    return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
  if (atom.kind == AtomKind::max)
    return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  if (a.lo < 0 || b.lo < 0)
    return {-kInfinity, kInfinity};
  if (atom.kind == AtomKind::product)
    return {timesBound(a.lo, b.lo), timesBound(a.hi, b.hi)};
  int64_t widest = std::max(a.hi, b.hi);
  if (widest >= kInfinity)
    return {0, kInfinity};
  return {0, int64_t(llvm::NextPowerOf2(uint64_t(widest))) - 1};
}

Range ExprArena::rangeOf(Expr e) const {
  const Linear &x = linears[e];
  Range best = {x.constant, x.constant};
  for (Term term : x.terms)
    best = addRange(best, scaleRange(rangeOfAtom(term.first), term.second));
  // k * (y - c * (y floordiv c)) lies in k * [0, c).
  for (Term term : x.terms) {
    Atom atom = atoms[term.first];
    if (atom.kind != AtomKind::div || term.second % atom.b != 0)
      continue;
    int64_t k = -(term.second / atom.b);
    const Linear &inner = linears[atom.a];
    std::map<unsigned, Wide> left;
    for (Term t : x.terms)
      if (t.first != term.first)
        left[t.first] += t.second;
    for (Term t : inner.terms)
      left[t.first] -= Wide(k) * t.second;
    Range range = scaleRange({0, atom.b - 1}, k);
    int64_t offset = clampWide(Wide(x.constant) - Wide(k) * inner.constant);
    range = addRange(range, {offset, offset});
    for (auto [id, c] : left)
      if (c != 0)
        range = addRange(range, scaleRange(rangeOfAtom(id), clampWide(c)));
    best.lo = std::max(best.lo, range.lo);
    best.hi = std::min(best.hi, range.hi);
  }
  return best;
}

int64_t ExprArena::divisorOf(Expr e) const {
  const Linear &x = linears[e];
  int64_t divisor = std::abs(x.constant);
  for (Term term : x.terms) {
    Atom atom = atoms[term.first];
    int64_t factor = 1;
    if (atom.kind == AtomKind::product) {
      int64_t a = divisorOf(atom.a), b = divisorOf(Expr(atom.b));
      if (llvm::MulOverflow(a, b, factor) || factor == 0)
        factor = 1;
    } else if (atom.kind == AtomKind::min || atom.kind == AtomKind::max) {
      factor = std::gcd(divisorOf(atom.a), divisorOf(Expr(atom.b)));
    }
    int64_t product;
    if (llvm::MulOverflow(std::abs(term.second), std::max<int64_t>(factor, 1),
                          product))
      product = std::abs(term.second);
    divisor = std::gcd(divisor, product);
  }
  return divisor;
}

std::optional<int64_t> ExprArena::eval(Expr e, const Assignment &values) const {
  const Linear &x = linears[e];
  Wide sum = x.constant;
  for (Term term : x.terms) {
    Atom atom = atoms[term.first];
    Wide value = 0;
    if (atom.kind == AtomKind::var) {
      auto it = values.find(atom.a);
      if (it == values.end())
        return std::nullopt;
      value = it->second;
    } else {
      auto a = eval(atom.a, values);
      auto b = atom.kind == AtomKind::div ? std::optional<int64_t>(atom.b)
                                          : eval(Expr(atom.b), values);
      if (!a || !b)
        return std::nullopt;
      switch (atom.kind) {
      case AtomKind::div:
        value = floorOf(*a, *b);
        break;
      case AtomKind::bitXor:
        value = *a ^ *b;
        break;
      case AtomKind::product:
        value = Wide(*a) * *b;
        break;
      case AtomKind::min:
        value = std::min(*a, *b);
        break;
      case AtomKind::max:
        value = std::max(*a, *b);
        break;
      case AtomKind::var:
        break;
      }
    }
    if (value >= kInfinity || value <= -kInfinity)
      return std::nullopt;
    sum += value * term.second;
    if (sum >= kInfinity || sum <= -kInfinity)
      return std::nullopt;
  }
  return int64_t(sum);
}

Expr ExprArena::substitute(Expr e, const llvm::DenseMap<Var, Expr> &values) {
  Linear x = linears[e];
  Expr sum = constant(x.constant);
  for (Term term : x.terms) {
    Atom atom = atoms[term.first];
    Expr value;
    if (atom.kind == AtomKind::var) {
      auto it = values.find(atom.a);
      value = it == values.end() ? var(atom.a) : it->second;
    } else {
      Expr a = substitute(atom.a, values);
      Expr b = atom.kind == AtomKind::div ? 0 : substitute(atom.b, values);
      switch (atom.kind) {
      case AtomKind::div:
        value = floorDiv(a, atom.b);
        break;
      case AtomKind::bitXor:
        value = bitXor(a, b);
        break;
      case AtomKind::product:
        value = mul(a, b);
        break;
      case AtomKind::min:
        value = minimum(a, b);
        break;
      default:
        value = maximum(a, b);
        break;
      }
    }
    sum = add(sum, scale(value, term.second));
  }
  return sum;
}

void ExprArena::collectVars(Expr e, llvm::SetVector<Var> &found) const {
  for (Term term : linears[e].terms) {
    Atom atom = atoms[term.first];
    if (atom.kind == AtomKind::var) {
      found.insert(atom.a);
      continue;
    }
    collectVars(atom.a, found);
    if (atom.kind != AtomKind::div)
      collectVars(Expr(atom.b), found);
  }
}

void ExprArena::print(Expr e, llvm::raw_ostream &os) const {
  const Linear &x = linears[e];
  bool first = true;
  for (Term term : x.terms) {
    if (!first)
      os << (term.second < 0 ? " - " : " + ");
    else if (term.second < 0)
      os << "-";
    first = false;
    if (std::abs(term.second) != 1)
      os << std::abs(term.second) << "*";
    Atom atom = atoms[term.first];
    if (atom.kind == AtomKind::var) {
      os << vars[atom.a].name;
      continue;
    }
    static const char *names[] = {"",    " div ", " xor ",
                                  " * ", " min ", " max "};
    os << "(";
    print(atom.a, os);
    os << names[unsigned(atom.kind)];
    if (atom.kind == AtomKind::div)
      os << atom.b;
    else
      print(Expr(atom.b), os);
    os << ")";
  }
  if (first)
    os << x.constant;
  else if (x.constant)
    os << (x.constant < 0 ? " - " : " + ") << std::abs(x.constant);
}

std::string ExprArena::str(Expr e) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(e, os);
  return text;
}
