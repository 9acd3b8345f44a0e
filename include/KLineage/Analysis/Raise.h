//===- Raise.h - From what a state computes to linalg on whole buffers
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_ANALYSIS_RAISE_H
#define KLINEAGE_ANALYSIS_RAISE_H

#include "KLineage/Analysis/HostSummary.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace klineage {

/// A module whose entry has the signature of `entry` and computes `outputs`,
/// the value of each argument that is stored to over the coordinates of its
/// shape in `summary`: a fold is a `linalg.generic` that reduces into a buffer,
/// the rest is elementwise. Null, and `why`, if an expression has no such form.
/// The caller checks that the result computes the same.
mlir::OwningOpRef<mlir::ModuleOp>
raiseToLinalg(sym::Arena &arena, const HostSummary &summary,
              const std::map<uint64_t, sym::Term> &outputs,
              mlir::func::FuncOp entry, std::string &why);

} // namespace klineage

#endif // KLINEAGE_ANALYSIS_RAISE_H
