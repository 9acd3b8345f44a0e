//===- Constraints.h - The constraint string of inline asm
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_PTX_CONSTRAINTS_H
#define KLINEAGE_LIB_PTX_CONSTRAINTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace klineage::ptx {

/// What $0, $1, ... stand for.
struct Constraints {
  struct Item {
    char letter = 0;
    int tied = -1; ///< of an input: the output whose register it has
  };
  llvm::SmallVector<Item, 16> items; ///< outputs, then inputs
  unsigned outputs = 0;
  bool memory = false;

  /// The input that an output starts with, or -1.
  int tiedTo(unsigned output) const {
    for (unsigned i = outputs; i < items.size(); ++i)
      if (items[i].tied == int(output))
        return i - outputs;
    return -1;
  }

  /// Fails with the part that is none of NVPTX.
  static llvm::Expected<Constraints> parse(llvm::StringRef text);
};

} // namespace klineage::ptx

#endif // KLINEAGE_LIB_PTX_CONSTRAINTS_H
