//===- Executor.h - Lock-step symbolic execution of one block
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_ANALYSIS_SUMMARY_EXECUTOR_H
#define KLINEAGE_LIB_ANALYSIS_SUMMARY_EXECUTOR_H

#include "KLineage/Analysis/BlockSummary.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace klineage {

/// One value in all threads: `width` ids a thread (elements of a vector), or
/// `width` ids in all if the threads agree. An id is a `Poly` for integers, a
/// `Pred` for i1, a `Term` for floats.
struct Lanes {
  unsigned width = 1;
  std::vector<uint32_t> ids;

  Lanes() = default;
  explicit Lanes(uint32_t id) : ids{id} {}
  bool uniform() const { return ids.size() == width; }
  uint32_t at(unsigned lane, unsigned part = 0) const {
    return ids[uniform() ? part : lane * width + part];
  }
};

/// A memref value: elements of a root. All in elements.
struct View {
  unsigned root = 0;
  Lanes offset;
  llvm::SmallVector<Lanes, 4> sizes, strides;
};

struct Root {
  enum class Space { global, shared, local };
  Space space = Space::global;
  uint64_t array = 0;    ///< of a global one
  bool written = false;  ///< somewhere in the kernel
  int64_t elements = -1; ///< of one that is not global
};

/// An element: root, thread (none if shared), offset.
using CellKey = std::tuple<uint32_t, uint32_t, uint32_t>;
constexpr uint32_t noThread = ~0u - 2;

struct Cell {
  sym::Term value{};
  sym::Pred guard{}; ///< of a global cell: where the value was stored
};

/// What one round of a folded loop writes; the outermost frame is the kernel.
struct Frame {
  llvm::MapVector<CellKey, Cell> cells;
  llvm::DenseSet<unsigned> written;           ///< roots that the loop writes
  llvm::MapVector<CellKey, sym::Term> before; ///< content before the round
  sym::Poly counter{};
  std::vector<sym::Pred> inRange; ///< by thread: the round takes place
};

/// The value that a chain of views is about.
mlir::Value baseOfView(mlir::Value memref);
/// The memref that the operation stores to, or null.
mlir::Value storedTo(mlir::Operation *op);

class Executor {
public:
  Executor(sym::Arena &arena, const KernelLaunch &launch,
           BlockSummary &summary);
  void run();

protected: // The host's own code is run by the same rules.
  // Control.cpp
  bool runBlock(mlir::Block &block);
  bool runOp(mlir::Operation &op);
  bool runIf(mlir::scf::IfOp op);
  bool runBranch(mlir::Region &region, const Lanes &condition, bool negated);
  bool runFor(mlir::scf::ForOp op);
  bool runConcrete(mlir::scf::ForOp op, int64_t step, int64_t trips);
  bool mergeResults(mlir::Operation *op, const Lanes &condition,
                    mlir::ValueRange yes, mlir::ValueRange no);
  std::optional<int64_t> tripsAtMost(mlir::scf::ForOp op, int64_t step);
  bool runShuffle(mlir::gpu::ShuffleOp op);
  Lanes within(const Lanes &condition, bool negated);

  // Loops.cpp
  bool runFolded(mlir::scf::ForOp op, int64_t step);
  bool runRound(mlir::scf::ForOp op, int64_t step);
  bool bindCarried(mlir::scf::ForOp op);
  bool storeCarried(mlir::scf::ForOp op);
  bool bindResults(mlir::scf::ForOp op, const std::vector<sym::Poly> &counts);
  bool closeFrame(mlir::scf::ForOp op, Frame &frame,
                  const std::vector<sym::Poly> &counts);
  bool resolveBefore(mlir::scf::ForOp op, Frame &frame);
  bool streamCell(mlir::scf::ForOp op, const Frame &frame, CellKey key,
                  const Cell &cell);
  bool isStream(const Frame &frame, CellKey key);

