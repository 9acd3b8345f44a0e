//===- RowGroup.cpp - The operations that one row-wise kernel computes
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowGroup.h"
#include "KLineage/Analysis/StructuredClauses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace klineage;

//===----------------------------------------------------------------------===//
// Questions to a group
//===----------------------------------------------------------------------===//

bool RowGroup::contains(Operation *op) const {
  return llvm::any_of(ops, [&](RowOp row) { return row.op == op; });
}

int64_t RowGroup::columns() const {
  linalg::LinalgOp op = seed;
  return op.getStaticLoopRanges()[rowRank];
}

Location RowGroup::getLoc() const {
  linalg::LinalgOp op = seed;
  return op.getLoc();
}

bool RowGroup::isWritten(Value buffer) const {
  return llvm::any_of(
      ops, [&](RowOp row) { return row.op.getDpsInits()[0] == buffer; });
}

bool RowGroup::isOutput(Value buffer) const {
  if (!isWritten(buffer))
    return false;
  return !buffer.getDefiningOp<memref::AllocOp>() ||
         llvm::any_of(buffer.getUsers(), [&](Operation *user) {
           return !contains(user) && !isa<memref::DimOp>(user);
         });
}

SmallVector<Value> RowGroup::temporaries() const {
  llvm::SetVector<Value> found;
  for (RowOp row : ops)
    if (!isOutput(row.op.getDpsInits()[0]))
      found.insert(row.op.getDpsInits()[0]);
  return found.takeVector();
}

SmallVector<RowSource> RowGroup::sources() const {
  SmallVector<RowSource> found;
  for (RowOp row : ops)
    for (OpOperand *input : row.op.getDpsInputOperands()) {
      std::optional<RowSource> source = sourceOf(row, *input);
      if (source && !isWritten(source->buffer) &&
          !llvm::is_contained(found, *source))
        found.push_back(*source);
    }
  return found;
}

bool RowGroup::reads(size_t stage, const RowSource &source) const {
  linalg::LinalgOp op = ops[stage].op;
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    std::optional<RowSource> read = sourceOf(ops[stage], *input);
    return read && *read == source;
  });
}

std::optional<RowSource> klineage::sourceOf(RowOp row, OpOperand &operand) {
  if (!isa<MemRefType>(operand.get().getType()))
    return std::nullopt;
  RowSource source{operand.get(), {}};
  int64_t last = int64_t(row.op.getNumLoops()) - 1;
  for (AffineExpr expr : row.op.getMatchingIndexingMap(&operand).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    int64_t loop = dim ? int64_t(dim.getPosition()) : kNoLoop;
    source.loops.push_back(row.unitLoop && loop == last ? kNoLoop : loop);
  }
  return source;
}

RowSource klineage::resultOf(RowOp row) {
  return *sourceOf(row, *row.op.getDpsInitOperand(0));
}

/// The most elements of column buffers that are in use at one time: a loaded
/// buffer from the start, one that all rows share or a computed one from its
/// first operation on, all up to the last operation that reads them.
int64_t klineage::liveElements(const RowGroup &group, int64_t elements) {
  llvm::MapVector<Value, std::pair<int64_t, int64_t>> ranges;
  for (auto [index, row] : llvm::enumerate(group.ops))
    for (OpOperand &operand : row.op->getOpOperands()) {
      std::optional<RowSource> source = sourceOf(row, operand);
      if (!source || !source->hasColumn(group.rowRank))
        continue;
      bool late =
          group.isWritten(source->buffer) || !source->hasRow(group.rowRank);
      int64_t start = late ? index : 0;
      auto [it, fresh] = ranges.insert({source->buffer, {start, index}});
      it->second.second = index;
    }
  int64_t most = 0;
  for (size_t index = 0; index < group.ops.size(); ++index)
    most = std::max<int64_t>(most, llvm::count_if(ranges, [&](auto &entry) {
                               return entry.second.first <= int64_t(index) &&
                                      entry.second.second >= int64_t(index);
                             }));
  return most * elements;
}

