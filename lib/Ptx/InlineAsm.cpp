//===- InlineAsm.cpp - Inline PTX, taken apart
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Ptx/InlineAsm.h"
#include "Constraints.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace klineage::ptx;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Without comments, with one blank for any white space.
static std::string normalize(StringRef text) {
  std::string result;
  while (!text.empty()) {
    if (text.consume_front("//")) {
      text = text.drop_until([](char c) { return c == '\n'; });
      continue;
    }
    if (text.consume_front("${:uid}")) {
      result += "$uid"; // Makes labels of one statement different.
      continue;
    }
    if (text.consume_front("/*")) {
      size_t end = text.find("*/");
      text = end == StringRef::npos ? "" : text.drop_front(end + 2);
      continue;
    }
    char c = text.front();
    text = text.drop_front();
    if (!llvm::isSpace(c))
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return StringRef(result).trim().str();
}

/// `a; b; c` without empty parts, and without the braces of a scope.
static Expected<SmallVector<StringRef, 4>> splitStatements(StringRef text) {
  if (text.starts_with("{")) {
    if (!text.ends_with("}"))
      return createStringError("'{' has no '}' at the end");
    text = text.drop_front().drop_back();
  }
  SmallVector<StringRef, 4> parts, result;
  text.split(parts, ';');
  for (StringRef part : parts)
    if (!part.trim().empty())
      result.push_back(part.trim());
  if (result.empty())
    return createStringError("no instruction");
  return result;
}

static bool isNameChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '%' || c == '$';
}

static StringRef takeOpcode(StringRef &text) {
  size_t end = std::min(text.find(' '), text.size());
  StringRef opcode = text.take_front(end);
  text = text.drop_front(end).ltrim();
  return opcode;
}

