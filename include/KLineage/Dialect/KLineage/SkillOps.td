//===- SkillOps.td - Skills, knobs and constraints
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_DIALECT_SKILLOPS_TD
#define KLINEAGE_DIALECT_SKILLOPS_TD

include "KLineage/Dialect/KLineage/KLineageAttrs.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

def KLineage_SkillOp : KLineage_Op<"skill", [
    IsolatedFromAbove, NoTerminator, NoRegionArguments, SingleBlock, Symbol,
    SymbolTable]> {
  let summary = "Reusable optimization with machine-checked conditions";
  let description = [{
    The body holds knobs, constraints over them, and three
    `transform.named_sequence`s:

    * `@anchor(%op) -> ()` succeeds on operations that the skill is about;
    * `@requires(%op)` (optional) holds clauses beyond those of the steps;
    * `@steps(%state, %op)` applies step kinds.

    Rules:

    * (K1) `@anchor` takes one handle and `@steps` two;
    * (K2) all knob references in the body name knobs of the skill;
    * (K3) constraints mention knobs, target limits and anchor facts only.

    `provides`, `needs` and `conflicts` are features of states: a skill applies
    only to a state that has all of `needs` and none of `conflicts`.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, StrAttr:$summary,
    StrArrayAttr:$provides, StrArrayAttr:$needs, StrArrayAttr:$conflicts,
    KLineage_NumericsAttr:$numerics, StrAttr:$effect, StrAttr:$risk, StrAttr:$scope,
    OptionalAttr<TypedArrayAttrBase<KLineage_EvidenceAttr, "measurements">>:$evidence);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def KLineage_KnobOp : KLineage_Op<"knob", [HasParent<"SkillOp">, Symbol]> {
  let summary = "Parameter of a skill with its domain";
  let description = [{
    Values are listed from the most to the least preferred.

    * (K4) the domain is not empty and lists no value twice.

    ```mlir
    klineage.knob @bm in [128, 64, 32]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, DenseI64ArrayAttr:$domain);
  let assemblyFormat = "$sym_name `in` $domain attr-dict";
  let hasVerifier = 1;
}

def KLineage_ConstraintOp : KLineage_Op<"constraint", [HasParent<"SkillOp">]> {
  let summary = "Inequality that legal knob settings satisfy";
  let description = [{
    Integer arithmetic (`+ - * / %`, parentheses, `min(a, b)`, `max(a, b)`) over
    knobs and facts, compared by `<= < >= > == !=`. Facts are the limits of the
    target (`shared_bytes`, `threads`, `registers`) and of the anchor: `extent0`,
    `extent1`, ... of its loops from outside, `inner0`, `inner1`, ... from inside
    (-1 when dynamic), `bytes`, the size of its widest element, and `io_bytes`,
    that of the narrowest element of the entry's buffers. A setting that breaks it is explained with both sides.

    ```mlir
    klineage.constraint "(bm + bn) * bk * bytes <= shared_bytes"
    ```
  }];
  let arguments = (ins StrAttr:$condition);
  let assemblyFormat = "$condition attr-dict";
  let hasVerifier = 1;
}

#endif // KLINEAGE_DIALECT_SKILLOPS_TD
