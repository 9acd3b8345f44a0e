//===- Raiser.h - Expressions as linalg operations
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_ANALYSIS_RAISE_RAISER_H
#define KLINEAGE_LIB_ANALYSIS_RAISE_RAISER_H

#include "KLineage/Analysis/Raise.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace klineage {

/// A coordinate or a counter that goes from 0 to `extent` - 1.
struct Axis {
  sym::Atom atom{};
  sym::Poly extent{};
};

/// A buffer over some axes, one a dimension.
struct AxisBuffer {
  mlir::Value memref;
  llvm::SmallVector<Axis, 4> axes;
};

/// An operand of a linalg operation: a buffer and its indexing map.
struct Operand {
  mlir::Value memref;
  mlir::AffineMap map;
};

/// The operations of one body, from one expression.
struct BodyScope {
  llvm::ArrayRef<Axis> axes; ///< loops of the operation
  llvm::DenseMap<sym::Term, mlir::Value> known;
};

class Raiser {
public:
  Raiser(sym::Arena &arena, const HostSummary &summary,
         mlir::func::FuncOp entry, std::string &why)
      : arena(arena), summary(summary), entry(entry), b(entry.getContext()),
        why(why) {}
  bool run(const std::map<uint64_t, sym::Term> &outputs);

private:
  // Raise.cpp
  bool raiseOutput(uint64_t number, sym::Term term);
  std::optional<AxisBuffer> materialize(sym::Term fold,
                                        llvm::ArrayRef<Axis> scope,
                                        const AxisBuffer *into);
  bool emit(sym::Term t, llvm::ArrayRef<Axis> parallel,
            llvm::ArrayRef<Axis> reductions, sym::Term accumulator,
            const AxisBuffer &out);
  bool collect(sym::Term t, llvm::ArrayRef<Axis> axes, sym::Term accumulator,
               const AxisBuffer &out,
               llvm::MapVector<sym::Term, Operand> &operands,
               llvm::SmallVectorImpl<sym::Term> &own);
  bool collect(sym::Pred p, llvm::ArrayRef<Axis> axes, sym::Term accumulator,
               const AxisBuffer &out,
               llvm::MapVector<sym::Term, Operand> &operands,
               llvm::SmallVectorImpl<sym::Term> &own);
  std::optional<mlir::AffineMap> mapOf(uint64_t array, sym::Poly offset,
                                       llvm::ArrayRef<Axis> axes);
  bool isReduction(sym::Term body, sym::Term accumulator);
  mlir::Value extentOf(sym::Poly extent);
  std::optional<mlir::Value> allocate(mlir::Type type,
                                      llvm::ArrayRef<Axis> axes);
  bool fail(const llvm::Twine &text) {
    if (why.empty())
      why = text.str();
    return false;
  }

  // Body.cpp
  mlir::Type typeOf(sym::Term t);
  mlir::Type parseType(llvm::StringRef name);
  mlir::Value build(sym::Term t, mlir::Type expected, BodyScope &scope);
  mlir::Value buildOp(const sym::TermNode &n, mlir::Type expected,
                      BodyScope &scope);
  mlir::Value build(sym::Pred p, BodyScope &scope);
  mlir::Value build(sym::Poly p, BodyScope &scope);
  mlir::Value constantOf(llvm::StringRef neutral, mlir::Type type);

  sym::Arena &arena;
  const HostSummary &summary;
  mlir::func::FuncOp entry;
  mlir::OpBuilder b;
  std::string &why;
  llvm::DenseMap<sym::Term, AxisBuffer> made; ///< by fold
  llvm::DenseMap<sym::Term, mlir::Type> types;
};

} // namespace klineage

#endif // KLINEAGE_LIB_ANALYSIS_RAISE_RAISER_H
