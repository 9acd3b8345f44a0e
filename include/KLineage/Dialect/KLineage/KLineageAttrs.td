//===- KLineageAttrs.td - Verdicts, certificates, clauses, targets, evidence
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_DIALECT_ATTRS_TD
#define KLINEAGE_DIALECT_ATTRS_TD

include "KLineage/Dialect/KLineage/KLineageBase.td"
include "KLineage/Support/Enums.td"
include "mlir/IR/AttrTypeBase.td"

class KLineage_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<KLineage_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def KLineage_NumericsAttr
    : EnumAttr<KLineage_Dialect, KLineage_NumericsEnum, "numerics"> {
  let summary = "What a step may do to the bits of a result";
  let description = [{
    Ordered `bit_exact` < `reassociating` < `precision_changing` <
    `approximate`. Along a lineage the strongest one counts, and from it the
    gate derives its tolerance.

    ```mlir
    #klineage.numerics<reassociating>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def KLineage_TargetAttr : KLineage_Attr<"Target", "target"> {
  let summary = "Chip that a lineage was made for";
  let description = [{
    Names a row of the table of chips; limits and features are data of that
    table (`klineage::lookupTarget`), not part of the attribute.

    ```mlir
    #klineage.target<"sm_90a">
    ```
  }];
  let parameters = (ins StringRefParameter<"name as ptxas takes it">:$chip);
  let assemblyFormat = "`<` $chip `>`";
  let genVerifyDecl = 1;
}

def KLineage_VerdictAttr : KLineage_Attr<"Verdict", "verdict"> {
  let summary = "Graded answer of the gate";
  let description = [{
    The kind, the stage that decided (`compile`, `clauses`, `correctness`,
    `profile`, `harness`), one line of text, and what was measured: errors and
    tolerance, resources, counts, times, the sizes and executors it holds for.

    ```mlir
    #klineage.verdict<accepted, "correctness", "all 7 runs agree", {cases = 3 : i64}>
    ```
  }];
  let parameters = (ins
    "::klineage::VerdictKind":$kind,
    StringRefParameter<"stage that decided">:$stage,
    StringRefParameter<"one line">:$message,
    "::mlir::DictionaryAttr":$details);
  let assemblyFormat = "`<` $kind `,` $stage `,` $message `,` $details `>`";
}

def KLineage_CertificateAttr : KLineage_Attr<"Certificate", "certificate"> {
  let summary = "How a transition was justified, and on which domain";
  let description = [{
    `equivalent` > `proved` > `guarded` > `tested`, with the domain it holds
    on: launch facts that clauses assumed, and sizes that were run.

    ```mlir
    #klineage.certificate<guarded, ["entry buffers are 16-byte aligned"]>
    ```
  }];
  let parameters = (ins
    "::klineage::CertificateLevel":$level,
    "::mlir::ArrayAttr":$domain);
  let assemblyFormat = "`<` $level `,` $domain `>`";
}

def KLineage_ClauseAttr : KLineage_Attr<"Clause", "clause"> {
  let summary = "One evaluated legality condition with its evidence";
  let description = [{
    Name and class of the clause, its three-valued result, what was expected
    and found, the nearest legal value if one is known, the engine that
    decided, and the launch facts it assumed.

    ```mlir
    #klineage.clause<"divisible", layout, refuted, expected "extent of loop 1 divisible by 128",
                     found "1000", nearest "125", by "folding", assuming []>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"closed set, snake_case">:$name,
    "::klineage::ClauseClass":$clauseClass,
    "::klineage::Truth":$truth,
    StringRefParameter<"condition">:$expected,
    StringRefParameter<"fact or witness">:$found,
    StringRefParameter<"nearest legal value, or empty">:$nearest,
    StringRefParameter<"engine">:$engine,
    "::mlir::ArrayAttr":$assumptions);
  let assemblyFormat = [{
    `<` $name `,` $clauseClass `,` $truth `,` `expected` $expected `,` `found` $found `,`
    `nearest` $nearest `,` `by` $engine `,` `assuming` $assumptions `>`
  }];
}

def KLineage_EvidenceAttr : KLineage_Attr<"Evidence", "evidence"> {
  let summary = "One measurement of a skill on one chip";
  let description = [{
    Written by a tool, never by hand: kernel and shape, time before and after in
    microseconds (0 when no GPU was there), toolchain, certificate.

    ```mlir
    #klineage.evidence<"sm_90a", "softmax 8192x4096xf32", before 812.0, after 69.0,
                       "driver 580.159", tested>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"chip">:$chip,
    StringRefParameter<"kernel and shape">:$subject,
    "::mlir::FloatAttr":$before,
    "::mlir::FloatAttr":$after,
    StringRefParameter<"driver, ptxas, LLVM">:$toolchain,
    "::klineage::CertificateLevel":$certificate);
  let assemblyFormat = [{
    `<` $chip `,` $subject `,` `before` $before `,` `after` $after `,` $toolchain `,` $certificate `>`
  }];
}

#endif // KLINEAGE_DIALECT_ATTRS_TD
