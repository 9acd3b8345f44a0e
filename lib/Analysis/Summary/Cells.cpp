//===- Cells.cpp - Contents of memory in the executor
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace klineage;
using namespace klineage::sym;

CellKey Executor::keyOf(unsigned root, unsigned lane, Poly offset) const {
  bool shared = roots[root].space == Root::Space::shared;
  return {root, shared ? noThread : lane, uint32_t(offset)};
}

std::optional<Lanes> Executor::linear(Operation *op, const View &view,
                                      ValueRange indices) {
  SmallVector<const Lanes *, 8> in{&view.offset};
  for (auto [index, stride] : llvm::zip_equal(indices, view.strides)) {
    const Lanes *lanes = get(index);
    if (!lanes)
      return std::nullopt;
    in.push_back(lanes);
    in.push_back(&stride);
  }
  Lanes out;
  forLanes(in, out, [&](unsigned lane, uint32_t *to) {
    Poly sum = Poly(in[0]->at(lane));
    for (size_t i = 1; i < in.size(); i += 2)
      sum = arena.add(
          sum, arena.mul(Poly(in[i]->at(lane)), Poly(in[i + 1]->at(lane))));
    *to = uint32_t(sum);
    return true;
  });
  return out;
}

/// What the cell holds for the innermost `depth` frames.
Term Executor::content(CellKey key, size_t depth) {
  auto [root, thread, offset] = key;
  for (size_t i = depth; i-- > 0;) {
    Frame &frame = frames[i];
    if (auto it = frame.cells.find(key); it != frame.cells.end()) {
      const Cell cell = it->second;
      if (cell.guard == arena.boolean(true))
        return cell.value;
      return arena.select(cell.guard, cell.value, content(key, i));
    }
    if (i > 0 && frame.written.contains(root)) {
      auto [it, isNew] = frame.before.insert({key, Term(0)});
      if (isNew)
        it->second = arena.variable();
      return it->second;
    }
  }
  if (roots[root].space != Root::Space::global)
    return arena.undefined();
  if (roots[root].written)
    early.insert({roots[root].array, offset, thread});
  return arena.load(roots[root].array, Poly(offset));
}

/// Elements that a thread reaches in an array that the kernel writes are the
/// same or known to be different.
bool Executor::reach(Operation *op, CellKey key) {
  auto [root, thread, offset] = key;
  std::vector<Poly> &offsets = touched[{root, thread}];
  if (llvm::is_contained(offsets, Poly(offset)))
    return true;
  for (Poly other : offsets) {
    Poly gap = arena.sub(Poly(offset), other);
    if (arena.constantOf(gap).value_or(0) == 0 &&
        decide(arena.zero(gap), thread) != false)
      return refuse(op, "an element of a buffer that the kernel writes which "
                        "may be one that the thread reaches elsewhere");
  }
  offsets.push_back(Poly(offset));
  return true;
}

/// Selections that the place decides go away.
Term Executor::underPath(Term value, unsigned lane) {
  while (arena.node(value).kind == TermNode::Kind::select) {
    const TermNode &n = arena.node(value);
    std::optional<bool> known = decide(n.pred, lane);
    if (n.pred == Pred(path.at(lane)))
      known = true;
    if (n.pred == arena.negate(Pred(path.at(lane))))
      known = false;
    if (!known)
      break;
    value = arena.node(value).kids[*known ? 0 : 1];
  }
  return value;
}

void Executor::setCell(CellKey key, Term value, Pred where) {
  Frame &frame = frames.back();
  bool global = roots[std::get<0>(key)].space == Root::Space::global;
  if (where == arena.boolean(true)) {
    frame.cells[key] = {value, where};
    return;
  }
  if (!global) {
    Term old = content(key, frames.size());
    frames.back().cells[key] = {arena.select(where, value, old),
                                arena.boolean(true)};
    return;
  }
  auto [it, isNew] = frame.cells.insert({key, {value, where}});
  if (isNew)
    return;
  it->second.value = arena.select(where, value, it->second.value);
  it->second.guard = arena.any({it->second.guard, where});
}

static bool isWithin(Arena &arena, const Root &root, Poly offset) {
  auto at = arena.constantOf(offset);
  return at && *at >= 0 && *at < root.elements;
}

