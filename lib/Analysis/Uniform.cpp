//===- Uniform.cpp - Clause barrier_uniform
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClauseQuery.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace klineage;

/// Barriers on both sides of a branch may become one, in which all threads
/// meet: nothing is refuted then.
static bool hasBarrierOnBothSides(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  auto has = [](Region &region) {
    return region.walk([](gpu::BarrierOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  };
  return branch && has(branch.getThenRegion()) && has(branch.getElseRegion());
}

ClauseResult klineage::barrierUniform(KernelModel &model) {
  ClauseQuery query(model, "barrier_uniform", ClauseClass::pipeline,
                    "all threads of a block meet at every barrier");
  llvm::DenseMap<Var, Expr> twin = makeTwin(model, /*otherBlock=*/false);
  for (const KernelBarrier &barrier : model.barriers) {
    // Both threads are in the same iteration of the loops around.
    for (unsigned id : barrier.guards)
      twin.erase(model.guards[id].counter);
    // One thread goes in where another one does not, for the first time.
    for (size_t n = 0; n < barrier.guards.size(); ++n) {
      ArrayRef<unsigned> outer = ArrayRef(barrier.guards).take_front(n);
      const Guard &guard = model.guards[barrier.guards[n]];
      Formula both = conj(model.domainOf(outer),
                          substitute(model.arena, model.domainOf(outer), twin));
      Formula split =
          conj(guard.holds, substitute(model.arena, guard.fails, twin));
      query.veto = nullptr;
      if (hasBarrierOnBothSides(guard.op))
        query.veto = [](const Assignment &) {
          return std::string("the other branch has a barrier as well");
        };
      bool exact =
          model.exactDomain(ArrayRef(barrier.guards).take_front(n + 1));
      if (!query.impossible(both, split, exact, barrier.op, [&] {
            return std::string(guard.counter != ~0u
                                   ? "threads leave a loop around a barrier at "
                                     "different times"
                                   : "threads take different branches around a "
                                     "barrier");
          }))
        return query.take();
    }
  }
  return query.take();
}
