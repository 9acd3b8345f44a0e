//===- State.h - Import, canonical form and hash of a state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_STATE_STATE_H
#define KLINEAGE_STATE_STATE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace klineage {

/// Rule S4: what an entry takes, and that everything in it becomes a kernel.
/// Emits an error at the function or at the operation.
mlir::LogicalResult verifyEntry(mlir::func::FuncOp entry);

/// The public entry of a state: its only public `func.func` with a body, or the
/// one named `name`. Emits an error at the module if there is none or several.
mlir::FailureOr<mlir::func::FuncOp> lookupEntry(mlir::ModuleOp state,
                                                llvm::StringRef name = "");

/// What importState may promise about the entry's buffers. The runtime checks
/// both at every launch, so a promise is a launch contract, not a guess.
struct ImportOptions {
  int64_t align = 16;  ///< bytes, stamped as `llvm.align`; 1: no promise
  bool noAlias = true; ///< stamped as `llvm.noalias` on written buffers
};

/// Turns a frontend module into a state, in place: tensors are bufferized once
/// (results become out-parameters, in order, after the arguments), named
/// argument attributes are stamped, and the module is normalized. Modules that
/// already use memrefs keep their signature. Emits one error on failure.
mlir::LogicalResult importState(mlir::ModuleOp module,
                                const ImportOptions &options = {});

/// Brings a state to its one canonical spelling: canonicalization, CSE,
/// loop-invariant code motion, removal of dead temporaries, and a canonical
/// order of operations without side effects. Idempotent. `listener` hears of
/// every operation that is erased or replaced.
mlir::LogicalResult
normalizeState(mlir::ModuleOp state,
               mlir::RewriterBase::Listener *listener = nullptr);

/// SHA-256 of the state's textual form without locations, 64 lower-case
/// hex digits. Two states of one hash are the same program text.
std::string hashState(mlir::ModuleOp state);

/// Position of `op` among the operations with effects or regions in a pre-order
/// walk of `state` (-1 for others), and back. This is how a
/// lineage names a locus: stable because states are canonical.
int64_t locusOf(mlir::ModuleOp state, mlir::Operation *op);
mlir::Operation *opAtLocus(mlir::ModuleOp state, int64_t locus);

} // namespace klineage

#endif // KLINEAGE_STATE_STATE_H
