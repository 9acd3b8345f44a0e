//===- Harness.cpp - Compiles a kernel, runs it, collects findings
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "llvm/Support/raw_ostream.h"

using namespace klineage;
using namespace klineage::simt;
using namespace klineage::simt::test;

Harness::Harness(llvm::StringRef text, Language language, Mode mode,
                 Order order, uint64_t seed) {
  auto parsed = language == Language::mlir ? lowerMlir(text, context)
                                           : parseIr(text, context);
  if (!parsed) {
    ADD_FAILURE() << llvm::toString(parsed.takeError());
    exit(1);
  }
  module = std::move(*parsed);
  Options options;
  options.mode = mode;
  options.order = order;
  options.seed = seed;
  auto created = Program::create(*module, {}, options);
  if (!created) {
    ADD_FAILURE() << llvm::toString(created.takeError());
    exit(1);
  }
  program = std::move(*created);
  runtime = std::make_unique<SimtRuntime>(*program);
}

void *Harness::allocate(int64_t bytes, llvm::StringRef name) {
  auto pointer = runtime->allocate(bytes, name);
  if (!pointer) {
    ADD_FAILURE() << llvm::toString(pointer.takeError());
    exit(1);
  }
  return *pointer;
}

std::map<std::string, int> Harness::kinds() const {
  std::map<std::string, int> result;
  for (const Finding &finding : runtime->findings())
    ++result[stringify(finding.kind).str()];
  return result;
}

const Finding *Harness::first(FindingKind kind) const {
  for (const Finding &finding : runtime->findings())
    if (finding.kind == kind)
      return &finding;
  return nullptr;
}

std::string Harness::report() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Finding &finding : runtime->findings())
    os << finding << "\n";
  return text;
}

std::string klineage::simt::test::replaced(std::string text,
                                           llvm::StringRef from,
                                           llvm::StringRef to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "nothing to replace: " << from.str();
  for (; at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}
