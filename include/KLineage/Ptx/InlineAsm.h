//===- InlineAsm.h - Inline PTX, taken apart
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_PTX_INLINEASM_H
#define KLINEAGE_PTX_INLINEASM_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace klineage::ptx {

/// One value in the text of a statement.
struct Slot {
  enum Kind : uint8_t {
    input,     ///< an argument of the asm, `index` counts from the first one
    output,    ///< a result of the asm
    number,    ///< `value`, written in the text or given as a constant
    predicate, ///< true where argument `index` is not zero (`negated`: is zero)
    sink,      ///< `_`: a result that nobody wants
  };
  Kind kind = number;
  unsigned index = 0;
  int tied = -1; ///< of an output: the input whose value it starts with
  int64_t value = 0;
  char letter = 0; ///< constraint of an argument or result
  bool negated = false;
  /// Of an output: 1 where the predicate is set that the instruction makes.
  bool fromPredicate = false;
};

/// One operand of an instruction, as it is written.
struct Operand {
  enum Form : uint8_t { scalar, list, address };
  Form form = scalar;
  llvm::SmallVector<Slot, 4> slots;       ///< of an address: the base
  llvm::SmallVector<Slot, 5> coordinates; ///< [base, {x, y}]
  int64_t offset = 0;                     ///< [base + 16]
};

/// One instruction with its operands, all names resolved.
struct Statement {
  std::string opcode;
  llvm::SmallVector<Operand, 5> operands;
  std::optional<Slot> guard; ///< @p, @!p
  unsigned inputs = 0, outputs = 0;
  bool clobbersMemory = false;
  /// Executed again until the predicate that it makes is set.
  bool untilTrue = false;
};

/// The value of a constant argument, if it is one.
using ConstantArgument =
    llvm::function_ref<std::optional<int64_t>(unsigned input)>;

/// Takes apart `text` with its LLVM constraint string (`=f,r,0,~{memory}`). One
/// instruction, perhaps inside of { } with predicates that `setp` makes from
/// arguments; a predicate that it makes itself may become a result by `selp` or
/// end a loop around it. Fails with what was expected and found; that a
/// statement is well formed does not say that the instruction exists.
llvm::Expected<Statement> parseInlineAsm(llvm::StringRef text,
                                         llvm::StringRef constraints,
                                         ConstantArgument constant);

/// The first instruction in the text, to name what is not understood.
std::string firstOpcode(llvm::StringRef text);

} // namespace klineage::ptx

#endif // KLINEAGE_PTX_INLINEASM_H
