//===- Launch.h - How a kernel is launched, as its author says
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_LIFT_LAUNCH_H
#define KLINEAGE_LIB_LIFT_LAUNCH_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace klineage {

/// An extent: a number, a name, or + - * / ceildiv(a, b) min(a, b) of such.
struct Extent {
  enum Kind { number, name, add, sub, mul, div, ceildiv, min } kind = number;
  int64_t value = 0;
  std::string symbol;
  std::vector<Extent> operands;

  static llvm::Expected<Extent> parse(llvm::StringRef text);
  /// Fails on an unknown name, a division by zero and overflow.
  llvm::Expected<int64_t>
  evaluate(const std::map<std::string, int64_t> &names) const;
  /// The same as index operations; null for an unknown name.
  mlir::Value build(mlir::OpBuilder &b, mlir::Location loc,
                    const llvm::StringMap<mlir::Value> &names) const;
};

/// One parameter of a kernel. A buffer has a shape, row-major and contiguous;
/// a scalar is called by its name in extents.
struct LaunchParam {
  std::string name;
  bool isBuffer = false;
  std::vector<Extent> shape;
  std::string elementType; ///< empty: what the kernel accesses
};

struct LaunchDescription {
  std::string kernel, entry;
  std::vector<LaunchParam> params; ///< in the order of the kernel's
  Extent grid[3], block[3], shared;
  std::vector<std::map<std::string, int64_t>> sizes; ///< to check with
  std::string text;

  static llvm::Expected<LaunchDescription> parse(llvm::StringRef text);
  std::string canonicalText() const { return text; }
  /// Names that extents use and no parameter, no buffer's extent and none of
  /// `fixed` gives, sorted: the entry takes them after its other arguments.
  std::vector<std::string>
  freeNames(const std::map<std::string, int64_t> &fixed) const;
};

} // namespace klineage

#endif // KLINEAGE_LIB_LIFT_LAUNCH_H
