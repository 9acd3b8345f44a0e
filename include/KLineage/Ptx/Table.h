//===- Table.h - The instructions of inline PTX that are understood
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_PTX_TABLE_H
#define KLINEAGE_PTX_TABLE_H

#include "KLineage/Ptx/InlineAsm.h"

namespace klineage::ptx {

enum class Kind : uint8_t {
  mma,
  ldmatrix,
  stmatrix,
  cpAsync,
  cpAsyncCommit,
  cpAsyncWaitGroup,
  cpAsyncWaitAll,
  barrier,
  barrierArrive,
  warpBarrier,
  shuffle,
  prefetch,
  membar,
  fence,
  fenceProxy,
  fenceMbarrierInit,
  setMaxRegisters,
  dot4,
  convert,
  pack,        ///< mov of two halves into a whole, or back
  half,        ///< add, sub, mul, fma of one or two f16 or bf16
  approximate, ///< ex2, lg2, rcp, rsqrt, sqrt
  load,
  store,
  mbarrierInit,
  mbarrierInval,
  mbarrierArrive,
  mbarrierExpectTx,
  mbarrierTryWait,
  prefetchTensormap,
  bulkTensorLoad,
  bulkTensorStore,
  bulkCommit,
  bulkWait,
  wgmma,
  wgmmaFence,
  wgmmaCommit,
  wgmmaWait,
};

/// One instruction. The signature has a word for each operand in the order of
/// the text, separated by blanks:
///   =f4   four results of constraint f; in braces, if more than one
///   r h l f d   arguments of that constraint; b: r or f; x: r or a number
///   +f64  results that are also read, so each is tied to an argument
///   [s]   an address in shared memory, r or l;  [g] an address, l
///   [g2]  an address, l, with two coordinates in braces
///   n     a number, or an argument of constraint n; n16 exactly 16
///   p     a predicate;  =p one that it makes;  _ the sink
///   ?x    may be missing, with all that follow
struct Row {
  std::string opcode, signature;
  Kind kind;
  /// The LLVM intrinsic that is this instruction, or empty.
  std::string intrinsic;
  /// Operands of the text in the order of the intrinsic's; empty: as written.
  llvm::SmallVector<uint8_t, 5> order;
  /// It says more than the intrinsic or operation: a cache policy, a prefetch.
  bool hint = false;
};

/// All rows, sorted by opcode; one opcode may have several signatures.
llvm::ArrayRef<Row> table();

struct Match {
  const Row *row;
  Statement statement;
  const Operand &operand(unsigned i) const { return statement.operands[i]; }
  unsigned size() const { return statement.operands.size(); }
};

/// The row that the text and its constraints are. Fails for unknown opcodes,
/// another number or order of operands, and constraint letters that do not fit.
llvm::Expected<Match> matchInlineAsm(llvm::StringRef text,
                                     llvm::StringRef constraints,
                                     ConstantArgument constant);

/// Parts of the opcode: "mma", "sync", "aligned", ...
llvm::SmallVector<llvm::StringRef, 10> words(llvm::StringRef opcode);

/// True for what no executor on the CPU runs: TMA, mbarrier, wgmma.
bool needsGpu(Kind kind);

} // namespace klineage::ptx

#endif // KLINEAGE_PTX_TABLE_H
