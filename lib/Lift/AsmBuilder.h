//===- AsmBuilder.h - Operands and results of one statement of inline PTX
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_LIFT_ASMBUILDER_H
#define KLINEAGE_LIB_LIFT_ASMBUILDER_H

#include "KLineage/Ptx/Table.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace klineage {

/// Gives a statement's operands as values of the types that an operation wants,
/// and puts the operation's results where the asm's were.
class AsmBuilder {
public:
  AsmBuilder(mlir::LLVM::InlineAsmOp op, const ptx::Match &match)
      : b(op), op(op), match(match), outputs(match.statement.outputs) {}

  mlir::OpBuilder b;
  mlir::Location loc() const { return op->getLoc(); }
  ptx::Kind kind() const { return match.row->kind; }
  llvm::StringRef opcode() const { return match.row->opcode; }
  unsigned operandCount() const { return match.size(); }
  /// Registers of an operand.
  unsigned size(unsigned operand) const {
    return match.operand(operand).slots.size();
  }
  int64_t number(unsigned operand) const {
    return match.operand(operand).slots.front().value;
  }
  bool isNumber(unsigned operand, int64_t value) const;
  /// A number of the text, a constant argument, or nothing.
  std::optional<int64_t> constant(unsigned operand) const;
  bool untilTrue() const { return match.statement.untilTrue; }
  bool hasResult() const { return match.statement.outputs > 0; }
  /// Why some operand has no value of the type that it needs; empty: none.
  llvm::StringRef whyNoValues() const;
  /// The type of a register of an operand, by its constraint.
  mlir::Type registerType(unsigned operand);

  mlir::Value value(unsigned operand, mlir::Type type) {
    return values(operand, type).front();
  }
  llvm::SmallVector<mlir::Value> values(unsigned operand, mlir::Type type);
  /// A pointer into address space `space` (1: global, 3: shared). Of a shared
  /// address that is a number the pointer is found that it was made of.
  mlir::Value address(unsigned operand, unsigned space);

  /// One value for each register of the first operand: a struct, a vector of as
  /// many elements, or the only one.
  void setResults(mlir::Value made);
  /// Replaces the uses of the asm's result.
  void finish();
  /// What a result that is also read starts with, of the first operand.
  llvm::SmallVector<mlir::Value> accumulators(mlir::Type type);
  llvm::SmallVector<mlir::Value> coordinates(unsigned operand);

private:
  mlir::Value valueOf(const ptx::Slot &slot, mlir::Type type);
  mlir::Value coerce(mlir::Value value, mlir::Type type);
  mlir::Value pointerOf(mlir::Value number);

  mlir::LLVM::InlineAsmOp op;
  const ptx::Match &match;
  llvm::SmallVector<mlir::Value> outputs;
};

} // namespace klineage

#endif // KLINEAGE_LIB_LIFT_ASMBUILDER_H
