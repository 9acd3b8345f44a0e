//===- Host.cpp - What a whole state computes, element by element
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "KLineage/Analysis/HostSummary.h"
#include "KLineage/Analysis/Symbolic/Substitute.h"

using namespace mlir;
using namespace klineage;
using namespace klineage::sym;

HostCase HostCase::split(const HostSplit &at, std::vector<bool> before,
                         bool taken) const {
  HostCase half = *this;
  half.branches = std::move(before);
  // An extent that is a multiple decides the branch by itself.
  if (taken)
    half.factors[at.extent] = at.factor;
  else
    half.branches.push_back(false);
  return half;
}

std::string HostCase::str() const {
  std::string text;
  for (auto [extent, factor] : factors)
    text += (text.empty() ? "" : ", ") + std::string("extent ") +
            std::to_string(extent.second) + " of argument " +
            std::to_string(extent.first) + " a multiple of " +
            std::to_string(factor);
  return text;
}

/// Numbers of buffers that the host allocates start here.
static constexpr uint64_t firstTemporary = 1000;

namespace {
class HostRunner : Executor {
public:
  HostRunner(func::FuncOp entry, HostSymbols &symbols, HostSummary &out,
             const KernelLaunch &none, std::vector<bool> branches)
      : Executor(symbols.arena, none, scratch), entry(entry), symbols(symbols),
        out(out), branches(std::move(branches)) {}

  void run() {
    if (bindEntry())
      runHost(entry.getBody().front());
    if (scratch.refusal && !out.refusal)
      out.refusal = scratch.refusal;
    if (!arena.failure().empty() && !out.refusal)
      out.refusal = Refusal{entry.getLoc(), arena.failure().str()};
    for (auto &[number, array] : out.arrays)
      if (number < firstTemporary && array.value)
        out.outputs.push_back(number);
  }

private:
  bool bindEntry();
  Poly extentOf(ExtentTies::Extent extent);
  bool runHost(Block &block);
  bool runHostOp(Operation &op);
  bool allocate(memref::AllocOp op);
  bool branch(scf::IfOp op);
  bool launchKernel(gpu::LaunchFuncOp op);
  Term inputsOf(Term value);
  Poly integerOf(Value v) { return Poly(get(v)->at(0)); }

  BlockSummary scratch;
  func::FuncOp entry;
  HostSymbols &symbols;
  HostSummary &out;
  std::vector<bool> branches;
  llvm::DenseMap<Value, uint64_t> arrayOf;
};
} // namespace

Poly HostRunner::extentOf(ExtentTies::Extent extent) {
  auto leader = symbols.ties.leader.find(extent);
  if (leader != symbols.ties.leader.end())
    extent = leader->second;
  if (auto fixed = symbols.ties.fixed.find(extent);
      fixed != symbols.ties.fixed.end())
    return arena.constant(fixed->second);
  auto known = symbols.extents.find(extent);
  if (known != symbols.extents.end())
    return known->second;
  auto factor = symbols.which.factors.find(extent);
  std::string name =
      "d" + std::to_string(extent.first) + std::to_string(extent.second);
  int64_t by = factor == symbols.which.factors.end() ? 1 : factor->second;
  Poly quotient = arena.symbol(by > 1 ? name + "/" + std::to_string(by) : name,
                               {1, Interval::none});
  return symbols.extents[extent] = arena.scale(quotient, by);
}

