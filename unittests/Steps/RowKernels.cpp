//===- RowKernels.cpp - Row-wise kernels as frontends emit them
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowKernels.h"

using namespace klineage::test;

namespace {

/// An operand: its name, and what it has of (rows, columns).
struct Operand {
  std::string name;
  char kind; ///< 'm' rows x columns, 'r' rows, 'c' columns
  std::string element = "f32";
};

class Text {
public:
  explicit Text(const RowSizes &sizes) : sizes(sizes) {}

  std::string extents(char kind) const {
    auto one = [](int64_t extent) {
      return (extent < 0 ? std::string("?") : std::to_string(extent)) + "x";
    };
    return (kind == 'c' ? "" : one(sizes.rows)) +
           (kind == 'r' ? "" : one(sizes.columns));
  }
  std::string type(char kind, const std::string &element) const {
    return "tensor<" + extents(kind) + element + ">";
  }
  std::string type(const Operand &operand) const {
    return type(operand.kind, operand.element);
  }

  Operand empty(char kind, const std::string &element) {
    std::string dynamic;
    if (kind != 'c' && sizes.rows < 0)
      dynamic += "%m";
    if (kind != 'r' && sizes.columns < 0)
      dynamic += (dynamic.empty() ? "" : ", ") + std::string("%n");
    Operand made = fresh(kind, element);
    body += "  " + made.name + " = tensor.empty(" + dynamic +
            ") : " + type(made) + "\n";
    return made;
  }

  Operand fill(const std::string &value, const std::string &element = "f32") {
    Operand to = empty('r', element), made = fresh('r', element);
    body += "  " + made.name + "c = arith.constant " + value + " : " + element +
            "\n  " + made.name + " = linalg.fill ins(" + made.name +
            "c : " + element + ") outs(" + to.name + " : " + type(to) +
            ") -> " + type(to) + "\n";
    return made;
  }

  /// Body lines use %a0, %a1, ... and %o, and define %y.
  Operand generic(const std::vector<Operand> &inputs, Operand out,
                  bool reduction, const std::string &lines) {
    bool rowsOnly = out.kind == 'r' && !reduction;
    std::string maps, names, types, args;
    int number = 0;
    for (const Operand &input : inputs) {
      std::string comma = number ? ", " : "";
      maps += map(input.kind, rowsOnly) + ", ";
      names += comma + input.name;
      types += comma + type(input);
      args += "%a" + std::to_string(number++) + ": " + input.element + ", ";
    }
    Operand made = fresh(out.kind, out.element);
    std::string iterators = rowsOnly    ? "\"parallel\""
                            : reduction ? "\"parallel\", \"reduction\""
                                        : "\"parallel\", \"parallel\"";
    body += "  " + made.name + " = linalg.generic {indexing_maps = [" + maps +
            map(out.kind, rowsOnly) + "], iterator_types = [" + iterators +
            "]} ins(" + names + " : " + types + ") outs(" + out.name + " : " +
            type(out) + ") {\n  ^bb0(" + args + "%o: " + out.element + "):\n" +
            lines + "    linalg.yield %y : " + out.element + "\n  } -> " +
            type(out) + "\n";
    return made;
  }

  Operand map(const std::vector<Operand> &inputs, char kind,
              const std::string &element, const std::string &lines) {
    return generic(inputs, empty(kind, element), false, lines);
  }

  /// The sum of an expression over f32 %a0.
  Operand sum(const Operand &input, const std::string &lines) {
    return generic({input}, fill("0.0"), true,
                   lines + "    %y = arith.addf %t, %o : f32\n");
  }

  /// Values of the element type as f32.
  Operand wide(const Operand &input) {
    if (input.element == "f32")
      return input;
    return map({input}, input.kind, "f32",
               "    %y = arith.extf %a0 : " + input.element + " to f32\n");
  }
  Operand narrow(const Operand &input) {
    if (sizes.element == "f32")
      return input;
    return map({input}, input.kind, sizes.element,
               "    %y = arith.truncf %a0 : f32 to " + sizes.element + "\n");
  }

  std::string finish(const std::string &arguments,
                     const std::vector<Operand> &results) const {
    std::string names, types, head;
    for (const Operand &result : results) {
      names += (names.empty() ? "" : ", ") + result.name;
      types += (types.empty() ? "" : ", ") + type(result);
    }
    std::string x = type('m', sizes.element);
    head = "  %i0 = arith.constant 0 : index\n"
           "  %i1 = arith.constant 1 : index\n"
           "  %m = tensor.dim %x, %i0 : " +
           x + "\n  %n = tensor.dim %x, %i1 : " + x +
           "\n  %ni = arith.index_cast %n : index to i64\n"
           "  %nf = arith.sitofp %ni : i64 to f32\n";
    return "func.func @kernel(%x: " + x + arguments + ") -> (" + types +
           ") {\n" + head + body + "  return " + names + " : " + types +
           "\n}\n";
  }

  Operand x() const { return {"%x", 'm', sizes.element}; }

private:
  Operand fresh(char kind, const std::string &element) {
    return {"%v" + std::to_string(next++), kind, element};
  }
  static std::string map(char kind, bool rowsOnly) {
    if (rowsOnly)
      return "affine_map<(d0) -> (d0)>";
    return std::string("affine_map<(d0, d1) -> (") +
           (kind == 'm'   ? "d0, d1"
            : kind == 'r' ? "d0"
                          : "d1") +
           ")>";
  }

