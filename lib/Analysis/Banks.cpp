//===- Banks.cpp - Clause bank_conflict_degree
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Analysis/Banks.h"
#include "ClauseQuery.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace klineage;

constexpr int64_t kLanes = 32, kBanks = 32, kBankBytes = 4;

namespace {

using LaneAddresses = std::array<std::optional<int64_t>, kLanes>;
using Visit = llvm::function_ref<void(int64_t passes)>;

/// One shared access by all warps of a block, addresses in bytes.
class Lanes {
public:
  Lanes(KernelModel &model, const KernelAccess &access, int64_t &budget)
      : model(model), arena(model.arena), access(access), budget(budget) {
    const MemoryRoot &root = model.roots[access.root];
    address = arena.constant(0);
    for (auto [index, stride] : llvm::zip(access.index, root.strides))
      address = arena.add(address, arena.mul(index, stride));
    address = arena.scale(address, root.elementBytes);
    bytes = access.width * root.elementBytes;
    for (int64_t size : model.blockSize)
      threads *= size;
    for (unsigned id : access.guards)
      for (const Conjunction &all : model.guards[id].holds.disjuncts)
        for (Condition condition : all)
          guardExprs.push_back(condition.expr);
  }

  bool isThread(Var v) const { return llvm::is_contained(model.thread, v); }
  bool variesByLane(Expr e) const {
    llvm::SetVector<Var> all;
    arena.collectVars(e, all);
    return llvm::any_of(all, [&](Var v) { return isThread(v); });
  }
  void addVars(Expr e, llvm::SetVector<Var> &vars) const {
    llvm::SetVector<Var> all;
    arena.collectVars(e, all);
    for (Var v : all)
      if (!isThread(v))
        vars.insert(v);
  }

  /// What all lanes share moves them over the banks together: it is dropped.
  /// Returns the positions in a word that it may lead to, as a step.
  int64_t dropShared() {
    // What is not understood may be another value for each lane.
    Expr shared = arena.partWithout(address, [&](Var v) {
      return isThread(v) || arena.info(v).kind == VarKind::opaque;
    });
    address = arena.sub(address, shared);
    int64_t divisor = arena.divisorOf(shared);
    return divisor == 0 ? kBankBytes : std::gcd(divisor, kBankBytes);
  }

  /// All values of `vars`, each with all warps. False if there are too many or
  /// an address has no value.
  bool forAll(ArrayRef<Var> vars, int64_t shift, Visit visit) {
    if (vars.empty())
      return warps(shift, visit);
    klineage::Range range = arena.info(vars[0]).range;
    for (int64_t value = range.lo; value <= range.hi; ++value) {
      if (budget <= 0)
        return false;
      values[vars[0]] = value;
      if (!forAll(vars.drop_front(), shift, visit))
        return false;
    }
    values.erase(vars[0]);
    return true;
  }

  /// Lanes to visit for all values of the variables; kInfinity if unbounded.
  int64_t points(ArrayRef<Var> vars) const {
    int64_t count = threads;
    for (Var v : vars) {
      klineage::Range range = arena.info(v).range;
      if (range.lo <= -kInfinity || range.hi >= kInfinity ||
          llvm::MulOverflow(count, range.hi - range.lo + 1, count))
        return kInfinity;
    }
    return count;
  }

  KernelModel &model;
  ExprArena &arena;
  const KernelAccess &access;
  int64_t &budget;
  Expr address;
  SmallVector<Expr> guardExprs;
  int64_t bytes, threads = 1;

private:
  bool warps(int64_t shift, Visit visit) {
    auto [x, y, z] = model.blockSize;
    for (int64_t first = 0; first < threads; first += kLanes) {
      LaneAddresses at;
      for (int64_t lane = 0; lane < std::min(kLanes, threads - first); ++lane) {
        int64_t thread = first + lane;
        if (--budget <= 0)
          return false;
        values[model.thread[0]] = thread % x;
        values[model.thread[1]] = thread / x % y;
        values[model.thread[2]] = thread / x / y;
        if (!active())
          continue;
        at[lane] = arena.eval(address, values);
        if (!at[lane])
          return false;
        *at[lane] += shift;
      }
      // Wider accesses than 16 bytes are several.
      for (int64_t part = 0; part < bytes; part += 16)
        groups(at, part, std::min<int64_t>(16, bytes - part), visit);
    }
    return true;
  }

  /// Conditions without a value are taken to hold.
  bool active() const {
    auto admits = [&](Condition condition) {
      auto value = arena.eval(condition.expr, values);
      return !value || (condition.equality ? *value == 0 : *value >= 0);
    };
    return llvm::all_of(access.guards, [&](unsigned id) {
      return llvm::any_of(
          model.guards[id].holds.disjuncts,
          [&](const Conjunction &all) { return llvm::all_of(all, admits); });
    });
  }

