//===- Raise.cpp - Folds and elementwise values as linalg operations
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Symbolic/Fold.h"
#include "KLineage/Analysis/Symbolic/Print.h"
#include "KLineage/Analysis/Symbolic/Substitute.h"
#include "Raiser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace klineage;
using namespace klineage::sym;

using Kind = TermNode::Kind;

/// Where the element is, one bare axis (or nothing, of one element) in each
/// dimension.
std::optional<AffineMap> Raiser::mapOf(uint64_t array, Poly offset,
                                       ArrayRef<Axis> axes) {
  const ArrayShape &shape = summary.arrays.at(array).shape;
  SmallVector<AffineExpr> places;
  Poly rest = offset;
  for (size_t i = 0; i < shape.sizes.size(); ++i) {
    Poly stride = arena.constant(1);
    for (Poly size : ArrayRef(shape.sizes).drop_front(i + 1))
      stride = arena.mul(stride, size);
    Poly at = rest;
    if (i + 1 < shape.sizes.size())
      std::tie(at, rest) = arena.split(rest, stride);
    auto atom = arena.atomOf(at);
    const Axis *axis =
        atom ? llvm::find_if(
                   axes, [&](const Axis &each) { return each.atom == *atom; })
             : axes.end();
    if (axis != axes.end() && axis->extent == shape.sizes[i]) {
      places.push_back(b.getAffineDimExpr(axis - axes.begin()));
      continue;
    }
    if (arena.constantOf(at) != 0 || arena.constantOf(shape.sizes[i]) != 1) {
      fail(summary.arrays.at(array).name + " is read at " +
           Printer(arena, 200).str(at) + " of " +
           Printer(arena, 200).str(shape.sizes[i]) +
           ", which is no whole dimension");
      return std::nullopt;
    }
    places.push_back(b.getAffineConstantExpr(0));
  }
  return AffineMap::get(axes.size(), 0, places, b.getContext());
}

Value Raiser::extentOf(Poly extent) {
  if (auto constant = arena.constantOf(extent))
    return arith::ConstantIndexOp::create(b, entry.getLoc(), *constant);
  for (BlockArgument argument : entry.getArguments()) {
    auto it = summary.arrays.find(argument.getArgNumber());
    if (it == summary.arrays.end() || !isa<MemRefType>(argument.getType()))
      continue;
    for (auto [dim, size] : llvm::enumerate(it->second.shape.sizes))
      if (size == extent)
        return memref::DimOp::create(b, entry.getLoc(), argument, dim);
  }
  fail("no buffer has the extent " + Printer(arena, 200).str(extent));
  return {};
}

std::optional<Value> Raiser::allocate(Type type, ArrayRef<Axis> axes) {
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  int64_t elements = 1;
  for (const Axis &axis : axes) {
    auto constant = arena.constantOf(axis.extent);
    shape.push_back(constant.value_or(ShapedType::kDynamic));
    elements = constant && elements <= (int64_t(1) << 40)
                   ? elements * std::max<int64_t>(1, *constant)
                   : elements;
    if (constant)
      continue;
    Value size = extentOf(axis.extent);
    if (!size)
      return std::nullopt;
    sizes.push_back(size);
  }
  if (elements > (int64_t(1) << 28)) {
    fail("a temporary of " + Twine(elements) + " elements");
    return std::nullopt;
  }
  return memref::AllocOp::create(b, entry.getLoc(),
                                 MemRefType::get(shape, type), sizes)
      .getResult();
}

/// acc op value, where the order of rounds is a matter of rounding only.
bool Raiser::isReduction(Term body, Term accumulator) {
  const TermNode n = arena.node(body);
  if (n.kind == Kind::select) {
    for (unsigned i : {0, 1})
      if (n.kids[1 - i] == accumulator)
        return isReduction(n.kids[i], accumulator);
    return false;
  }
  if (n.kind != Kind::op)
    return false;
  StringRef name = arena.text(n.label);
  size_t self = llvm::find(n.kids, accumulator) - n.kids.begin();
  for (auto [i, kid] : llvm::enumerate(n.kids))
    if (i != self && Mentions(arena).add(kid).has(accumulator))
      return false;
  if (name == "fma")
    return self == 2;
  return self < n.kids.size() && arena.isCommutative(n.label);
}

bool Raiser::collect(Pred p, ArrayRef<Axis> axes, Term accumulator,
                     const AxisBuffer &out,
                     llvm::MapVector<Term, Operand> &operands,
                     SmallVectorImpl<Term> &own) {
  const PredNode n = arena.node(p);
  if (n.kind == PredNode::Kind::term || n.kind == PredNode::Kind::notTerm)
    return collect(Term(n.operand), axes, accumulator, out, operands, own);
  for (Pred part : n.parts)
    if (!collect(part, axes, accumulator, out, operands, own))
      return false;
  return true;
}