  RowSizes sizes;
  std::string body;
  int next = 0;
};

const char *const kSquare = "    %t = arith.mulf %a0, %a0 : f32\n";

/// Mean of squares, plus epsilon, to the power of -1/2; one value a row.
Operand inverseNorm(Text &text, const Operand &input) {
  Operand sum = text.sum(input, kSquare);
  Operand mean =
      text.map({sum}, 'r', "f32", "    %y = arith.divf %a0, %nf : f32\n");
  return text.map({mean}, 'r', "f32",
                  "    %e = arith.constant 1.0e-5 : f32\n"
                  "    %s = arith.addf %a0, %e : f32\n"
                  "    %y = math.rsqrt %s : f32\n");
}

const char *const kSub = "    %y = arith.subf %a0, %a1 : f32\n";
const char *const kAdd = "    %y = arith.addf %a0, %a1 : f32\n";
const char *const kMul = "    %y = arith.mulf %a0, %a1 : f32\n";

} // namespace

std::string klineage::test::softmax(const RowSizes &sizes) {
  Text text(sizes);
  Operand x = text.wide(text.x());
  Operand max = text.generic({x}, text.fill("0xFF800000"), true,
                             "    %y = arith.maximumf %a0, %o : f32\n");
  Operand sub = text.map({x, max}, 'm', "f32", kSub);
  Operand exp = text.map({sub}, 'm', "f32", "    %y = math.exp %a0 : f32\n");
  Operand sum = text.generic({exp}, text.fill("0.0"), true,
                             "    %y = arith.addf %a0, %o : f32\n");
  Operand div =
      text.map({exp, sum}, 'm', "f32", "    %y = arith.divf %a0, %a1 : f32\n");
  return text.finish("", {text.narrow(div)});
}

std::string klineage::test::layerNorm(const RowSizes &sizes) {
  Text text(sizes);
  Operand x = text.wide(text.x());
  Operand sum = text.generic({x}, text.fill("0.0"), true,
                             "    %y = arith.addf %o, %a0 : f32\n");
  Operand mean =
      text.map({sum}, 'r', "f32", "    %y = arith.divf %a0, %nf : f32\n");
  Operand centered = text.map({x, mean}, 'm', "f32", kSub);
  Operand inverse = inverseNorm(text, centered);
  Operand scaled = text.map({centered, inverse}, 'm', "f32", kMul);
  Operand gamma = text.map({scaled, {"%g", 'c'}}, 'm', "f32", kMul);
  Operand beta = text.map({gamma, {"%b", 'c'}}, 'm', "f32", kAdd);
  std::string column = text.type('c', "f32");
  return text.finish(", %g: " + column + ", %b: " + column,
                     {text.narrow(beta)});
}

std::string klineage::test::rmsNorm(const RowSizes &sizes) {
  Text text(sizes);
  Operand x = text.wide(text.x());
  Operand inverse = inverseNorm(text, x);
  Operand scaled = text.map({x, inverse}, 'm', "f32", kMul);
  Operand gamma = text.map({scaled, {"%g", 'c'}}, 'm', "f32", kMul);
  return text.finish(", %g: " + text.type('c', "f32"), {text.narrow(gamma)});
}

std::string klineage::test::addRmsNorm(const RowSizes &sizes) {
  Text text(sizes);
  Operand x = text.wide(text.x());
  Operand r = text.wide({"%r", 'm', sizes.element});
  Operand h = text.map({x, r}, 'm', "f32", kAdd);
  Operand stored = text.narrow(h);
  Operand inverse = inverseNorm(text, h);
  Operand scaled = text.map({h, inverse}, 'm', "f32", kMul);
  Operand gamma = text.map({scaled, {"%g", 'c'}}, 'm', "f32", kMul);
  return text.finish(", %r: " + text.type('m', sizes.element) +
                         ", %g: " + text.type('c', "f32"),
                     {stored, text.narrow(gamma)});
}

std::string klineage::test::rowSum(const RowSizes &sizes) {
  Text text(sizes);
  bool wide = sizes.element != "f32";
  std::string lines = wide ? "    %t = arith.extf %a0 : " + sizes.element +
                                 " to f32\n    %y = arith.addf %t, %o : f32\n"
                           : "    %y = arith.addf %a0, %o : f32\n";
  Operand sum = text.generic({text.x()}, text.fill("0.0"), true, lines);
  return text.finish("", {sum});
}

std::string klineage::test::rowReduce(const RowSizes &sizes,
                                      const std::string &combiner,
                                      const std::string &initial) {
  Text text(sizes);
  Operand result = text.generic(
      {text.x()}, text.fill(initial, sizes.element), true,
      "    %y = " + combiner + " %a0, %o : " + sizes.element + "\n");
  return text.finish("", {result});
}

const std::vector<RowKernel> &klineage::test::rowKernels() {
  static const std::vector<RowKernel> kernels = {
      {"softmax", softmax},
      {"layer_norm", layerNorm},
      {"rms_norm", rmsNorm},
      {"add_rms_norm", addRmsNorm},
      {"row_sum", rowSum},
      {"row_max",
       [](const RowSizes &sizes) {
         return rowReduce(sizes, "arith.maximumf",
                          sizes.element == "f32" ? "0xFF800000" : "0xFF80");
       }},
  };
  return kernels;
}