  static void groups(const LaneAddresses &at, int64_t part, int64_t wide,
                     Visit visit) {
    int64_t group = wide <= 4 ? 32 : wide <= 8 ? 16 : 8;
    for (int64_t first = 0; first < kLanes; first += group) {
      SmallVector<int64_t, 64> words;
      for (auto lane : ArrayRef(at).slice(first, group)) {
        if (!lane)
          continue;
        int64_t begin = *lane + part, end = begin + wide - 1;
        for (int64_t word = llvm::divideFloorSigned(begin, kBankBytes),
                     last = llvm::divideFloorSigned(end, kBankBytes);
             word <= last; ++word)
          words.push_back(word);
      }
      llvm::sort(words);
      words.erase(llvm::unique(words), words.end());
      int64_t perBank[kBanks] = {}, worst = 0;
      for (int64_t word : words)
        worst = std::max(worst, ++perBank[(word % kBanks + kBanks) % kBanks]);
      if (worst)
        visit(worst);
    }
  }

  Assignment values;
};

} // namespace

static BankDegree unknownDegree(std::string why) {
  BankDegree result;
  result.why = std::move(why);
  return result;
}

BankDegree klineage::bankDegreeOf(KernelModel &model,
                                  const KernelAccess &access, int64_t &budget) {
  Lanes lanes(model, access, budget);
  if (lanes.threads == 0)
    return unknownDegree("the block size is not constant");
  int64_t step = lanes.dropShared();
  llvm::SetVector<Var> vars;
  lanes.addVars(lanes.address, vars);
  for (Var v : vars)
    if (model.arena.info(v).kind == VarKind::opaque)
      return unknownDegree("it depends on " + model.arena.info(v).name +
                           ", which is not understood");
  BankDegree result;
  result.exact = step == kBankBytes && model.exactDomain(access.guards);
  int64_t positions = kBankBytes / step;
  if (lanes.points(vars.getArrayRef()) > budget / positions)
    return unknownDegree("too many values decide it");
  // Which lanes take part: exact if all that decides it can be enumerated.
  llvm::SetVector<Var> more = vars;
  for (Expr e : lanes.guardExprs)
    if (lanes.variesByLane(e))
      lanes.addVars(e, more);
  if (lanes.points(more.getArrayRef()) <= budget / positions / 8)
    vars = std::move(more);
  else
    result.exact &= more.size() == vars.size();
  result.degree = 1;
  for (int64_t shift = 0; shift < kBankBytes; shift += step)
    if (!lanes.forAll(vars.getArrayRef(), shift, [&](int64_t passes) {
          result.degree = std::max(result.degree, passes);
        }))
      return unknownDegree("an address is too large, or too many decide it");
  return result;
}

std::optional<int64_t> klineage::countBankConflicts(KernelModel &model,
                                                    int64_t budget) {
  if (!model.notUnderstood.empty())
    return std::nullopt;
  int64_t total = 0;
  for (const KernelAccess &access : model.accesses) {
    if (model.roots[access.root].space != MemoryRoot::Space::shared)
      continue;
    Lanes lanes(model, access, budget);
    llvm::SetVector<Var> vars(model.block.begin(), model.block.end());
    lanes.addVars(lanes.address, vars);
    for (Expr e : lanes.guardExprs)
      lanes.addVars(e, vars);
    for (unsigned id : access.guards)
      if (model.guards[id].counter != ~0u)
        vars.insert(model.guards[id].counter);
    if (lanes.threads == 0 || !model.exactDomain(access.guards) ||
        lanes.points(vars.getArrayRef()) > budget)
      return std::nullopt;
    for (Var v : vars)
      if (model.arena.info(v).kind == VarKind::opaque ||
          model.arena.info(v).kind == VarKind::scalar ||
          model.arena.info(v).kind == VarKind::size)
        return std::nullopt;
    if (!lanes.forAll(vars.getArrayRef(), 0,
                      [&](int64_t passes) { total += passes - 1; }))
      return std::nullopt;
  }
  return total;
}

ClauseResult klineage::bankConflictDegree(KernelModel &model, int64_t atMost) {
  ClauseResult result(model.kernel.getLoc());
  result.name = "bank_conflict_degree";
  result.clauseClass = ClauseClass::hardware;
  result.engine = "enumeration";
  result.expected = "at most " + std::to_string(atMost) +
                    " passes over the banks for a group of lanes";
  result.truth = Truth::proved;
  int64_t worst = 0, budget = 1000000;
  std::string doubt;
  if (!model.notUnderstood.empty())
    doubt = model.notUnderstood.front().second + " is not modelled";
  for (const KernelAccess &access : model.accesses) {
    const MemoryRoot &root = model.roots[access.root];
    if (root.space != MemoryRoot::Space::shared)
      continue;
    BankDegree degree = bankDegreeOf(model, access, budget);
    std::string what = (access.write ? "a store to " : "a load from ") +
                       root.name + " has degree ";
    if (!degree.why.empty() || (!degree.exact && degree.degree > atMost)) {
      doubt = doubt.empty() ? what + "not known: " +
                                  (degree.why.empty() ? "some lanes may not "
                                                        "take part"
                                                      : degree.why)
                            : doubt;
      continue;
    }
    if (degree.degree <= worst)
      continue;
    worst = degree.degree;
    result.found =
        what + (degree.exact ? "" : "at most ") + std::to_string(worst);
    result.loc = access.op->getLoc();
  }
  if (worst > atMost) {
    result.truth = Truth::refuted;
    result.nearestLegal = std::to_string(worst);
  } else if (!doubt.empty()) {
    result.truth = atMost < kBanks ? Truth::unknown : Truth::proved;
    result.found = doubt;
  } else if (worst == 0) {
    result.found = "no access to shared memory";
  }
  return result;
}