/// Buffers that the expression reads; folds in it are made first.
bool Raiser::collect(Term t, ArrayRef<Axis> axes, Term accumulator,
                     const AxisBuffer &out,
                     llvm::MapVector<Term, Operand> &operands,
                     SmallVectorImpl<Term> &own) {
  if (t == accumulator || operands.count(t) || llvm::is_contained(own, t))
    return true;
  const TermNode n = arena.node(t);
  if (n.kind == Kind::load) {
    if (n.bits >= entry.getNumArguments())
      return fail("a buffer that no argument is");
    auto map = mapOf(n.bits, n.poly, axes);
    if (!map)
      return false;
    Value memref = entry.getArgument(n.bits);
    if (memref == out.memref) {
      if (!map->isIdentity())
        return fail("an output that depends on other elements of itself");
      own.push_back(t);
      return true;
    }
    operands[t] = {memref, *map};
    return true;
  }
  if (n.kind == Kind::fold) {
    std::optional<AxisBuffer> buffer = materialize(t, axes, nullptr);
    if (!buffer)
      return false;
    SmallVector<AffineExpr> places;
    for (const Axis &axis : buffer->axes)
      places.push_back(b.getAffineDimExpr(
          llvm::find_if(axes,
                        [&](const Axis &a) { return a.atom == axis.atom; }) -
          axes.begin()));
    operands[t] = {buffer->memref,
                   AffineMap::get(axes.size(), 0, places, b.getContext())};
    return true;
  }
  if (n.kind == Kind::select &&
      !collect(n.pred, axes, accumulator, out, operands, own))
    return false;
  for (Term kid : n.kids)
    if (!collect(kid, axes, accumulator, out, operands, own))
      return false;
  return true;
}

/// Memory that a fold fills: over the axes of `scope` that it depends on.
std::optional<AxisBuffer> Raiser::materialize(Term fold, ArrayRef<Axis> scope,
                                              const AxisBuffer *into) {
  if (auto it = made.find(fold); !into && it != made.end())
    return it->second;
  Mentions mentions(arena);
  mentions.add(fold);
  AxisBuffer out;
  for (const Axis &axis : scope)
    if (into || mentions.has(axis.atom))
      out.axes.push_back(axis);
  Arena::Open open = openFold(arena, fold);
  Term init = arena.node(fold).kids[0], body = open.body,
       accumulator = open.accumulator;
  SmallVector<Axis> reductions = {{open.counter, arena.node(fold).poly}};
  while (arena.node(body).kind == Kind::fold &&
         arena.node(body).kids[0] == accumulator) {
    Arena::Open inner = openFold(arena, body);
    if (Mentions(arena).add(inner.body).has(accumulator))
      break;
    reductions.push_back({inner.counter, arena.node(body).poly});
    accumulator = inner.accumulator;
    body = inner.body;
  }
  for (const Axis &axis : reductions) {
    Mentions extent(arena);
    extent.add(axis.extent);
    for (const Axis &other : llvm::concat<const Axis>(scope, reductions))
      if (extent.has(other.atom)) {
        fail("a loop whose length varies: " +
             Printer(arena, 200).str(axis.extent));
        return std::nullopt;
      }
  }
  if (!isReduction(body, accumulator)) {
    fail("a loop that is no reduction: " + Printer(arena, 300).str(body));
    return std::nullopt;
  }
  Type type = typeOf(fold);
  if (!type) {
    fail("a value whose type is not known: " + Printer(arena, 300).str(fold));
    return std::nullopt;
  }
  // What the fold reads is made before its own buffer is: in a fixed order.
  if (into) {
    out = *into;
  } else {
    auto memref = allocate(type, out.axes);
    if (!memref)
      return std::nullopt;
    out.memref = *memref;
  }
  if (!emit(init, out.axes, {}, Term(0), out) ||
      !emit(body, out.axes, reductions, accumulator, out))
    return std::nullopt;
  if (!into)
    made[fold] = out;
  return out;
}