bool HostRunner::bindEntry() {
  if (entry.isExternal() || !entry.getBody().hasOneBlock())
    return refuse(entry, "an entry without one block of code");
  for (BlockArgument arg : entry.getArguments()) {
    unsigned number = arg.getArgNumber();
    if (auto type = dyn_cast<MemRefType>(arg.getType())) {
      SmallVector<Poly> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        sizes.push_back(type.isDynamicDim(dim)
                            ? extentOf({number, dim})
                            : arena.constant(type.getDimSize(dim)));
      auto it = symbols.shapes.find(number);
      if (it == symbols.shapes.end())
        it = symbols.shapes.try_emplace(number, makeShape(arena, sizes)).first;
      if (it->second.sizes != sizes)
        return refuse(entry, "argument " + Twine(number) +
                                 " has another shape than in the other entry");
      out.arrays[number] = {"arg" + std::to_string(number), it->second, {}};
      arrayOf[arg] = number;
      continue;
    }
    if (arg.getType().isIntOrIndex() && !arg.getType().isInteger(1)) {
      auto [it, isNew] = symbols.integers.try_emplace(number);
      if (isNew)
        it->second = arena.symbol("arg" + std::to_string(number));
      values[arg] = Lanes(uint32_t(it->second));
    } else if (isa<FloatType>(arg.getType())) {
      Term value = arena.argument(arena.label("arg" + std::to_string(number)));
      values[arg] = Lanes(uint32_t(value));
    } else {
      return refuse(entry, "an argument of a type that is not understood");
    }
  }
  return true;
}

bool HostRunner::allocate(memref::AllocOp op) {
  SmallVector<Poly> sizes;
  auto dynamic = op.getDynamicSizes().begin();
  for (int64_t size : op.getType().getShape()) {
    if (ShapedType::isDynamic(size) && !get(*dynamic))
      return refuse(op, "an extent that is not understood");
    sizes.push_back(ShapedType::isDynamic(size) ? integerOf(*dynamic++)
                                                : arena.constant(size));
  }
  uint64_t number = firstTemporary + out.arrays.size();
  out.arrays[number] = {"tmp" + std::to_string(out.arrays.size()),
                        makeShape(arena, sizes), arena.undefined()};
  arrayOf[op] = number;
  return true;
}

/// Open conditions are settled by the case: the extent is a multiple or not.
bool HostRunner::branch(scf::IfOp op) {
  if (op.getNumResults() || !get(op.getCondition()))
    return refuse(op, "a branch of the host that is not understood");
  Pred p = Pred(get(op.getCondition())->at(0));
  std::optional<bool> known = arena.decide(p);
  if (!known && out.branches.size() < branches.size()) {
    known = branches[out.branches.size()];
    out.branches.push_back(*known);
  }
  if (known) {
    Region &region = *known ? op.getThenRegion() : op.getElseRegion();
    return region.empty() || runHost(region.front());
  }
  // extent - c * (extent floordiv c) == 0
  const PredNode n = arena.node(p);
  if (n.kind == PredNode::Kind::zero)
    for (auto &[extent, poly] : symbols.extents)
      for (const Monomial &m : arena.node(Poly(n.operand)).terms)
        for (Atom atom : m.atoms) {
          const AtomNode &a = arena.node(atom);
          if (a.kind != AtomNode::Kind::floorDiv || !arena.constantOf(a.rhs))
            continue;
          int64_t c = *arena.constantOf(a.rhs);
          Poly rest = arena.mod(poly, arena.constant(c));
          if (arena.zero(rest) != p)
            continue;
          auto old = symbols.which.factors.find(extent);
          if (old != symbols.which.factors.end())
            continue;
          out.split = HostSplit{extent, c};
          return false;
        }
  return refuse(op, "a branch of the host that is not about a multiple");
}

/// Elements of buffers as what they hold now.
Term HostRunner::inputsOf(Term value) {
  Substituter sub(arena);
  sub.onLoad = [&](uint64_t number, Poly offset) -> std::optional<Term> {
    const HostArray &array = out.arrays[number];
    if (!array.value)
      return std::nullopt;
    Substituter at(arena);
    Poly rest = offset;
    SmallVector<Poly> places(array.shape.sizes.size(), arena.constant(0));
    for (size_t i = places.size(); i-- > 0;) {
      Poly size = array.shape.sizes[i];
      if (i == 0 || arena.constantOf(size) == 1) {
        places[i] = i == 0 ? rest : arena.constant(0);
        continue;
      }
      Poly whole = arena.floorDiv(rest, size);
      places[i] = arena.sub(rest, arena.mul(whole, size));
      rest = whole;
    }
    for (auto [symbol, place] : llvm::zip(array.shape.coordinates, places))
      if (auto atom = arena.atomOf(symbol))
        at.set(*atom, place);
    return at.apply(*array.value);
  };
  return sub.apply(value);
}

