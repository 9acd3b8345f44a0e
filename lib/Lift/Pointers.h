//===- Pointers.h - Which object each pointer of a kernel points into
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_LIFT_POINTERS_H
#define KLINEAGE_LIB_LIFT_POINTERS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace klineage {

/// Bytes of a value in memory as NVPTX lays it out; 0 if not known.
int64_t byteSize(mlir::Type type);
int64_t byteAlign(mlir::Type type);

/// One object: a parameter, a global or a private array.
struct PointerBase {
  llvm::SmallVector<mlir::Value> roots; ///< several addressof of one global
  llvm::SetVector<mlir::Value> pointers;
  llvm::SetVector<mlir::Operation *> accesses, compares;
  /// Operands of operations on bare addresses: of nvvm, inline PTX, ptrtoint.
  llvm::SetVector<mlir::OpOperand *> addresses;
  mlir::Type element;
  mlir::Operation *blame = nullptr; ///< the use that cannot be lifted
  std::string why;

  void fail(mlir::Operation *op, const llvm::Twine &reason) {
    if (blame &&
        (blame->getBlock() != op->getBlock() || !op->isBeforeInBlock(blame)))
      return; // The first use of a block is the one to name.
    blame = op;
    why = reason.str();
  }
};

/// All objects of a kernel and the pointers into them.
class PointerAnalysis {
public:
  explicit PointerAnalysis(mlir::gpu::GPUFuncOp kernel);

  llvm::SmallVector<std::unique_ptr<PointerBase>> bases;
  PointerBase *baseOf(mlir::Value pointer) const {
    return owner.lookup(pointer);
  }

private:
  void addBase(llvm::ArrayRef<mlir::Value> roots);
  void add(PointerBase *base, mlir::Value pointer, mlir::Operation *at);
  void visitUse(PointerBase *base, mlir::OpOperand &use);
  void checkMerges(PointerBase *base);
  void checkCompares(PointerBase *base);
  void chooseElement(PointerBase *base);

  llvm::DenseMap<mlir::Value, PointerBase *> owner;
  llvm::SmallVector<mlir::Value> worklist;
};

/// The pointer an access goes to, and the type that it moves.
mlir::Value addressOf(mlir::Operation *access);
mlir::Type accessedType(mlir::Operation *access);

/// Pointers that may flow into a block argument or a select.
llvm::SmallVector<mlir::Value> incomingValues(mlir::Value pointer);

} // namespace klineage

#endif // KLINEAGE_LIB_LIFT_POINTERS_H
