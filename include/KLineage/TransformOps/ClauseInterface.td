//===- ClauseInterface.td - What every legality condition can do -------------===//
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_TRANSFORMOPS_CLAUSEINTERFACE_TD
#define KLINEAGE_TRANSFORMOPS_CLAUSEINTERFACE_TD

include "mlir/IR/OpBase.td"

def KLineage_ClauseOpInterface : OpInterface<"ClauseOpInterface"> {
  let cppNamespace = "::klineage";
  let description = [{
    A legality condition about one payload operation. `evaluate` gets the
    parameters with knobs resolved and gives a three-valued result with
    evidence; nothing else decides legality.
  }];
  let methods = [
    InterfaceMethod<"Evaluates the clause on one payload operation",
      "::klineage::ClauseResult", "evaluate",
      (ins "::mlir::Operation *":$payload, "::mlir::DictionaryAttr":$params,
           "const ::klineage::StepContext &":$context)>
  ];
}

#endif // KLINEAGE_TRANSFORMOPS_CLAUSEINTERFACE_TD
