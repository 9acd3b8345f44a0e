//===- PtxFacts.cpp - What a kernel's PTX contains
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Codegen/Codegen.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"
#include <nlohmann/json.hpp>

using namespace llvm;
using klineage::PtxFacts;

/// Names that an opcode counts under. One instruction may count several times:
/// a vector load is a load, too.
static void countOpcode(StringRef opcode, PtxFacts &facts) {
  SmallVector<StringRef> parts;
  opcode.split(parts, '.');
  StringRef head = parts.front();
  auto has = [&](StringRef part) { return is_contained(parts, part); };
  if (head == "ld" || head == "st" || head == "atom" || head == "red") {
    StringRef space = has("global")   ? "global"
                      : has("shared") ? "shared"
                      : has("local")  ? "local"
                      : has("param")  ? "param"
                                      : "generic";
    std::string name = (head + "." + space).str();
    ++facts[name];
    if (space == "local")
      ++facts["local"];
    if (has("nc"))
      ++facts[name + ".nc"];
    for (StringRef width : {"v2", "v4"})
      if (has(width)) {
        ++facts[(name + "." + width).str()];
        if (space == "global" || space == "shared")
          ++facts["vector_access"];
      }
    return;
  }
  if (head == "bar" || head == "barrier")
    ++facts["bar"];
  else if (head == "shfl" || head == "fma" || head == "ldmatrix" ||
           head == "stmatrix" || head == "mma" || head == "wgmma" ||
           head == "div" || head == "sqrt" || head == "setmaxnreg" ||
           head == "mbarrier")
    ++facts[head.str()];
  else if (head == "cp")
    ++facts[has("bulk")                            ? "cp.async.bulk"
            : has("commit_group")                  ? "cp.async.commit"
            : has("wait_group") || has("wait_all") ? "cp.async.wait"
                                                   : "cp.async"];
  else if (has("approx"))
    ++facts[(head + ".approx").str()];
}

std::map<std::string, PtxFacts> klineage::parsePtx(StringRef ptx) {
  std::map<std::string, PtxFacts> kernels;
  PtxFacts *current = nullptr;
  SmallVector<StringRef> lines;
  ptx.split(lines, '\n');
  Regex entry("\\.entry +([A-Za-z0-9_$]+)");
  for (StringRef line : lines) {
    SmallVector<StringRef> match;
    if (entry.match(line, &match)) {
      current = &kernels[match[1].str()];
      continue;
    }
    StringRef text = line.trim();
    if (text.starts_with(".func"))
      current = nullptr;
    if (!current || text.empty() || text.starts_with("//") ||
        text.starts_with(".") || text.starts_with("$"))
      continue;
    if (text.consume_front("@")) // A predicated instruction.
      text =
          text.drop_until([](char c) { return c == ' ' || c == '\t'; }).ltrim();
    StringRef opcode = text.take_until(
        [](char c) { return c == ' ' || c == '\t' || c == ';'; });
    if (!opcode.empty() && llvm::isAlpha(opcode.front()))
      countOpcode(opcode, *current);
  }
  return kernels;
}

std::string klineage::launchMetadata(const CompiledState &compiled,
                                     const TargetInfo &target) {
  nlohmann::ordered_json document;
  document["chip"] = target.chip.str();
  auto &entry = document["entry"] = nlohmann::ordered_json::array();
  for (const EntryParam &param : compiled.params) {
    nlohmann::ordered_json item;
    item["kind"] = param.isBuffer ? "buffer" : "scalar";
    item["type"] = param.elementType;
    if (param.isBuffer) {
      nlohmann::ordered_json shape = nlohmann::ordered_json::array();
      for (int64_t extent : param.shape)
        extent < 0 ? shape.push_back("?") : shape.push_back(extent);
      item["shape"] = shape;
      item["alignment"] = param.alignment;
      item["noalias"] = param.noAlias;
    }
    entry.push_back(item);
  }
  auto &kernels = document["kernels"] = nlohmann::ordered_json::array();
  for (const KernelImage &image : compiled.kernels) {
    nlohmann::ordered_json item;
    item["name"] = image.name;
    item["block"] = image.blockDim;
    item["static_shared_bytes"] = image.staticSharedBytes;
    item["dynamic_shared_bytes"] = image.dynamicSharedBytes;
    if (image.maxRegisters)
      item["max_registers"] = image.maxRegisters;
    auto &params = item["params"] = nlohmann::ordered_json::array();
    for (const KernelParam &param : image.params) {
      nlohmann::ordered_json fact;
      fact["kind"] = param.isPointer ? "pointer" : "scalar";
      fact["bytes"] = param.bytes;
      if (param.isPointer) {
        fact["alignment"] = param.alignment;
        fact["readonly"] = param.readOnly;
        fact["noalias"] = param.noAlias;
      }
      params.push_back(fact);
    }
    kernels.push_back(item);
  }
  return document.dump(2) + "\n";
}
