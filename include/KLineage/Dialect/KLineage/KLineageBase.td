//===- KLineageBase.td - The dialect
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_DIALECT_BASE_TD
#define KLINEAGE_DIALECT_BASE_TD

include "mlir/IR/OpBase.td"

def KLineage_Dialect : Dialect {
  let name = "klineage";
  let cppNamespace = "::klineage";
  let summary = "Lineages of GPU kernels and the skills that connect them";
  let description = [{
    A *lineage* is a graph of kernel *states*; a *transition* leads from one
    state to the next by a *skill*, a list of reversible *steps*. Each step
    carries the legality conditions (*clauses*) that held, each transition the
    *verdict* of the gate. Failed trials stay in the lineage as negative
    evidence.

    The words are those of `docs/glossary.md`; the rules that the verifiers
    enforce carry the labels of `docs/spec.md`.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

class KLineage_Op<string mnemonic, list<Trait> traits = []>
    : Op<KLineage_Dialect, mnemonic, traits>;

#endif // KLINEAGE_DIALECT_BASE_TD
