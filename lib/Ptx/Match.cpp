//===- Match.cpp - Which row of the table a statement is
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Ptx/Table.h"
#include "llvm/ADT/STLExtras.h"

using namespace klineage::ptx;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

/// True if a register or number of `slot` may stand where `letter` is asked
/// for.
static bool fits(const Slot &slot, char letter) {
  switch (letter) {
  case 'b':
    return slot.letter == 'r' || slot.letter == 'f';
  case 'x':
    return slot.kind == Slot::number || slot.letter == 'r';
  default:
    return slot.letter == letter;
  }
}

static std::string describe(const Slot &slot) {
  switch (slot.kind) {
  case Slot::number:
    return "the number " + std::to_string(slot.value);
  case Slot::sink:
    return "_";
  case Slot::predicate:
    return "a predicate";
  case Slot::input:
    return std::string("an argument of constraint ") + slot.letter;
  case Slot::output:
    return std::string("a result of constraint ") + slot.letter;
  }
  return "";
}

static Error wrong(unsigned index, const Twine &expected, const Slot &found) {
  return createStringError("operand " + Twine(index + 1) + ": expected " +
                           expected + ", found " + describe(found));
}

static Error checkAddress(StringRef word, unsigned index,
                          const Operand &operand) {
  if (operand.form != Operand::address)
    return wrong(index, "an address in [ ]", operand.slots.front());
  bool shared = word[1] == 's';
  const Slot &base = operand.slots.front();
  if (base.kind != Slot::input ||
      !(base.letter == 'l' || (shared && base.letter == 'r')))
    return wrong(index, shared ? "a shared address, r or l" : "an address, l",
                 base);
  unsigned coordinates = 0;
  word.drop_front(2).drop_back().getAsInteger(10, coordinates);
  if (operand.coordinates.size() != coordinates)
    return createStringError("operand " + Twine(index + 1) + ": expected " +
                             Twine(coordinates) + " coordinates, found " +
                             Twine(operand.coordinates.size()));
  for (const Slot &slot : operand.coordinates)
    if (slot.kind != Slot::number &&
        (slot.kind != Slot::input || slot.letter != 'r'))
      return wrong(index, "coordinates of constraint r", slot);
  return Error::success();
}

static Error checkNumber(StringRef word, unsigned index, const Slot &slot) {
  int64_t exact;
  if (slot.kind != Slot::number)
    return wrong(index, "a number", slot);
  if (!word.drop_front().getAsInteger(10, exact) && slot.value != exact)
    return wrong(index, "the number " + Twine(exact), slot);
  return Error::success();
}

static Error checkOperand(StringRef word, unsigned index,
                          const Operand &operand) {
  if (word.starts_with("["))
    return checkAddress(word, index, operand);
  if (operand.form == Operand::address)
    return createStringError("operand " + Twine(index + 1) +
                             ": expected no address");
  const Slot &first = operand.slots.front();
  if (first.fromPredicate && word != "p" && word != "=p")
    return createStringError("operand " + Twine(index + 1) +
                             ": expected no predicate");
  if (word.starts_with("n") || word == "p" || word == "_") {
    if (operand.form == Operand::list)
      return createStringError("operand " + Twine(index + 1) +
                               ": expected no list");
    if (word.starts_with("n"))
      return checkNumber(word, index, first);
    // setp of a constant.
    if (word == "p" && first.kind == Slot::number && first.fromPredicate)
      return Error::success();
    if (first.kind != (word == "p" ? Slot::predicate : Slot::sink))
      return wrong(index, word == "p" ? "a predicate" : "_", first);
    return Error::success();
  }
  if (word == "=p")
    return first.fromPredicate && operand.form == Operand::scalar &&
                   (first.kind == Slot::sink || first.kind == Slot::output)
               ? Error::success()
               : wrong(index, "a predicate that it makes", first);
  bool isResult = word.consume_front("=") || word.consume_front("+");
  unsigned count = 1;
  word.drop_front().getAsInteger(10, count);
  if (operand.slots.size() != count)
    return createStringError("operand " + Twine(index + 1) + ": expected " +
                             Twine(count) + " registers, found " +
                             Twine(operand.slots.size()));
  for (const Slot &slot : operand.slots) {
    bool number = word[0] == 'x' && slot.kind == Slot::number;
    Slot::Kind kind = isResult ? Slot::output : Slot::input;
    if (!number && (slot.kind != kind || !fits(slot, word[0])))
      return wrong(index,
                   Twine(isResult ? "a result" : "an argument") +
                       " of constraint " + Twine(word[0]),
                   slot);
  }
  return Error::success();
}

/// Results that are also read have an argument tied to them.
static Error checkTied(const Row &row, const Statement &statement) {
  if (row.signature.empty() || row.signature[0] != '+' ||
      llvm::all_of(statement.operands.front().slots,
                   [](const Slot &slot) { return slot.tied >= 0; }))
    return Error::success();
  return createStringError("the accumulators need a '+' constraint");
}

static Error checkRow(const Row &row, const Statement &statement) {
  SmallVector<StringRef, 8> expected;
  StringRef(row.signature).split(expected, ' ', -1, false);
  bool optional = false;
  for (auto [index, word] : llvm::enumerate(expected)) {
    optional |= word.consume_front("?");
    if (index >= statement.operands.size()) {
      if (optional)
        break;
      return createStringError("expected " + Twine(expected.size()) +
                               " operands, found " +
                               Twine(statement.operands.size()));
    }
    if (Error error = checkOperand(word, index, statement.operands[index]))
      return error;
  }
  if (statement.operands.size() > expected.size())
    return createStringError("expected " + Twine(expected.size()) +
                             " operands, found " +
                             Twine(statement.operands.size()));
  return checkTied(row, statement);
}

Expected<Match> klineage::ptx::matchInlineAsm(StringRef text,
                                              StringRef constraints,
                                              ConstantArgument constant) {
  auto statement = parseInlineAsm(text, constraints, constant);
  if (!statement)
    return createStringError(firstOpcode(text) + ": " +
                             llvm::toString(statement.takeError()));
  auto rows = table();
  auto at = llvm::lower_bound(rows, statement->opcode,
                              [](const Row &row, const std::string &opcode) {
                                return row.opcode < opcode;
                              });
  if (at == rows.end() || at->opcode != statement->opcode)
    return createStringError(statement->opcode +
                             ": not in the table of inline PTX");
  std::string why;
  for (; at != rows.end() && at->opcode == statement->opcode; ++at) {
    Error error = checkRow(*at, *statement);
    if (!error)
      return Match{at, std::move(*statement)};
    std::string text = llvm::toString(std::move(error));
    if (why.empty())
      why = text;
  }
  return createStringError(statement->opcode + ": " + why);
}