std::string klineage::ptx::firstOpcode(StringRef text) {
  std::string clean = normalize(text);
  SmallVector<StringRef, 8> parts;
  StringRef(clean).split(parts, ';');
  for (StringRef part : parts) {
    part = part.ltrim("{ ").trim();
    if (part.starts_with("@"))
      part = part.drop_front(std::min(part.find(' '), part.size())).ltrim();
    // Labels, declarations and predicates are not what it is about.
    size_t colon = part.find(": ");
    if (colon != StringRef::npos &&
        llvm::all_of(part.take_front(colon), isNameChar))
      part = part.drop_front(colon + 2).ltrim();
    if (part.empty() || part == "}" || part.starts_with(".") ||
        part.starts_with("setp."))
      continue;
    return takeOpcode(part).str();
  }
  return clean.substr(0, 40);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

namespace {
class Parser {
public:
  Parser(const Constraints &constraints, ConstantArgument constant)
      : constraints(constraints), constant(constant) {}

  Expected<Statement> parse(llvm::ArrayRef<StringRef> parts) {
    for (StringRef part : parts)
      if (Error error = visit(part))
        return std::move(error);
    if (!found)
      return createStringError("no instruction");
    for (auto &local : predicates)
      if (!local.second)
        return createStringError("the predicate '" + local.first() +
                                 "' gets no value");
    if (Error error = checkLoop())
      return std::move(error);
    if (Error error = checkResults())
      return std::move(error);
    result.inputs = constraints.items.size() - constraints.outputs;
    result.outputs = constraints.outputs;
    result.clobbersMemory = constraints.memory;
    return std::move(result);
  }

private:
  Error visit(StringRef part) {
    if (part.consume_front(".reg"))
      return declare(part.trim());
    if (part.starts_with("setp."))
      return setPredicate(part);
    StringRef label = part.take_while(isNameChar), after = part;
    if (!label.empty() && after.consume_front(label) &&
        after.consume_front(":") && !after.starts_with(":")) {
      (found ? end : start) = label;
      part = after.ltrim();
      if (part.empty())
        return Error::success();
    }
    if (found && !made.empty()) {
      if (part.starts_with("selp."))
        return selectPredicate(part);
      if (part.contains("bra"))
        return jump(part);
    }
    if (found)
      return createStringError(
          "more than one instruction: '" + result.opcode + "' and '" +
          part.take_until([](char c) { return c == ' '; }) + "'");
    found = true;
    return instruction(part);
  }

  Error declare(StringRef text) {
    if (!text.consume_front(".pred "))
      return createStringError("'.reg " + text + "' is no predicate");
    SmallVector<StringRef, 2> names;
    text.split(names, ',');
    for (StringRef name : names) {
      name = name.trim();
      if (name.empty() || !llvm::all_of(name, isNameChar))
        return createStringError("'" + name + "' is no name");
      predicates[name] = std::nullopt;
    }
    return Error::success();
  }

  /// setp.ne.b32 p, $1, 0
  Error setPredicate(StringRef text) {
    rest = text;
    StringRef opcode = takeOpcode(rest);
    bool equal = opcode.consume_front("setp.eq.");
    if (!equal && !opcode.consume_front("setp.ne."))
      return createStringError("'" + opcode + "' is no test against zero");
    if (opcode != "b32" && opcode != "s32" && opcode != "u32")
      return createStringError("a predicate of type '" + opcode + "'");
    auto local = predicates.find(rest.take_while(isNameChar));
    if (local == predicates.end() || local->second)
      return createStringError("'" + rest + "' sets no predicate of the scope");
    rest = rest.drop_front(local->first().size());
    if (!take(","))
      return expected(",");
    Expected<Slot> tested = slot();
    if (!tested)
      return tested.takeError();
    bool number = tested->kind == Slot::number;
    if (!number && (tested->kind != Slot::input || tested->letter != 'r'))
      return createStringError("a predicate tests an argument of constraint r "
                               "or n");
    if (!take(","))
      return expected(",");
    if (!take("0") || !rest.empty())
      return createStringError("a predicate is compared with zero");
    tested->kind = number ? Slot::number : Slot::predicate;
    tested->value = (tested->value == 0) == equal;
    tested->negated = equal;
    tested->fromPredicate = true;
    local->second = *tested;
    return Error::success();
  }

  /// selp.b32 $0, 1, 0, p: the predicate that the instruction made, as a number
  Error selectPredicate(StringRef text) {
    rest = text;
    StringRef opcode = takeOpcode(rest);
    if (opcode != "selp.b32" && opcode != "selp.s32" && opcode != "selp.u32")
      return createStringError("'" + opcode + "' makes no number of 32 bits");
    Expected<Slot> to = slot();
    if (!to)
      return to.takeError();
    Slot &from = result.operands.front().slots.front();
    if (to->kind != Slot::output || from.kind == Slot::output)
      return createStringError("a predicate becomes one result");
    for (const std::string &token :
         {std::string(","), std::string("1"), std::string(","),
          std::string("0"), std::string(","), made})
      if (!take(token))
        return expected(token);
    from = *to;
    from.fromPredicate = true;
    return rest.empty() ? Error::success() : expected("");
  }

  /// @p bra DONE
  Error jump(StringRef text) {
    Jump seen;
    rest = text;
    if (take("@")) {
      seen.ifSet = !take("!");
      seen.ifNotSet = !seen.ifSet;
      if (!take(made))
        return expected(made);
    }
    StringRef opcode = takeOpcode(rest);
    if (opcode != "bra" && opcode != "bra.uni")
      return createStringError("'" + text + "' is no jump");
    seen.to = rest;
    jumps.push_back(seen);
    return Error::success();
  }

  /// No jump, or those of L: i p; @p bra E; bra L; E: or of L: i p; @!p bra L.
  Error checkLoop() {
    if (jumps.empty() && start.empty() && end.empty()) {
      if (made.empty() || result.operands.front().slots.front().fromPredicate)
        return Error::success();
      return createStringError("nothing is done with the predicate '" +
                               llvm::Twine(made) + "'");
    }
    bool backward = jumps.size() == 1 && jumps[0].ifNotSet;
    bool around = jumps.size() == 2 && jumps[0].ifSet && jumps[0].to == end &&
                  !jumps[1].ifSet && !jumps[1].ifNotSet;
    if (start.empty() || !(backward || around) || jumps.back().to != start)
      return createStringError("the label '" + (start.empty() ? end : start) +
                               "': of loops only those are understood that "
                               "wait for the predicate of the instruction");
    result.operands.front().slots.front().fromPredicate = true;
    result.untilTrue = true;
    return Error::success();
  }

  Error instruction(StringRef text) {
    if (text.consume_front("@")) {
      bool negated = text.consume_front("!");
      StringRef name = text.take_while(isNameChar);
      auto local = predicates.find(name);
      if (local == predicates.end() || !local->second)
        return createStringError("'@" + name +
                                 "' is no predicate that has a value");
      if (local->second->kind != Slot::predicate)
        return createStringError("the guard '" + name +
                                 "' tests no argument in a register");
      result.guard = *local->second;
      result.guard->negated ^= negated;
      text = text.drop_front(name.size()).ltrim();
    }
    rest = text;
    result.opcode = takeOpcode(rest).str();
    if (result.opcode.empty() || !llvm::isLower(result.opcode[0]))
      return createStringError("'" + text + "' is no instruction");
    while (!rest.empty()) {
      Expected<Operand> next = operand();
      if (!next)
        return next.takeError();
      result.operands.push_back(std::move(*next));
      if (!rest.empty() && !take(","))
        return expected(",");
    }
    return Error::success();
  }

  Expected<Operand> operand() {
    Operand made;
    if (take("{")) {
      made.form = Operand::list;
      if (Error error = slots(made.slots))
        return std::move(error);
      return made;
    }
    bool address = take("[");
    made.form = address ? Operand::address : Operand::scalar;
    Expected<Slot> one = slot();
    if (!one)
      return one.takeError();
    made.slots.push_back(*one);
    if (!address)
      return made;
    if (take("+")) {
      Expected<Slot> offset = slot();
      if (!offset)
        return offset.takeError();
      if (offset->kind != Slot::number)
        return createStringError("an offset is a number");
      made.offset = offset->value;
    } else if (take(",")) {
      if (!take("{"))
        return expected("{");
      if (Error error = slots(made.coordinates))
        return std::move(error);
    }
    if (!take("]"))
      return expected("]");
    return made;
  }

  template <typename List> Error slots(List &list) {
    do {
      Expected<Slot> one = slot();
      if (!one)
        return one.takeError();
      list.push_back(*one);
    } while (take(","));
    return take("}") ? Error::success() : expected("}");
  }

  Expected<Slot> slot() {
    rest = rest.ltrim();
    Slot made;
    if (take("$")) {
      unsigned number;
      if (rest.consumeInteger(10, number))
        return createStringError("'$' without a number");
      return argument(number);
    }
    StringRef word =
        rest.take_while([](char c) { return isNameChar(c) || c == '-'; });
    rest = rest.drop_front(word.size()).ltrim();
    if (!word.getAsInteger(0, made.value))
      return made;
    if (word == "_") {
      made.kind = Slot::sink;
      return made;
    }
    auto local = predicates.find(word);
    if (local != predicates.end() && local->second)
      return *local->second;
    // The first operand is what the instruction makes.
    if (local != predicates.end() && result.operands.empty()) {
      this->made = word.str();
      made.kind = Slot::sink;
      local->second = made;
      local->second->kind = Slot::output;
      return made;
    }
    return createStringError("'" + (word.empty() ? rest : word) +
                             "' is no operand that is understood");
  }

  Expected<Slot> argument(unsigned number) {
    if (number >= constraints.items.size())
      return createStringError("$" + llvm::Twine(number) +
                               " has no constraint");
    Slot made;
    made.letter = constraints.items[number].letter;
    made.kind = number < constraints.outputs ? Slot::output : Slot::input;
    made.index = number - (made.kind == Slot::input ? constraints.outputs : 0);
    if (made.kind == Slot::output)
      made.tied = constraints.tiedTo(number);
    rest = rest.ltrim();
    if (made.letter != 'n')
      return made;
    std::optional<int64_t> value = constant(made.index);
    if (!value)
      return createStringError("$" + llvm::Twine(number) +
                               " has constraint n and is no constant");
    made.kind = Slot::number;
    made.value = *value;
    return made;
  }

  /// An output that is read where it was not written yet has the value of the
  /// argument tied to it; all others are written once, by the first operands.
  Error checkResults() {
    SmallVector<unsigned, 8> writes(constraints.outputs, 0);
    for (Operand &operand : result.operands) {
      for (Slot &slot : operand.slots)
        if (slot.kind == Slot::output && ++writes[slot.index] > 1)
          if (Error error = read(slot))
            return error;
      for (Slot &slot : operand.coordinates)
        if (slot.kind == Slot::output)
          if (Error error = read(slot))
            return error;
    }
    for (auto [index, count] : llvm::enumerate(writes))
      if (!count)
        return createStringError("result $" + llvm::Twine(index) +
                                 " is never written");
    if (result.guard && constraints.outputs)
      return createStringError("a guarded instruction with results");
    return Error::success();
  }

  Error read(Slot &slot) {
    int tied = constraints.tiedTo(slot.index);
    if (tied < 0)
      return createStringError("$" + llvm::Twine(slot.index) +
                               " is read, and no constraint gives it a value");
    slot.kind = Slot::input;
    slot.index = tied;
    return Error::success();
  }

  bool take(StringRef token) {
    rest = rest.ltrim();
    bool found = rest.consume_front(token);
    rest = rest.ltrim();
    return found;
  }

  Error expected(StringRef token) {
    return createStringError("expected '" + token + "', found '" + rest + "'");
  }

  const Constraints &constraints;
  ConstantArgument constant;
  Statement result;
  struct Jump {
    bool ifSet = false, ifNotSet = false;
    StringRef to;
  };

  llvm::StringMap<std::optional<Slot>> predicates;
  std::string made;     ///< name of the predicate that the instruction makes
  StringRef start, end; ///< labels before and after it
  SmallVector<Jump, 2> jumps;
  StringRef rest;
  bool found = false;
};
} // namespace

Expected<Statement> klineage::ptx::parseInlineAsm(StringRef text,
                                                  StringRef constraints,
                                                  ConstantArgument constant) {
  auto parsed = Constraints::parse(constraints);
  if (!parsed)
    return parsed.takeError();
  std::string clean = normalize(text);
  auto parts = splitStatements(clean);
  if (!parts)
    return parts.takeError();
  return Parser(*parsed, constant).parse(*parts);
}
