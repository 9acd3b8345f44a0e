//===- StepKernels.cpp - Kernels of every shape for tests of step kinds
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepKernels.h"
#include "llvm/ADT/STLExtras.h"

using namespace klineage::test;

std::string KernelSizes::name() const {
  std::string text;
  for (int64_t extent : extents)
    text += (extent < 0 ? "?" : std::to_string(extent)) + "x";
  return text + element;
}

bool KernelSizes::isStatic() const {
  return llvm::none_of(extents, [](int64_t extent) { return extent < 0; });
}

/// The memref of those of the extents.
static std::string memref(const KernelSizes &sizes,
                          std::initializer_list<int> positions,
                          const std::string &element) {
  KernelSizes part{{}, element};
  for (int position : positions)
    part.extents.push_back(sizes.extents[position]);
  return "memref<" + part.name() + ">";
}

static std::string accumulator(const KernelSizes &sizes) {
  return sizes.element == "f64" ? "f64" : "f32";
}

/// A linalg.generic; `ins` and `outs` as "%x : type", maps as "(d0) -> (d0)".
static std::string generic(std::initializer_list<std::string> maps,
                           const std::string &iterators, const std::string &ins,
                           const std::string &outs, const std::string &args,
                           const std::string &body) {
  std::string text = "  linalg.generic {indexing_maps = [";
  bool first = true;
  for (const std::string &map : maps) {
    text += (first ? "affine_map<" : ", affine_map<") + map + ">";
    first = false;
  }
  text += "], iterator_types = [";
  for (size_t i = 0; i < iterators.size(); ++i)
    text += std::string(i ? ", " : "") +
            (iterators[i] == 'p' ? "\"parallel\"" : "\"reduction\"");
  return text + "]} ins(" + ins + ") outs(" + outs + ") {\n  ^bb0(" + args +
         "):\n" + body + "  }\n";
}

static std::string product(const KernelSizes &sizes, const std::string &op,
                           const std::string &a, const std::string &b,
                           const std::string &c) {
  return "  %zero = arith.constant 0.0 : " + accumulator(sizes) +
         "\n  linalg.fill ins(%zero : " + accumulator(sizes) +
         ") outs(%c : " + c + ")\n  linalg." + op + " ins(%a, %b : " + a +
         ", " + b + ") outs(%c : " + c + ")\n";
}

std::string klineage::test::matmul(const KernelSizes &sizes) {
  std::string a = memref(sizes, {0, 2}, sizes.element),
              b = memref(sizes, {2, 1}, sizes.element),
              c = memref(sizes, {0, 1}, accumulator(sizes));
  return "func.func @matmul(%a: " + a + ", %b: " + b + ", %c: " + c + ") {\n" +
         product(sizes, "matmul", a, b, c) + "  return\n}\n";
}

std::string klineage::test::batchedMatmul(const KernelSizes &sizes) {
  std::string a = memref(sizes, {0, 1, 3}, sizes.element),
              b = memref(sizes, {0, 3, 2}, sizes.element),
              c = memref(sizes, {0, 1, 2}, accumulator(sizes));
  return "func.func @bmm(%a: " + a + ", %b: " + b + ", %c: " + c + ") {\n" +
         product(sizes, "batch_matmul", a, b, c) + "  return\n}\n";
}

std::string klineage::test::matmulBiasRelu(const KernelSizes &sizes) {
  std::string element = accumulator(sizes);
  std::string a = memref(sizes, {0, 2}, sizes.element),
              b = memref(sizes, {2, 1}, sizes.element),
              c = memref(sizes, {0, 1}, element),
              bias = memref(sizes, {1}, element);
  std::string id = "(d0, d1) -> (d0, d1)";
  return "func.func @bias_relu(%a: " + a + ", %b: " + b + ", %bias: " + bias +
         ", %c: " + c + ", %d: " + c + ") {\n" +
         product(sizes, "matmul", a, b, c) +
         generic({id, "(d0, d1) -> (d1)", id}, "pp",
                 "%c, %bias : " + c + ", " + bias, "%d : " + c,
                 "%x: " + element + ", %y: " + element + ", %o: " + element,
                 "    %s = arith.addf %x, %y : " + element +
                     "\n    %r = arith.maximumf %s, %zero : " + element +
                     "\n    linalg.yield %r : " + element + "\n") +
         "  return\n}\n";
}