std::optional<Term> Executor::readCell(Operation *op, unsigned root,
                                       unsigned lane, Poly offset) {
  const Root &memory = roots[root];
  if (memory.space == Root::Space::global && !memory.written)
    return arena.load(memory.array, offset);
  if (memory.space != Root::Space::global && !isWithin(arena, memory, offset)) {
    refuse(op, "an element of shared or private memory whose place is not "
               "known or not within bounds");
    return std::nullopt;
  }
  CellKey key = keyOf(root, lane, offset);
  if (memory.space == Root::Space::global && !reach(op, key))
    return std::nullopt;
  return underPath(content(key, frames.size()), lane);
}

bool Executor::writeCell(Operation *op, unsigned root, unsigned lane,
                         Poly offset, Term value) {
  const Root &memory = roots[root];
  if (memory.space != Root::Space::global && !isWithin(arena, memory, offset))
    return refuse(op, "an element of shared or private memory whose place is "
                      "not known or not within bounds");
  CellKey key = keyOf(root, lane, offset);
  if (memory.space == Root::Space::global && !reach(op, key))
    return false;
  if (memory.space == Root::Space::shared) {
    auto [it, isNew] = fresh.try_emplace(key, value);
    if (!isNew && it->second != value)
      return refuse(op, "two threads that store to one element at once");
  }
  setCell(key, value, Pred(path.at(lane)));
  return true;
}

/// Elements of one access; 0 if the type is not handled.
static unsigned partsOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getRank() == 1 && !vector.isScalable()
               ? unsigned(vector.getNumElements())
               : 0;
  return type.isIntOrIndexOrFloat() ? 1 : 0;
}

bool Executor::load(Operation *op, Value memref, ValueRange indices,
                    Value result) {
  auto it = views.find(memref);
  unsigned parts = partsOf(result.getType());
  Type element = getElementTypeOrSelf(result.getType());
  if (it == views.end() || !parts || element.isInteger(1) ||
      element != cast<MemRefType>(memref.getType()).getElementType())
    return refuse(op, "a load from memory that is not understood");
  const View view = it->second;
  if (parts > 1 && arena.constantOf(Poly(view.strides.back().at(0))) != 1)
    return refuse(op, "a vector with a stride");
  auto offset = linear(op, view, indices);
  if (!offset)
    return refuse(op, "an index that is not understood");
  const Root &root = roots[view.root];
  bool ownCells = root.space == Root::Space::local ||
                  (root.space == Root::Space::global && root.written) ||
                  (root.space == Root::Space::shared &&
                   (!path.uniform() || facts.size() > 1));
  Lanes out;
  out.width = parts;
  // Not uniform: each thread has cells, or a path, of its own.
  Lanes each = path;
  if (ownCells && each.uniform())
    each.ids.assign(threads, path.at(0));
  SmallVector<const Lanes *> in{&*offset};
  if (ownCells)
    in.push_back(&each);
  bool good = forLanes(in, out, [&](unsigned lane, uint32_t *to) {
    for (unsigned part = 0; part < parts; ++part) {
      auto value =
          readCell(op, view.root, lane,
                   arena.add(Poly(offset->at(lane)), arena.constant(part)));
      if (!value)
        return false;
      to[part] = idOf(element, *value);
    }
    return true;
  });
  if (good)
    values[result] = std::move(out);
  return good;
}

bool Executor::store(Operation *op, Value memref, ValueRange indices,
                     Value value) {
  auto it = views.find(memref);
  unsigned parts = partsOf(value.getType());
  Type element = getElementTypeOrSelf(value.getType());
  const Lanes *lanes = get(value);
  if (it == views.end() || !parts || element.isInteger(1) || !lanes ||
      element != cast<MemRefType>(memref.getType()).getElementType())
    return refuse(op, "a store to memory that is not understood");
  const View view = it->second;
  if (parts > 1 && arena.constantOf(Poly(view.strides.back().at(0))) != 1)
    return refuse(op, "a vector with a stride");
  auto offset = linear(op, view, indices);
  if (!offset)
    return refuse(op, "an index that is not understood");
  fresh.clear();
  for (unsigned lane = 0; lane < threads; ++lane) {
    if (!active(lane))
      continue;
    enter(lane);
    for (unsigned part = 0; part < parts; ++part)
      if (!writeCell(op, view.root, lane,
                     arena.add(Poly(offset->at(lane)), arena.constant(part)),
                     termOf(element, lanes->at(lane, part)))) {
        leave();
        return false;
      }
  }
  leave();
  return true;
}
