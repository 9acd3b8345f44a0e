//===- Barriers.cpp - Where threads of a block must wait for each other
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Distribution.h"
#include "KLineage/Analysis/StructuredClauses.h"

using namespace mlir;
using namespace klineage;

namespace {
using AccessMap = DenseMap<Operation *, SmallVector<Access>>;

/// Accesses since the last barrier, on some path.
using Pending = SmallVector<Access>;

bool conflicts(const Access &a, const Access &b) {
  if (!a.write && !b.write)
    return false;
  if (a.operand == b.operand && a.key == b.key &&
      !StringRef(a.key).contains("shared"))
    return false;
  return a.base == b.base || !provablyDistinct(a.base, b.base);
}

class Placement {
public:
  Placement(RewriterBase &rewriter, const AccessMap &accesses)
      : rewriter(rewriter), accesses(accesses) {}

  void visit(Block &block, Pending &pending, bool insert) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto it = accesses.find(&op); it != accesses.end())
        visitAccesses(&op, it->second, pending, insert);
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        visitLoop(loop, pending, insert);
    }
  }

private:
  void visitAccesses(Operation *op, ArrayRef<Access> now, Pending &pending,
                     bool insert) {
    bool hazard = llvm::any_of(now, [&](const Access &access) {
      return llvm::any_of(pending, [&](const Access &earlier) {
        return conflicts(earlier, access);
      });
    });
    if (hazard) {
      pending.clear();
      if (insert) {
        rewriter.setInsertionPoint(op);
        gpu::BarrierOp::create(rewriter, op->getLoc());
      }
    }
    llvm::append_range(pending, now);
  }

  /// What one iteration leaves pending meets the next one at its start.
  void visitLoop(scf::ForOp loop, Pending &pending, bool insert) {
    Pending before = pending, once = pending;
    visit(*loop.getBody(), once, /*insert=*/false);
    llvm::append_range(pending, once);
    visit(*loop.getBody(), pending, insert);
    llvm::append_range(pending, before); // The loop may run no iteration.
  }

  RewriterBase &rewriter;
  const AccessMap &accesses;
};
} // namespace

void klineage::placeBarriers(RewriterBase &rewriter, Block &body,
                             const AccessMap &accesses) {
  Pending pending;
  Placement(rewriter, accesses).visit(body, pending, /*insert=*/true);
}