  // Integers.cpp and Values.cpp
  bool runId(mlir::Operation &op, bool &known);
  bool runInteger(mlir::Operation &op, bool &known);
  bool runFloat(mlir::Operation &op, bool &known);
  bool runVector(mlir::Operation &op, bool &known);
  std::optional<uint32_t> integerOf(mlir::Operation &op,
                                    llvm::ArrayRef<uint32_t> in);
  std::optional<uint32_t> divided(mlir::Operation &op, sym::Poly a, sym::Poly b,
                                  bool isSigned, bool up);
  sym::Pred compared(mlir::arith::CmpIOp op, sym::Poly a, sym::Poly b);
  std::optional<sym::Poly> affine(mlir::AffineExpr e,
                                  llvm::ArrayRef<sym::Poly> dims,
                                  llvm::ArrayRef<sym::Poly> symbols);
  bool runConstant(mlir::arith::ConstantOp op);
  bool select(mlir::arith::SelectOp op);
  uint32_t chosen(mlir::Type type, sym::Pred p, uint32_t a, uint32_t b);
  sym::Term termOf(mlir::Type type, uint32_t id);
  uint32_t idOf(mlir::Type type, sym::Term t);

  // Memory.cpp
  bool runMemory(mlir::Operation &op, bool &known);
  bool makeRoots();
  unsigned rootOf(mlir::Value base);
  bool declareView(mlir::Value memref, unsigned root);
  bool reinterpret(mlir::memref::ReinterpretCastOp op);
  bool subview(mlir::memref::SubViewOp op);
  bool expandShape(mlir::memref::ExpandShapeOp op);
  bool collapseShape(mlir::memref::CollapseShapeOp op);
  Lanes read(mlir::OpFoldResult value);
  std::optional<Lanes> linear(mlir::Operation *op, const View &view,
                              mlir::ValueRange indices);
  bool load(mlir::Operation *op, mlir::Value memref, mlir::ValueRange indices,
            mlir::Value result);
  bool store(mlir::Operation *op, mlir::Value memref, mlir::ValueRange indices,
             mlir::Value value);
  std::optional<sym::Term> readCell(mlir::Operation *op, unsigned root,
                                    unsigned lane, sym::Poly offset);
  bool writeCell(mlir::Operation *op, unsigned root, unsigned lane,
                 sym::Poly offset, sym::Term value);
  sym::Term content(CellKey key, size_t depth);
  bool reach(mlir::Operation *op, CellKey key);
  CellKey keyOf(unsigned root, unsigned lane, sym::Poly offset) const;
  void setCell(CellKey key, sym::Term value, sym::Pred where);
  sym::Term underPath(sym::Term value, unsigned lane);

  // Executor.cpp
  bool refuse(mlir::Operation *op, const llvm::Twine &why);
  bool bindArguments();
  const Lanes *get(mlir::Value v);
  /// Calls `make` for each thread that gets here, or once for all, with the ids
  /// of the operands.
  bool map(mlir::Operation *op, mlir::ValueRange operands, mlir::Value result,
           unsigned width,
           llvm::function_ref<bool(llvm::ArrayRef<uint32_t>, uint32_t *)> make);
  bool forLanes(llvm::ArrayRef<const Lanes *> in, Lanes &out,
                llvm::function_ref<bool(unsigned, uint32_t *)> make);
  void compress(Lanes &lanes);
  bool active(unsigned lane) const {
    return path.at(lane) != uint32_t(arena.boolean(false));
  }
  void enter(unsigned lane, bool all = false);
  void leave() { arena.within({}); }
  void addFacts(const Lanes &condition);
  /// Known in the lane, or nothing.
  std::optional<bool> decide(sym::Pred p, unsigned lane);

  sym::Arena &arena;
  const KernelLaunch &launch;
  BlockSummary &summary;
  unsigned threads = 1;
  llvm::DenseMap<mlir::Value, Lanes> values;
  llvm::DenseMap<mlir::Value, View> views;
  llvm::DenseMap<mlir::Value, unsigned> rootIds;
  std::vector<Root> roots;
  llvm::DenseMap<mlir::Value, unsigned> carried; ///< root of an iter_arg
  llvm::DenseMap<CellKey, sym::Term> fresh; ///< by the store being executed
  std::deque<Frame> frames;
  llvm::DenseMap<std::pair<unsigned, unsigned>, std::vector<sym::Poly>> touched;
  Lanes path;                    ///< condition in the innermost folded loop
  std::vector<sym::Facts> facts; ///< one for all threads, or one each
  llvm::SetVector<std::tuple<uint64_t, uint32_t, uint32_t>> early;
};

} // namespace klineage

#endif // KLINEAGE_LIB_ANALYSIS_SUMMARY_EXECUTOR_H