std::optional<gpu::AllReduceOperation>
klineage::allReduceOf(Operation *combiner) {
  using Kind = gpu::AllReduceOperation;
  if (!combiner)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(combiner)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Kind::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Kind::MUL; })
      .Case([](arith::MaximumFOp) { return Kind::MAXIMUMF; })
      .Case([](arith::MaxNumFOp) { return Kind::MAXNUMF; })
      .Case([](arith::MinimumFOp) { return Kind::MINIMUMF; })
      .Case([](arith::MinNumFOp) { return Kind::MINNUMF; })
      .Case([](arith::MaxSIOp) { return Kind::MAXSI; })
      .Case([](arith::MaxUIOp) { return Kind::MAXUI; })
      .Case([](arith::MinSIOp) { return Kind::MINSI; })
      .Case([](arith::MinUIOp) { return Kind::MINUI; })
      .Case([](arith::AndIOp) { return Kind::AND; })
      .Case([](arith::OrIOp) { return Kind::OR; })
      .Case([](arith::XOrIOp) { return Kind::XOR; })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Collecting a group
//===----------------------------------------------------------------------===//

/// Loops in increasing order, each once: rows, then the column. Constant 0 is
/// the index of a reduced dimension.
static bool keepsOrder(AffineMap map) {
  int64_t last = -1;
  for (AffineExpr expr : map.getResults()) {
    if (expr == getAffineConstantExpr(0, map.getContext()))
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || int64_t(dim.getPosition()) <= last)
      return false;
    last = dim.getPosition();
  }
  return true;
}

/// The first `count` loops, then nothing but zeros.
static bool leadsWith(AffineMap map, int64_t count) {
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    AffineExpr expected = int64_t(position) < count
                              ? getAffineDimExpr(position, map.getContext())
                              : getAffineConstantExpr(0, map.getContext());
    if (expr != expected)
      return false;
  }
  return int64_t(map.getNumResults()) >= count;
}

/// Elements that registers and vectors hold: whole bytes.
static bool hasPlainElements(linalg::LinalgOp op) {
  return llvm::all_of(op->getOperands(), [](Value operand) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    return !type || (type.getElementType().isIntOrFloat() &&
                     type.getElementTypeBitWidth() >= 8 &&
                     llvm::isPowerOf2_32(type.getElementTypeBitWidth()));
  });
}

static bool isRowOperation(linalg::LinalgOp op) {
  return isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()) &&
         op.hasPureBufferSemantics() && op.getNumDpsInits() == 1 &&
         !op.hasIndexSemantics() && hasPlainElements(op) &&
         llvm::all_of(op.getIndexingMapsArray(), keepsOrder);
}

/// `op` in a group with the extents `ranges` (rows, then columns).
static std::optional<RowOp> roleOf(linalg::LinalgOp op,
                                   ArrayRef<int64_t> ranges) {
  int64_t rowRank = ranges.size() - 1, loops = op.getNumLoops();
  if (!isRowOperation(op) || (loops != rowRank && loops != rowRank + 1))
    return std::nullopt;
  SmallVector<int64_t> own = op.getStaticLoopRanges();
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  bool parallel = op.getNumReductionLoops() == 0;
  bool unit = loops == rowRank + 1 && own.back() == 1 && ranges.back() != 1;
  if (unit) {
    bool plain = llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
      return map.isProjectedPermutation();
    });
    own.back() = ranges.back();
    if (!parallel || !plain || own != ranges || !out.isIdentity())
      return std::nullopt;
    return RowOp{op, RowRole::scalar, /*unitLoop=*/true};
  }
  if (ArrayRef<int64_t>(own) != ranges.take_front(loops))
    return std::nullopt;
  if (parallel) {
    bool matrix = loops == rowRank + 1;
    if (matrix ? !out.isIdentity() : !leadsWith(out, loops))
      return std::nullopt;
    return RowOp{op, matrix ? RowRole::matrix : RowRole::scalar};
  }
  bool reducesColumns =
      loops == rowRank + 1 && op.getNumReductionLoops() == 1 &&
      op.getIteratorTypesArray().back() == utils::IteratorType::reduction &&
      leadsWith(out, rowRank);
  if (!reducesColumns)
    return std::nullopt;
  return RowOp{op, RowRole::reduction};
}

/// Neighbours of the seed, in one direction, while they have a role.
static void scan(linalg::LinalgOp seed, ArrayRef<int64_t> ranges, bool forward,
                 SmallVectorImpl<RowOp> &found) {
  auto next = [&](Operation *op) {
    return forward ? op->getNextNode() : op->getPrevNode();
  };
  for (Operation *op = next(seed); op; op = next(op)) {
    if (isa<memref::AllocOp>(op) ||
        (op->getNumRegions() == 0 && isMemoryEffectFree(op)))
      continue;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    std::optional<RowOp> row =
        linalgOp ? roleOf(linalgOp, ranges) : std::nullopt;
    if (!row)
      return;
    found.push_back(*row);
  }
}

