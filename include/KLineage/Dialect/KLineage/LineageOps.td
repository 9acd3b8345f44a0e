//===- LineageOps.td - Lineage, state, transition, step, trial
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_DIALECT_LINEAGEOPS_TD
#define KLINEAGE_DIALECT_LINEAGEOPS_TD

include "KLineage/Dialect/KLineage/KLineageAttrs.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

def KLineage_LineageOp : KLineage_Op<"lineage", [
    IsolatedFromAbove, NoTerminator, NoRegionArguments, SingleBlock, Symbol,
    SymbolTable, RegionKindInterface]> {
  let summary = "Graph of kernel states and the transitions between them";
  let description = [{
    The first state is the reference: what the entry function means. Rules:

    * (L1) the body holds `klineage.state`, `klineage.transition` and
      `klineage.trial` operations, and at least one state;
    * (L2) transitions and trials name states of this lineage;
    * (L3) the transitions form a directed acyclic graph.

    ```mlir
    klineage.lineage @softmax target <"sm_90a"> {
      klineage.state @s0 sha256 "..." { module { ... } }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, KLineage_TargetAttr:$target,
                       OptionalAttr<DictionaryAttr>:$setup);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `target` $target (`setup` $setup^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    static ::mlir::RegionKind getRegionKind(unsigned) { return ::mlir::RegionKind::Graph; }
    /// The reference: state 0.
    StateOp getReference();
    StateOp lookupState(::llvm::StringRef name);
    /// The transition that made `state`, or null for a root.
    TransitionOp getTransitionTo(StateOp state);
    /// Leaf of the path that the last transition ended; the reference if none.
    StateOp getCurrent();
  }];
}

def KLineage_StateOp : KLineage_Op<"state", [
    HasParent<"LineageOp">, IsolatedFromAbove, NoTerminator, NoRegionArguments,
    SingleBlock, Symbol]> {
  let summary = "One kernel: a module with an entry function";
  let description = [{
    Rules:

    * (S1) the body is one `builtin.module`;
    * (S2) `sha256` has 64 lower-case hexadecimal digits.

    That the hash is the hash of the body is checked by the passes that read a
    lineage, with one diagnostic, not by the verifier: it costs a print.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$sha256,
                       OptionalAttr<StrArrayAttr>:$features);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `sha256` $sha256 (`features` $features^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::ModuleOp getModule();
  }];
}

def KLineage_TransitionOp : KLineage_Op<"transition", [
    HasParent<"LineageOp">, NoTerminator, NoRegionArguments, SingleBlock, Symbol]> {
  let summary = "Accepted way from one state to another";
  let description = [{
    Rules:

    * (T1) the verdict is `accepted`: everything else is a `klineage.trial`;
    * (T2) the body holds at least one `klineage.step`; their hashes form a chain
      from the hash of the state before to that of the state after;
    * (T3) the numerics are the composition of the numerics of the steps;
    * (T4) with a guarded step the certificate is `guarded` or `tested`.

    `evidence` is what the profile stage measured, if it ran.
    `reversible` is set only if every step was undone and redone with identical
    hashes when the transition was recorded.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$before, FlatSymbolRefAttr:$after,
    StrAttr:$skill, I64Attr:$anchor, DictionaryAttr:$knobs,
    KLineage_NumericsAttr:$numerics, KLineage_CertificateAttr:$certificate,
    KLineage_VerdictAttr:$verdict, UnitAttr:$reversible,
    OptionalAttr<KLineage_EvidenceAttr>:$evidence);
  let regions = (region SizedRegion<1>:$steps);
  let assemblyFormat = [{
    $sym_name $before `->` $after `by` $skill `at` $anchor `knobs` $knobs
    (`reversible` $reversible^)? `numerics` $numerics `certificate` $certificate
    `verdict` $verdict (`evidence` $evidence^)? attr-dict-with-keyword $steps
  }];
  let hasVerifier = 1;
}

def KLineage_StepOp : KLineage_Op<"step", [HasParent<"TransitionOp">]> {
  let summary = "One use of a step kind";
  let description = [{
    `targets` are positions in the state before (`klineage::locusOf`), `undo` is
    the position, in the state after, where the undo starts.

    * (P1) hashes have 64 lower-case hexadecimal digits;
    * (P2) positions are not negative;
    * (P3) no clause is refuted.
  }];
  let arguments = (ins
    StrAttr:$kind, DenseI64ArrayAttr:$targets, I64Attr:$undo, DictionaryAttr:$params,
    KLineage_NumericsAttr:$numerics, UnitAttr:$guarded,
    StrAttr:$before, StrAttr:$after,
    TypedArrayAttrBase<KLineage_ClauseAttr, "clauses">:$clauses);
  let assemblyFormat = [{
    $kind `on` $targets `undo` $undo $params (`guarded` $guarded^)? `numerics` $numerics
    `from` $before `to` $after `clauses` $clauses attr-dict
  }];
  let hasVerifier = 1;
}

def KLineage_TrialOp : KLineage_Op<"trial", [HasParent<"LineageOp">]> {
  let summary = "Refused or failed attempt: negative evidence";
  let description = [{
    Kept so that nothing is tried twice and a synthesizer learns from it.

    * (R1) the verdict is not `accepted`;
    * (R2) a refusal (`illegal`) names at least one clause or has a message.
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$before, StrAttr:$skill, I64Attr:$anchor, DictionaryAttr:$knobs,
    KLineage_VerdictAttr:$verdict,
    TypedArrayAttrBase<KLineage_ClauseAttr, "clauses">:$clauses);
  let assemblyFormat = [{
    $before `by` $skill `at` $anchor `knobs` $knobs `verdict` $verdict
    `clauses` $clauses attr-dict
  }];
  let hasVerifier = 1;
}

#endif // KLINEAGE_DIALECT_LINEAGEOPS_TD
