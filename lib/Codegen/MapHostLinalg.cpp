//===- MapHostLinalg.cpp - Naive kernels for operations in host form
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace klineage;

static constexpr int64_t kThreads = 256;

static ArrayAttr mapping(OpBuilder &b, bool block) {
  auto id = gpu::MappingId::DimX;
  Attribute attr =
      block ? Attribute(gpu::GPUBlockMappingAttr::get(b.getContext(), id))
            : Attribute(gpu::GPUThreadMappingAttr::get(b.getContext(), id));
  return b.getArrayAttr({attr});
}

/// Positions in the parallel loops of point number `linear`, last loop fastest.
static void delinearize(OpBuilder &b, Location loc, Value linear,
                        ArrayRef<int64_t> loops, ArrayRef<Value> extents,
                        MutableArrayRef<Value> ivs) {
  Value rest = linear;
  for (int64_t loop : llvm::reverse(loops)) {
    if (loop == loops.front()) {
      ivs[loop] = rest;
      break;
    }
    ivs[loop] = arith::RemUIOp::create(b, loc, rest, extents[loop]);
    rest = arith::DivUIOp::create(b, loc, rest, extents[loop]);
  }
}

static void mapOne(linalg::LinalgOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  SmallVector<Value> extents = loopExtentValues(b, op);
  SmallVector<int64_t> parallel, reduction;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    (iterator == utils::IteratorType::parallel ? parallel : reduction)
        .push_back(loop);
  Value points = constant(1);
  for (int64_t loop : parallel)
    points = arith::MulIOp::create(b, loc, points, extents[loop]);
  Value blocks = arith::CeilDivUIOp::create(b, loc, points, constant(kThreads));
  int64_t width = parallel.empty() ? 1 : kThreads;
  auto grid = scf::ForallOp::create(b, loc, ArrayRef<OpFoldResult>{blocks},
                                    ValueRange(), mapping(b, true));
  b.setInsertionPoint(grid.getBody()->getTerminator());
  auto threads = scf::ForallOp::create(
      b, loc, ArrayRef<OpFoldResult>{b.getIndexAttr(width)}, ValueRange(),
      mapping(b, false));
  b.setInsertionPoint(threads.getBody()->getTerminator());
  Value linear = arith::AddIOp::create(
      b, loc,
      arith::MulIOp::create(b, loc, grid.getInductionVar(0), constant(width)),
      threads.getInductionVar(0));
  Value inside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, linear, points);
  auto guard = scf::IfOp::create(b, loc, inside, /*withElseRegion=*/false);
  b.setInsertionPoint(guard.thenBlock()->getTerminator());
  SmallVector<Value> ivs(op.getNumLoops());
  delinearize(b, loc, linear, parallel, extents, ivs);
  for (int64_t loop : reduction) {
    auto serial =
        scf::ForOp::create(b, loc, constant(0), extents[loop], constant(1));
    b.setInsertionPoint(serial.getBody()->getTerminator());
    ivs[loop] = serial.getInductionVar();
  }
  emitPoint(b, op, ivs);
}

LogicalResult klineage::mapHostLinalg(func::FuncOp entry) {
  SmallVector<memref::CopyOp> copies;
  SmallVector<linalg::LinalgOp> ops;
  entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForallOp, gpu::LaunchOp>(op))
      return WalkResult::skip();
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      copies.push_back(copy);
    return WalkResult::advance();
  });
  for (memref::CopyOp copy : copies) {
    OpBuilder b(copy);
    linalg::CopyOp::create(b, copy.getLoc(), copy.getSource(),
                           copy.getTarget());
    copy.erase();
  }
  entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForallOp, gpu::LaunchOp>(op))
      return WalkResult::skip();
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      ops.push_back(linalgOp);
      return WalkResult::skip();
    }
    return WalkResult::advance();
  });
  for (linalg::LinalgOp op : ops) {
    if (!op.hasPureBufferSemantics())
      return op.emitError("works on tensors; make a state of it with "
                          "--klineage-import first");
    mapOne(op);
    op.erase();
  }
  return success();
}