namespace {
/// Operations over the rows and columns of the seed, found through buffers that
/// they share. Equal static extents agree; dynamic ones agree only if a
/// dimension of a shared buffer says so.
class Connected {
public:
  explicit Connected(const RowGroup &group) {
    for (RowOp row : group.ops)
      if (row.op == group.seed)
        add(row);
    for (bool changed = true; changed;) {
      changed = false;
      for (RowOp row : group.ops)
        if (!ops.count(row.op) && joins(row)) {
          add(row);
          changed = true;
        }
    }
  }
  bool contains(Operation *op) const { return ops.count(op); }

private:
  template <typename Visitor>
  static void eachDimension(RowOp row, Visitor visit) {
    for (OpOperand &operand : row.op->getOpOperands())
      if (std::optional<RowSource> source = sourceOf(row, operand))
        for (auto [position, loop] : llvm::enumerate(source->loops))
          if (loop != kNoLoop)
            visit({source->buffer, int64_t(position)}, loop);
  }

  void add(RowOp row) {
    ops.insert(row.op);
    for (Value operand : row.op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        buffers.insert(operand);
    eachDimension(row, [&](std::pair<Value, int64_t> dimension, int64_t loop) {
      loopOf.try_emplace(dimension, loop);
    });
  }

  bool joins(RowOp row) const {
    if (llvm::none_of(row.op->getOperands(),
                      [&](Value operand) { return buffers.count(operand); }))
      return false;
    SmallVector<int64_t> ranges = row.op.getStaticLoopRanges();
    llvm::SmallBitVector known(ranges.size());
    for (auto [loop, range] : llvm::enumerate(ranges))
      known[loop] = !ShapedType::isDynamic(range);
    eachDimension(row, [&](std::pair<Value, int64_t> dimension, int64_t loop) {
      auto it = loopOf.find(dimension);
      if (it != loopOf.end() && it->second == loop)
        known.set(loop);
    });
    return known.all();
  }

  llvm::DenseSet<Operation *> ops;
  llvm::DenseSet<Value> buffers;
  llvm::DenseMap<std::pair<Value, int64_t>, int64_t> loopOf;
};
} // namespace

/// Shortens the group to the operations around the seed without a stranger
/// among them: the order of operations outside of the group stays as it is.
static void trim(RowGroup &group) {
  while (true) {
    Connected connected(group);
    auto seed = llvm::find_if(group.ops,
                              [&](RowOp row) { return row.op == group.seed; });
    auto first = seed, last = seed;
    while (first != group.ops.begin() && connected.contains((first - 1)->op))
      --first;
    while (last != group.ops.end() && connected.contains(last->op))
      ++last;
    if (first == group.ops.begin() && last == group.ops.end())
      return;
    group.ops = SmallVector<RowOp>(first, last);
  }
}

static RowGroup groupOf(linalg::LinalgOp seed) {
  RowGroup group;
  SmallVector<int64_t> ranges = seed.getStaticLoopRanges();
  if (ranges.size() < 2)
    return group;
  std::optional<RowOp> own = roleOf(seed, ranges);
  if (!own || own->role != RowRole::reduction)
    return group;
  group.seed = seed;
  group.rowRank = ranges.size() - 1;
  scan(seed, ranges, /*forward=*/false, group.ops);
  std::reverse(group.ops.begin(), group.ops.end());
  group.ops.push_back(*own);
  scan(seed, ranges, /*forward=*/true, group.ops);
  trim(group);
  llvm::DenseSet<Value> reduced;
  for (RowOp row : group.ops)
    if (row.role == RowRole::reduction)
      reduced.insert(row.op.getDpsInits()[0]);
  for (RowOp &row : group.ops)
    if (isa<linalg::FillOp>(row.op) && reduced.count(row.op.getDpsInits()[0]))
      row.role = RowRole::initial;
  return group;
}

RowGroup klineage::collectRowGroup(linalg::LinalgOp target) {
  if (RowGroup group = groupOf(target); !group.ops.empty())
    return group;
  // The target is no reduction itself: the group of one that contains it.
  for (auto op : target->getBlock()->getOps<linalg::LinalgOp>())
    if (op.getNumReductionLoops() > 0)
      if (RowGroup group = groupOf(op); group.contains(target))
        return group;
  return RowGroup();
}
