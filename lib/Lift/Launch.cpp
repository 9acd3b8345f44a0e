//===- Launch.cpp - Launch descriptions
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <nlohmann/json.hpp>
#include <set>

using namespace klineage;
using namespace llvm;
using Json = nlohmann::ordered_json;

namespace {
/// Recursive descent over: sum = product (('+'|'-') product)*,
/// product = atom (('*'|'/') atom)*.
class ExtentParser {
public:
  explicit ExtentParser(StringRef text) : rest(text) {}

  Expected<Extent> parseAll() {
    Expected<Extent> result = sum(0);
    if (result && !rest.ltrim().empty())
      return createStringError("unexpected '" + rest.ltrim() + "'");
    return result;
  }

private:
  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  Expected<Extent> sum(int depth) {
    if (depth > 50)
      return createStringError("nested too deeply");
    Expected<Extent> left = product(depth);
    while (left) {
      Extent::Kind kind;
      if (take("+"))
        kind = Extent::add;
      else if (take("-"))
        kind = Extent::sub;
      else
        return left;
      left = binary(kind, std::move(*left), product(depth));
    }
    return left;
  }

  Expected<Extent> product(int depth) {
    Expected<Extent> left = atom(depth);
    while (left) {
      Extent::Kind kind;
      if (take("*"))
        kind = Extent::mul;
      else if (take("/"))
        kind = Extent::div;
      else
        return left;
      left = binary(kind, std::move(*left), atom(depth));
    }
    return left;
  }

  static Expected<Extent> binary(Extent::Kind kind, Extent left,
                                 Expected<Extent> right) {
    if (!right)
      return right.takeError();
    Extent result;
    result.kind = kind;
    result.operands.push_back(std::move(left));
    result.operands.push_back(std::move(*right));
    return result;
  }

  Expected<Extent> atom(int depth) {
    if (take("(")) {
      Expected<Extent> inner = sum(depth + 1);
      if (inner && !take(")"))
        return createStringError("expected ')'");
      return inner;
    }
    rest = rest.ltrim();
    Extent result;
    if (!rest.empty() && isDigit(rest.front())) {
      if (rest.consumeInteger(10, result.value))
        return createStringError("number out of range");
      return result;
    }
    StringRef word =
        rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
    if (word.empty())
      return createStringError("expected an extent at '" + rest + "'");
    rest = rest.drop_front(word.size());
    if (word == "ceildiv" || word == "min")
      return call(word == "min" ? Extent::min : Extent::ceildiv, depth);
    result.kind = Extent::name;
    result.symbol = word.str();
    return result;
  }

  Expected<Extent> call(Extent::Kind kind, int depth) {
    if (!take("("))
      return createStringError("expected '('");
    Expected<Extent> left = sum(depth + 1);
    if (!left)
      return left;
    if (!take(","))
      return createStringError("expected ','");
    Expected<Extent> result = binary(kind, std::move(*left), sum(depth + 1));
    if (result && !take(")"))
      return createStringError("expected ')'");
    return result;
  }

  StringRef rest;
};
} // namespace

Expected<Extent> Extent::parse(StringRef text) {
  Expected<Extent> result = ExtentParser(text).parseAll();
  if (!result)
    return createStringError("extent '" + text +
                             "': " + toString(result.takeError()));
  return result;
}

Expected<int64_t>
Extent::evaluate(const std::map<std::string, int64_t> &names) const {
  if (kind == number)
    return value;
  if (kind == name) {
    auto found = names.find(symbol);
    if (found == names.end())
      return createStringError("no size is given for '" + symbol + "'");
    return found->second;
  }
  Expected<int64_t> a = operands[0].evaluate(names);
  if (!a)
    return a;
  Expected<int64_t> b = operands[1].evaluate(names);
  if (!b)
    return b;
  std::optional<int64_t> result;
  if (kind == add)
    result = checkedAdd(*a, *b);
  else if (kind == sub)
    result = checkedSub(*a, *b);
  else if (kind == mul)
    result = checkedMul(*a, *b);
  else if (kind == min)
    result = std::min(*a, *b);
  else if (*a >= 0 && *b > 0)
    result = kind == div ? *a / *b : *a / *b + (*a % *b != 0);
  if (!result)
    return createStringError("an extent overflows or divides by zero");
  return *result;
}

mlir::Value Extent::build(mlir::OpBuilder &b, mlir::Location loc,
                          const StringMap<mlir::Value> &names) const {
  using namespace mlir::arith;
  if (kind == number)
    return ConstantIndexOp::create(b, loc, value);
  if (kind == name)
    return names.lookup(symbol);
  mlir::Value x = operands[0].build(b, loc, names);
  mlir::Value y = operands[1].build(b, loc, names);
  if (!x || !y)
    return {};
  switch (kind) {
  case add:
    return AddIOp::create(b, loc, x, y);
  case sub:
    return SubIOp::create(b, loc, x, y);
  case mul:
    return MulIOp::create(b, loc, x, y);
  case min:
    return MinSIOp::create(b, loc, x, y);
  case div:
    return DivSIOp::create(b, loc, x, y);
  default:
    return CeilDivSIOp::create(b, loc, x, y);
  }
}