/// One operation that stores `t` to `out`, or reduces into it.
bool Raiser::emit(Term t, ArrayRef<Axis> parallel, ArrayRef<Axis> reductions,
                  Term accumulator, const AxisBuffer &out) {
  SmallVector<Axis> axes(parallel);
  axes.append(reductions.begin(), reductions.end());
  Type type = cast<MemRefType>(out.memref.getType()).getElementType();
  Location loc = entry.getLoc();
  const TermNode n = arena.node(t);
  bool isConstant = n.kind == Kind::constant || n.kind == Kind::argument;
  BodyScope scope;
  scope.axes = axes;
  if (isConstant && reductions.empty()) {
    Value value = build(t, type, scope);
    if (!value)
      return false;
    linalg::FillOp::create(b, loc, value, out.memref);
    return true;
  }
  llvm::MapVector<Term, Operand> operands;
  SmallVector<Term> own;
  if (!collect(t, axes, accumulator, out, operands, own))
    return false;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (auto &[term, operand] : operands) {
    inputs.push_back(operand.memref);
    maps.push_back(operand.map);
  }
  for (auto [i, axis] : llvm::enumerate(reductions))
    if (llvm::none_of(maps, [&, dim = parallel.size() + i](AffineMap map) {
          return map.isFunctionOfDim(dim);
        }))
      return fail("a loop over " + Printer(arena, 200).str(axis.extent) +
                  " rounds that no buffer has as a dimension");
  maps.push_back(AffineMap::getMultiDimIdentityMap(axes.size(), b.getContext())
                     .getMajorSubMap(parallel.size()));
  SmallVector<utils::IteratorType> iterators(parallel.size(),
                                             utils::IteratorType::parallel);
  iterators.append(reductions.size(), utils::IteratorType::reduction);
  bool good = true;
  auto body = [&](OpBuilder &inner, Location, ValueRange arguments) {
    OpBuilder::InsertionGuard guard(b);
    b.restoreInsertionPoint(inner.saveInsertionPoint());
    for (auto [operand, argument] :
         llvm::zip(llvm::make_first_range(operands), arguments))
      scope.known[operand] = argument;
    for (Term element : own)
      scope.known[element] = arguments.back();
    if (!reductions.empty())
      scope.known[accumulator] = arguments.back();
    Value value = build(t, type, scope);
    good = bool(value) && value.getType() == type;
    if (!good)
      fail("a value of another type than its buffer");
    linalg::YieldOp::create(b, loc, good ? value : arguments.back());
  };
  linalg::GenericOp::create(b, loc, inputs, ValueRange(out.memref), maps,
                            iterators, body);
  return good;
}

bool Raiser::raiseOutput(uint64_t number, Term term) {
  const ArrayShape &shape = summary.arrays.at(number).shape;
  AxisBuffer out;
  out.memref = entry.getArgument(number);
  Mentions mentions(arena);
  mentions.add(term);
  for (auto [size, coordinate] : llvm::zip(shape.sizes, shape.coordinates)) {
    auto atom = arena.atomOf(coordinate);
    out.axes.push_back(
        {atom ? *atom : *arena.atomOf(arena.symbol("one", {0, 0})), size});
  }
  bool readsItself = llvm::any_of(mentions.all(), [&](auto &seen) {
    const TermNode &n = arena.node(seen.first);
    return n.kind == Kind::load && n.bits == number;
  });
  if (arena.node(term).kind == Kind::fold && !readsItself)
    return materialize(term, out.axes, &out).has_value();
  return emit(term, out.axes, {}, Term(0), out);
}

bool Raiser::run(const std::map<uint64_t, Term> &outputs) {
  b.setInsertionPointToStart(&entry.front());
  for (auto [number, term] : outputs) {
    Mentions mentions(arena);
    mentions.add(term);
    for (auto &[seen, unused] : mentions.all()) {
      const TermNode &n = arena.node(seen);
      if (n.kind == Kind::load && n.bits != number && outputs.count(n.bits))
        return fail("an output that depends on what another one held");
    }
  }
  for (auto [number, term] : outputs)
    if (!raiseOutput(number, term))
      return false;
  func::ReturnOp::create(b, entry.getLoc());
  return arena.failure().empty() || fail(arena.failure());
}

OwningOpRef<ModuleOp>
klineage::raiseToLinalg(Arena &arena, const HostSummary &summary,
                        const std::map<uint64_t, Term> &outputs,
                        func::FuncOp entry, std::string &why) {
  why.clear();
  OpBuilder b(entry.getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(b, entry.getLoc());
  b.setInsertionPointToEnd(module->getBody());
  auto raised = func::FuncOp::create(b, entry.getLoc(), entry.getSymName(),
                                     entry.getFunctionType());
  if (ArrayAttr attrs = entry.getArgAttrsAttr())
    raised.setArgAttrsAttr(attrs);
  raised.addEntryBlock();
  if (!Raiser(arena, summary, raised, why).run(outputs))
    return nullptr;
  std::string message;
  ScopedDiagnosticHandler quiet(entry.getContext(), [&](Diagnostic &d) {
    message = d.str();
    return success();
  });
  if (succeeded(verify(*module)))
    return module;
  why = "no valid linalg: " + message;
  return nullptr;
}