bool HostRunner::launchKernel(gpu::LaunchFuncOp op) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      op, op.getKernelAttr());
  if (!kernel || op.getAsyncToken() || op.hasClusterSize())
    return refuse(op, "a launch that is not understood");
  KernelLaunch bound{kernel, {}, {}, {}};
  Value grid[] = {op.getGridSizeX(), op.getGridSizeY(), op.getGridSizeZ()};
  Value block[] = {op.getBlockSizeX(), op.getBlockSizeY(), op.getBlockSizeZ()};
  for (unsigned i = 0; i < 3; ++i) {
    if (!get(grid[i]) || !get(block[i]))
      return refuse(op, "a launch whose size is not understood");
    bound.gridSize[i] = integerOf(grid[i]);
    auto size = arena.constantOf(integerOf(block[i]));
    if (!size)
      return refuse(op, "a block whose size is not constant");
    bound.blockSize[i] = *size;
  }
  for (Value operand : op.getKernelOperands()) {
    KernelArgument argument;
    if (auto it = arrayOf.find(operand); it != arrayOf.end())
      argument.array = it->second;
    else if (const Lanes *lanes = get(operand))
      if (operand.getType().isIntOrIndex())
        argument.integer = Poly(lanes->at(0));
      else
        argument.value = Term(lanes->at(0));
    else
      return refuse(op, "an argument of a launch that is not understood");
    bound.arguments.push_back(argument);
  }
  BlockSummary block_ = summarizeBlock(arena, bound);
  out.assumptions.insert(block_.assumptions.begin(), block_.assumptions.end());
  if (block_.refusal) {
    out.refusal = block_.refusal;
    return false;
  }
  std::map<uint64_t, Term> after;
  for (const ElementStore &store : block_.stores) {
    if (after.count(store.array))
      continue;
    HostArray &array = out.arrays[store.array];
    std::string why;
    std::optional<Term> value =
        mapOutput(arena, block_, bound, store.array, array.shape, why);
    if (!value) {
      out.refusal = Refusal{kernel->getLoc(),
                            "what '" + kernel.getName().str() + "' stores to " +
                                array.name + ": " + why};
      return false;
    }
    after[store.array] = inputsOf(*value);
  }
  for (auto &[number, value] : after)
    out.arrays[number].value = value;
  return true;
}

bool HostRunner::runHostOp(Operation &op) {
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return allocate(alloc);
  if (isa<memref::DeallocOp>(op))
    return true;
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op)) {
    auto it = arrayOf.find(cast.getSource());
    auto offset = getConstantIntValue(cast.getMixedOffsets()[0]);
    if (it == arrayOf.end() || offset != 0)
      return refuse(&op, "a view of memory that is not understood");
    uint64_t number = it->second;
    arrayOf[cast] = number;
    return true;
  }
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    auto it = arrayOf.find(dim.getSource());
    auto at = dim.getConstantIndex();
    if (it == arrayOf.end() || !isa<BlockArgument>(dim.getSource()) || !at ||
        *at >= int64_t(out.arrays[it->second].shape.sizes.size()))
      return refuse(&op, "an extent that is not understood");
    values[dim] =
        Lanes(uint32_t(out.arrays[it->second].shape.sizes[size_t(*at)]));
    return true;
  }
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return branch(conditional);
  if (auto launched = dyn_cast<gpu::LaunchFuncOp>(op))
    return launchKernel(launched);
  bool known = false;
  if (!runInteger(op, known))
    return false;
  if (known)
    return true;
  if (!runFloat(op, known))
    return false;
  return known || refuse(&op, "'" + op.getName().getStringRef() +
                                  "' is an operation of the host that is not "
                                  "understood");
}

bool HostRunner::runHost(Block &block) {
  for (Operation &op : block.without_terminator())
    if (!runHostOp(op))
      return false;
  return true;
}

HostSummary klineage::summarizeHost(func::FuncOp entry, HostSymbols &symbols,
                                    std::vector<bool> branches) {
  HostSummary summary;
  KernelLaunch none{{}, {1, 1, 1}, {}, {}};
  HostRunner(entry, symbols, summary, none, std::move(branches)).run();
  return summary;
}
