//===- StepKind.h - Named reversible rewrites
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_STEPS_STEPKIND_H
#define KLINEAGE_STEPS_STEPKIND_H

#include "KLineage/Analysis/Clause.h"
#include "KLineage/Support/Enums.h"
#include "KLineage/Support/TargetInfo.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace klineage {

/// What a step may rely on beyond the IR.
struct StepContext {
  const TargetInfo &target;
  /// What to do with an unknown clause that the kind can guard: true makes a
  /// run-time guard that keeps the old code, false refuses.
  bool allowGuards = true;
};

/// One group of operations that a step hands to the next one.
struct StepHandle {
  std::string name; ///< as in the kind's documentation: "loop", "tiled", ...
  llvm::SmallVector<mlir::Operation *> ops;
};

/// What `apply` did. Handles are listed in the documented order of results.
/// `locus` is where `undo` starts; it must be in the module after the rewrite.
struct StepOutcome {
  llvm::SmallVector<StepHandle> handles;
  mlir::Operation *locus = nullptr;
  bool guarded = false;
  /// Small facts (integers, indices, names; never IR) that undo needs and that
  /// cannot be read off the after state. Merged into the recorded parameters.
  llvm::SmallVector<mlir::NamedAttribute> undoFacts;
};

/// A count in the PTX of the kernels that must hold after a step, e.g.
/// {"ld.global.v4", 1, -1}; names as in Codegen's PTX facts, -1 is no bound.
struct MechanismFact {
  std::string name;
  int64_t min = 0, max = -1;
};

/// A named reversible rewrite. Parameters are a dictionary of plain attributes
/// (integers, arrays of integers, strings), already resolved: no knobs.
///
/// R1: undo(apply(s)) has the hash of s. `apply` and `undo` may leave the
/// module in any valid spelling; the driver normalizes after each.
class StepKind {
public:
  virtual ~StepKind();

  llvm::StringRef getName() const { return name; }
  llvm::StringRef getSummary() const { return summary; }
  /// Those given to the constructor, unless parameters decide.
  virtual Numerics getNumerics(mlir::DictionaryAttr params) const {
    return numerics;
  }

  /// Number and kinds of targets and the presence and ranges of parameters.
  /// Emits one error on the first target and fails if they do not fit.
  virtual mlir::LogicalResult verify(llvm::ArrayRef<mlir::Operation *> targets,
                                     mlir::DictionaryAttr params) const = 0;

  /// All legality conditions of this use. There is no other precondition: if
  /// every clause holds (or is guarded), `apply` succeeds.
  virtual void clauses(llvm::ArrayRef<mlir::Operation *> targets,
                       mlir::DictionaryAttr params, const StepContext &context,
                       llvm::SmallVectorImpl<ClauseResult> &results) const = 0;

  /// True if `apply` can put a run-time guard in the place of this clause.
  virtual bool canGuard(const ClauseResult &clause) const { return false; }

  /// The rewrite. `unknown` lists the clauses that must become a guard.
  virtual mlir::FailureOr<StepOutcome>
  apply(mlir::RewriterBase &rewriter, llvm::ArrayRef<mlir::Operation *> targets,
        mlir::DictionaryAttr params, const StepContext &context,
        llvm::ArrayRef<ClauseResult> unknown) const = 0;

  /// The inverse rewrite, from the after state alone. Emits one error at
  /// `locus` and fails if the operation is not of the form that `apply` makes.
  /// The returned targets are those that a repeated `apply` takes.
  virtual mlir::FailureOr<llvm::SmallVector<mlir::Operation *>>
  undo(mlir::RewriterBase &rewriter, mlir::Operation *locus,
       mlir::DictionaryAttr params, const StepContext &context) const = 0;

  /// What must appear in or vanish from the PTX.
  virtual llvm::SmallVector<MechanismFact>
  mechanism(mlir::DictionaryAttr params) const {
    return {};
  }

protected:
  /// `name` as in lineages ("tile_to_blocks"); `summary` is one line without a
  /// full stop. Both are literals.
  StepKind(llvm::StringLiteral name, llvm::StringLiteral summary,
           Numerics numerics = Numerics::bit_exact)
      : name(name), summary(summary), numerics(numerics) {}

private:
  llvm::StringRef name, summary;
  Numerics numerics;
};

/// The step kind of that name, or null. All kinds are built in: a closed set.
const StepKind *lookupStepKind(llvm::StringRef name);
llvm::ArrayRef<const StepKind *> allStepKinds();

/// One step done by `applyStep`: what a lineage records. Loci are positions in
/// the walk of the state before (targets) and after (undoLocus).
struct AppliedStep {
  std::string kind;
  llvm::SmallVector<int64_t> targets;
  mlir::DictionaryAttr params; ///< with undo facts
  int64_t undoLocus = -1;
  std::string before, after; ///< hashes
  Numerics numerics = Numerics::bit_exact;
  bool guarded = false;
  llvm::SmallVector<ClauseResult> clauses;
  llvm::SmallVector<StepHandle> handles; ///< valid until the next rewrite
};

/// Why a step was not done: an unfit use, or clauses that do not hold.
struct StepRefusal {
  std::string kind;
  std::string message; ///< one line; names the clause if one failed
  llvm::SmallVector<ClauseResult> clauses;
  /// The rewrite failed although all clauses held: a fault of the step kind.
  /// The state has its old text, but its operations are new ones.
  bool isFault = false;
};

/// Evaluates the clauses, rewrites, normalizes and hashes. `state` must be
/// normalized. On refusal the state is unchanged and `refusal` says why (see
/// StepRefusal::isFault for the one case in which operations are new); no
/// diagnostic is emitted by this function itself. `listener` hears of every
/// operation that is erased or replaced, so that callers can follow handles.
mlir::FailureOr<AppliedStep>
applyStep(mlir::ModuleOp state, const StepKind &kind,
          llvm::ArrayRef<mlir::Operation *> targets,
          mlir::DictionaryAttr params, const StepContext &context,
          StepRefusal &refusal,
          mlir::RewriterBase::Listener *listener = nullptr);

/// Undoes one recorded step in place and confirms it: the hash before must be
/// `step.after`, the hash afterwards `step.before`, and a repeated apply must
/// give `step.after` again. Emits one error and leaves `state` alone otherwise.
mlir::LogicalResult undoStep(mlir::ModuleOp state, const AppliedStep &step,
                             const StepContext &context);

} // namespace klineage

#endif // KLINEAGE_STEPS_STEPKIND_H
