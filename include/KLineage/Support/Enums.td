//===- Enums.td - The closed sets of words that the project shares --------===//
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_SUPPORT_ENUMS_TD
#define KLINEAGE_SUPPORT_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class KLineage_Enum<string name, string summary, list<EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::klineage";
}

class KLineage_Case<string sym, int value> : I32EnumCase<sym, value, sym>;

/// Ordered from the mildest change to the strongest: composing steps takes the maximum.
def KLineage_NumericsEnum : KLineage_Enum<"Numerics", "what a step may do to the bits of a result", [
  KLineage_Case<"bit_exact", 0>, KLineage_Case<"reassociating", 1>,
  KLineage_Case<"precision_changing", 2>, KLineage_Case<"approximate", 3>]>;

/// Ordered from the weakest to the strongest: composing transitions takes the minimum.
def KLineage_CertificateEnum : KLineage_Enum<"CertificateLevel", "how a transition was justified", [
  KLineage_Case<"tested", 0>, KLineage_Case<"guarded", 1>,
  KLineage_Case<"proved", 2>, KLineage_Case<"equivalent", 3>]>;

/// Never merged: only `accepted` lets a candidate pass.
def KLineage_VerdictEnum : KLineage_Enum<"VerdictKind", "the graded answer of the gate", [
  KLineage_Case<"accepted", 0>, KLineage_Case<"illegal", 1>, KLineage_Case<"compile_error", 2>,
  KLineage_Case<"wrong", 3>, KLineage_Case<"unsafe", 4>, KLineage_Case<"slower", 5>,
  KLineage_Case<"unsupported", 6>, KLineage_Case<"timeout", 7>, KLineage_Case<"harness_error", 8>]>;

def KLineage_TruthEnum : KLineage_Enum<"Truth", "three-valued answer of a clause", [
  KLineage_Case<"proved", 0>, KLineage_Case<"refuted", 1>, KLineage_Case<"unknown", 2>]>;

def KLineage_ClauseClassEnum : KLineage_Enum<"ClauseClass", "what a legality condition is about", [
  KLineage_Case<"types", 0>, KLineage_Case<"layout", 1>, KLineage_Case<"storage", 2>,
  KLineage_Case<"pipeline", 3>, KLineage_Case<"hardware", 4>]>;

#endif // KLINEAGE_SUPPORT_ENUMS_TD
