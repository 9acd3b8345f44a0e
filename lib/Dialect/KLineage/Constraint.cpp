//===- Constraint.cpp - Parser and evaluator of constraints
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Dialect/KLineage/Constraint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace klineage;
using llvm::StringRef;

namespace {
/// Recursive descent over the text; evaluates while it parses. The first error
/// wins, later values are meaningless.
class Evaluator {
public:
  using Lookup = llvm::function_ref<std::optional<int64_t>(StringRef)>;
  Evaluator(StringRef text, Lookup lookup) : text(text), lookup(lookup) {}

  llvm::Expected<ConstraintValue> run() {
    ConstraintValue value;
    value.left = sum();
    value.relation = relation();
    value.right = sum();
    skipSpace();
    if (position != text.size())
      fail("unexpected text");
    if (!error.empty())
      return llvm::createStringError(error);
    value.holds = compare(value);
    return value;
  }

private:
  static bool compare(const ConstraintValue &v) {
    if (v.relation == "<=")
      return v.left <= v.right;
    if (v.relation == ">=")
      return v.left >= v.right;
    if (v.relation == "<")
      return v.left < v.right;
    if (v.relation == ">")
      return v.left > v.right;
    return v.relation == "==" ? v.left == v.right : v.left != v.right;
  }

  void fail(const llvm::Twine &message) {
    if (error.empty())
      error = (message + " at column " + llvm::Twine(position + 1) + " of '" +
               text + "'")
                  .str();
  }

  void skipSpace() {
    while (position < text.size() && llvm::isSpace(text[position]))
      ++position;
  }

  bool consume(StringRef token) {
    skipSpace();
    if (!text.substr(position).starts_with(token))
      return false;
    position += token.size();
    return true;
  }

  std::string relation() {
    for (StringRef token : {"<=", ">=", "==", "!=", "<", ">"})
      if (consume(token))
        return token.str();
    fail("expected a comparison");
    return "<=";
  }

  int64_t checked(std::optional<int64_t> value) {
    if (!value)
      fail("arithmetic overflows 64 bits");
    return value.value_or(0);
  }

  int64_t sum() {
    int64_t value = product();
    while (error.empty()) {
      if (consume("+"))
        value = checked(llvm::checkedAdd(value, product()));
      else if (consume("-"))
        value = checked(llvm::checkedSub(value, product()));
      else
        break;
    }
    return value;
  }

  int64_t divisor() {
    int64_t value = factor();
    if (value == 0 && !dry)
      fail("division by zero");
    return value == 0 ? 1 : value;
  }

  int64_t product() {
    int64_t value = factor();
    while (error.empty()) {
      if (consume("*"))
        value = checked(llvm::checkedMul(value, factor()));
      else if (consume("/"))
        value = quotient(value, divisor());
      else if (consume("%"))
        value = remainder(value, divisor());
      else
        break;
    }
    return value;
  }

  /// INT64_MIN / -1 is the one quotient that overflows.
  int64_t quotient(int64_t a, int64_t b) {
    return b == -1 ? checked(llvm::checkedSub<int64_t>(0, a)) : a / b;
  }
  static int64_t remainder(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }

  int64_t factor() {
    if (++depth > 64)
      fail("nested too deeply");
    int64_t value = error.empty() ? primary() : 0;
    --depth;
    return value;
  }

  int64_t primary() {
    if (consume("(")) {
      int64_t value = sum();
      if (!consume(")"))
        fail("expected ')'");
      return value;
    }
    if (consume("-"))
      return checked(llvm::checkedSub<int64_t>(0, factor()));
    skipSpace();
    StringRef rest = text.substr(position);
    StringRef word =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (word.empty()) {
      fail("expected a number, a name or '('");
      return 0;
    }
    position += word.size();
    if (llvm::isDigit(word.front())) {
      int64_t value = 0;
      if (word.getAsInteger(10, value))
        fail("bad number '" + word + "'");
      return value;
    }
    return word == "min" || word == "max" ? call(word) : name(word);
  }

  int64_t call(StringRef function) {
    if (!consume("("))
      fail("expected '('");
    int64_t a = sum();
    if (!consume(","))
      fail("expected ','");
    int64_t b = sum();
    if (!consume(")"))
      fail("expected ')'");
    return function == "min" ? std::min(a, b) : std::max(a, b);
  }

  int64_t name(StringRef word) {
    std::optional<int64_t> value = lookup(word);
    if (!value)
      fail("unknown name '" + word + "'");
    return value.value_or(0);
  }

public:
  bool dry = false; ///< names only: values are placeholders

private:
  StringRef text;
  Lookup lookup;
  size_t position = 0;
  int depth = 0;
  std::string error;
};
} // namespace

llvm::Expected<ConstraintValue> klineage::evaluateConstraint(
    StringRef condition,
    llvm::function_ref<std::optional<int64_t>(StringRef)> lookup) {
  return Evaluator(condition, lookup).run();
}

llvm::Expected<llvm::SmallVector<std::string>>
klineage::constraintNames(StringRef condition) {
  llvm::SmallVector<std::string> names;
  auto record = [&](StringRef name) -> std::optional<int64_t> {
    if (!llvm::is_contained(names, name))
      names.push_back(name.str());
    return 1;
  };
  Evaluator evaluator(condition, record);
  evaluator.dry = true;
  if (auto value = evaluator.run(); !value)
    return value.takeError();
  return names;
}

bool klineage::isConstraintFact(StringRef name) {
  if (llvm::is_contained(
          {"shared_bytes", "threads", "registers", "bytes", "io_bytes"}, name))
    return true;
  return (name.consume_front("extent") || name.consume_front("inner")) &&
         !name.empty() && llvm::all_of(name, llvm::isDigit);
}
