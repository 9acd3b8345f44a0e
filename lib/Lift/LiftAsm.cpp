//===- LiftAsm.cpp - Inline PTX becomes nvvm operations
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lift/Passes.h"
#include "Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace klineage {
#define GEN_PASS_DEF_LIFTASMPASS
#include "KLineage/Lift/Passes.h.inc"
} // namespace klineage

using namespace mlir;
using namespace klineage;

/// Text without comments, with one space between words and no last semicolon.
static std::string normalizeText(StringRef text) {
  std::string result;
  while (!text.empty()) {
    if (text.consume_front("//")) {
      text = text.drop_until([](char c) { return c == '\n'; });
    } else if (text.consume_front("/*")) {
      size_t end = text.find("*/");
      text = end == StringRef::npos ? "" : text.drop_front(end + 2);
    } else if (isspace(static_cast<unsigned char>(text.front()))) {
      if (!result.empty() && result.back() != ' ')
        result += ' ';
      text = text.drop_front();
    } else {
      result += text.front();
      text = text.drop_front();
    }
  }
  while (!result.empty() && (result.back() == ' ' || result.back() == ';'))
    result.pop_back();
  return result;
}

/// Constraints without clobbers: what the operands must be.
static std::string operandConstraints(StringRef constraints) {
  SmallVector<StringRef> all, kept;
  constraints.split(all, ',', -1, false);
  llvm::copy_if(all, std::back_inserter(kept),
                [](StringRef item) { return !item.starts_with("~"); });
  return llvm::join(kept, ",");
}

using AsmBuilder = void (*)(OpBuilder &, LLVM::InlineAsmOp);

namespace {
/// One instruction: its text with the operands' numbers, its constraints.
struct AsmRow {
  StringRef text, constraints;
  AsmBuilder build;
};
} // namespace

/// The number that a constant operand or the text itself gives.
static std::optional<int64_t> groupCount(LLVM::InlineAsmOp op, StringRef text) {
  if (!text.consume_front("cp.async.wait_group "))
    return std::nullopt;
  int64_t count = 0;
  if (!text.getAsInteger(10, count) && op->getNumOperands() == 0)
    return count;
  if (text == "$0" && operandConstraints(op.getConstraints()) == "n" &&
      op->getNumOperands() == 1)
    return constantOf(op->getOperand(0));
  return std::nullopt;
}

static ArrayRef<AsmRow> table() {
  static const AsmRow rows[] = {
      {"cp.async.commit_group", "",
       [](OpBuilder &b, LLVM::InlineAsmOp op) {
         NVVM::CpAsyncCommitGroupOp::create(b, op.getLoc());
       }},
      {"cp.async.wait_all", "",
       [](OpBuilder &b, LLVM::InlineAsmOp op) {
         // Without a commit that is all groups; the commit makes the last one.
         NVVM::CpAsyncCommitGroupOp::create(b, op.getLoc());
         NVVM::CpAsyncWaitGroupOp::create(b, op.getLoc(), 0);
       }},
      {"bar.sync 0", "",
       [](OpBuilder &b, LLVM::InlineAsmOp op) {
         gpu::BarrierOp::create(b, op.getLoc());
       }},
      {"barrier.sync.aligned 0", "",
       [](OpBuilder &b, LLVM::InlineAsmOp op) {
         gpu::BarrierOp::create(b, op.getLoc());
       }},
  };
  return rows;
}

static bool liftStatement(LLVM::InlineAsmOp op) {
  std::string text = normalizeText(op.getAsmString());
  OpBuilder b(op);
  if (auto count = groupCount(op, text);
      count && *count >= 0 && op->getNumResults() == 0) {
    NVVM::CpAsyncWaitGroupOp::create(b, op.getLoc(), *count);
    return true;
  }
  std::string constraints = operandConstraints(op.getConstraints());
  for (const AsmRow &row : table())
    if (row.text == text && row.constraints == constraints) {
      row.build(b, op);
      return true;
    }
  reportKept(op, "inline PTX that is not in the table: " + text);
  return false;
}

namespace {
struct LiftAsm : klineage::impl::LiftAsmPassBase<LiftAsm> {
  void runOnOperation() override {
    SmallVector<LLVM::InlineAsmOp> statements;
    getOperation().walk(
        [&](LLVM::InlineAsmOp op) { statements.push_back(op); });
    for (LLVM::InlineAsmOp op : statements)
      if (liftStatement(op))
        op->erase();
  }
};
} // namespace
