//===- Constraints.cpp - The constraint string of inline asm
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constraints.h"

using namespace klineage::ptx;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;

static Error addInput(Constraints &result, StringRef item) {
  unsigned tied;
  if (!item.getAsInteger(10, tied)) {
    if (tied >= result.outputs)
      return createStringError("constraint '" + item +
                               "' names no result of the asm");
    if (result.tiedTo(tied) >= 0)
      return createStringError("two arguments are tied to result " + item);
    result.items.push_back({result.items[tied].letter, int(tied)});
    return Error::success();
  }
  if (item.size() != 1 || !StringRef("hrlfdqnbi").contains(item[0]))
    return createStringError("constraint '" + item + "' is not one of NVPTX");
  result.items.push_back({item[0] == 'i' ? 'n' : item[0], -1});
  return Error::success();
}

Expected<Constraints> Constraints::parse(StringRef text) {
  Constraints result;
  SmallVector<StringRef, 16> all;
  if (!text.empty())
    text.split(all, ',');
  for (StringRef item : all) {
    if (item.consume_front("~")) {
      result.memory |= item == "{memory}";
      continue;
    }
    if (!item.consume_front("=")) {
      if (Error error = addInput(result, item))
        return std::move(error);
      continue;
    }
    item.consume_front("&");
    if (item.size() != 1 || !StringRef("hrlfdqb").contains(item[0]))
      return createStringError("constraint '=" + item +
                               "' is no register of NVPTX");
    if (result.outputs != result.items.size())
      return createStringError("a result follows an argument");
    result.items.push_back({item[0], -1});
    ++result.outputs;
  }
  return result;
}