std::string klineage::test::chain(const KernelSizes &sizes) {
  const std::string &element = sizes.element;
  std::string type = memref(sizes, {0, 1}, element);
  std::string id = "(d0, d1) -> (d0, d1)";
  std::string dynamic;
  std::string setup;
  for (int dim : {0, 1}) {
    if (sizes.extents[dim] >= 0)
      continue;
    std::string number = std::to_string(dim);
    setup += "  %i" + number + " = arith.constant " + number +
             " : index\n  %n" + number + " = memref.dim %x, %i" + number +
             " : " + type + "\n";
    dynamic += (dynamic.empty() ? "%n" : ", %n") + number;
  }
  auto alloc = [&](const std::string &name) {
    return "  %" + name + " = memref.alloc(" + dynamic + ") : " + type + "\n";
  };
  std::string two = "%p: " + element + ", %q: " + element;
  std::string three = two + ", %o: " + element;
  auto yield = [&](const std::string &op) {
    return "    %r = " + op + " : " + element +
           "\n    linalg.yield %r : " + element + "\n";
  };
  return "func.func @chain(%x: " + type + ", %y: " + type + ", %z: " + type +
         ") {\n" + setup + alloc("t") + alloc("u") +
         generic({id, id, id}, "pp", "%x, %y : " + type + ", " + type,
                 "%t : " + type, three, yield("arith.mulf %p, %q")) +
         generic({id, id}, "pp", "%t : " + type, "%u : " + type, two,
                 yield("math.exp %p")) +
         generic({id, id, id}, "pp", "%u, %y : " + type + ", " + type,
                 "%z : " + type, three, yield("arith.addf %p, %q")) +
         "  return\n}\n";
}

std::string klineage::test::scaleVector(const KernelSizes &sizes) {
  const std::string &element = sizes.element;
  std::string type = memref(sizes, {0}, element), id = "(d0) -> (d0)";
  return "func.func @scale(%x: " + type + ", %y: " + type + ") {\n" +
         generic({id, id}, "p", "%x : " + type, "%y : " + type,
                 "%p: " + element + ", %o: " + element,
                 "    %r = arith.addf %p, %p : " + element +
                     "\n    linalg.yield %r : " + element + "\n") +
         "  return\n}\n";
}

std::string klineage::test::broadcast(const KernelSizes &sizes) {
  const std::string &element = sizes.element;
  std::string type = memref(sizes, {0, 1, 2}, element);
  std::string bias = memref(sizes, {2}, element);
  std::string id = "(d0, d1, d2) -> (d0, d1, d2)";
  return "func.func @broadcast(%x: " + type + ", %b: " + bias +
         ", %y: " + type + ") {\n" +
         generic({id, "(d0, d1, d2) -> (d2)", id}, "ppp",
                 "%x, %b : " + type + ", " + bias, "%y : " + type,
                 "%p: " + element + ", %q: " + element + ", %o: " + element,
                 "    %r = arith.addf %p, %q : " + element +
                     "\n    linalg.yield %r : " + element + "\n") +
         "  return\n}\n";
}

std::string klineage::test::transpose(const KernelSizes &sizes) {
  const std::string &element = sizes.element;
  std::string x = memref(sizes, {0, 1}, element),
              y = memref(sizes, {1, 0}, element);
  return "func.func @transpose(%x: " + x + ", %y: " + y + ") {\n" +
         generic({"(d0, d1) -> (d1, d0)", "(d0, d1) -> (d0, d1)"}, "pp",
                 "%x : " + x, "%y : " + y,
                 "%p: " + element + ", %o: " + element,
                 "    linalg.yield %p : " + element + "\n") +
         "  return\n}\n";
}

std::string klineage::test::columnSum(const KernelSizes &sizes) {
  std::string sum = accumulator(sizes);
  std::string x = memref(sizes, {0, 1}, sizes.element),
              y = memref(sizes, {1}, sum);
  bool wide = sizes.element == sum;
  return "func.func @column_sum(%x: " + x + ", %y: " + y +
         ") {\n  %zero = arith.constant 0.0 : " + sum +
         "\n  linalg.fill ins(%zero : " + sum + ") outs(%y : " + y + ")\n" +
         generic(
             {"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d1)"}, "rp", "%x : " + x,
             "%y : " + y, "%p: " + sizes.element + ", %o: " + sum,
             (wide ? "    %r = arith.addf %p, %o : " + sum + "\n"
                   : "    %w = arith.extf %p : " + sizes.element + " to " +
                         sum + "\n    %r = arith.addf %w, %o : " + sum + "\n") +
                 "    linalg.yield %r : " + sum + "\n") +
         "  return\n}\n";
}