static void collectNames(const Extent &extent, std::set<std::string> &to) {
  if (extent.kind == Extent::name)
    to.insert(extent.symbol);
  for (const Extent &operand : extent.operands)
    collectNames(operand, to);
}

std::vector<std::string> LaunchDescription::freeNames(
    const std::map<std::string, int64_t> &fixed) const {
  std::set<std::string> used;
  for (const Extent &extent : grid)
    collectNames(extent, used);
  for (const Extent &extent : block)
    collectNames(extent, used);
  collectNames(shared, used);
  for (const LaunchParam &param : params)
    for (const Extent &extent : param.shape)
      collectNames(extent, used);
  for (auto &name : fixed)
    used.erase(name.first);
  for (const LaunchParam &param : params) {
    if (!param.isBuffer)
      used.erase(param.name);
    for (const Extent &extent : param.shape)
      if (extent.kind == Extent::name)
        used.erase(extent.symbol);
  }
  return {used.begin(), used.end()};
}

static Expected<Extent> extentOf(const Json &value) {
  if (value.is_number_integer()) {
    Extent result;
    result.value = value.get<int64_t>();
    return result;
  }
  if (value.is_string())
    return Extent::parse(value.get<std::string>());
  return createStringError("an extent is a number or a string");
}

static Error readDims(const Json &document, const char *key, Extent (&to)[3]) {
  for (Extent &extent : to)
    extent.value = 1;
  if (!document.contains(key) || !document[key].is_array() ||
      document[key].size() > 3 || document[key].empty())
    return createStringError(Twine("'") + key +
                             "' is a list of one to three extents");
  for (size_t i = 0; i < document[key].size(); ++i) {
    auto extent = extentOf(document[key][i]);
    if (!extent)
      return extent.takeError();
    to[i] = std::move(*extent);
  }
  return Error::success();
}

static Expected<LaunchParam> readParam(const Json &param) {
  LaunchParam result;
  if (param.is_string()) {
    result.name = param.get<std::string>();
    return result;
  }
  bool typed = param.is_object() && param.size() == 2 &&
               std::next(param.begin()).key() == "type";
  if (!param.is_object() || param.size() != (typed ? 2 : 1) ||
      !param.begin()->is_array())
    return createStringError("a parameter is \"scalar\" or {\"buffer\": "
                             "[extents]}, the latter with a \"type\" or not");
  if (typed) {
    const Json &type = *std::next(param.begin());
    result.elementType = type.is_string() ? type.get<std::string>() : "";
    if (!is_contained({"f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64"},
                      result.elementType))
      return createStringError("the type of a buffer's elements is f16, bf16, "
                               "f32, f64, i8, i16, i32 or i64");
  }
  result.name = param.begin().key();
  result.isBuffer = true;
  for (const Json &dim : *param.begin()) {
    auto extent = extentOf(dim);
    if (!extent)
      return extent.takeError();
    result.shape.push_back(std::move(*extent));
  }
  return result;
}

static Error readSizes(const Json &document, LaunchDescription &to) {
  if (!document.contains("sizes"))
    return Error::success();
  for (const Json &set : document["sizes"]) {
    std::map<std::string, int64_t> sizes;
    if (!set.is_object())
      return createStringError("'sizes' is a list of objects");
    for (auto &[name, value] : set.items()) {
      if (!value.is_number_integer())
        return createStringError("size '" + name + "' is an integer");
      sizes[name] = value.get<int64_t>();
    }
    to.sizes.push_back(std::move(sizes));
  }
  return Error::success();
}

Expected<LaunchDescription> LaunchDescription::parse(StringRef text) {
  Json document = Json::parse(text.begin(), text.end(), nullptr, false);
  if (document.is_discarded() || !document.is_object())
    return createStringError("is no JSON object");
  LaunchDescription result;
  if (!document.contains("kernel") || !document["kernel"].is_string())
    return createStringError("'kernel' is the name of a kernel");
  result.kernel = document["kernel"].get<std::string>();
  result.entry = result.kernel + "_entry";
  if (!document.contains("params") || !document["params"].is_array())
    return createStringError("'params' is a list, one for each parameter");
  for (const Json &param : document["params"]) {
    auto parsed = readParam(param);
    if (!parsed)
      return parsed.takeError();
    result.params.push_back(std::move(*parsed));
  }
  if (Error error = readDims(document, "grid", result.grid))
    return std::move(error);
  if (Error error = readDims(document, "block", result.block))
    return std::move(error);
  if (document.contains("shared")) {
    auto extent = extentOf(document["shared"]);
    if (!extent)
      return extent.takeError();
    result.shared = std::move(*extent);
  }
  if (Error error = readSizes(document, result))
    return std::move(error);
  result.text = document.dump();
  return result;
}
