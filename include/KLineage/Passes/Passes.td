//===- Passes.td - Passes, alphabetical
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_PASSES_PASSES_TD
#define KLINEAGE_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

def ImportPass : Pass<"klineage-import", "::mlir::ModuleOp"> {
  let summary = "Turn a frontend module into a state";
  let description = [{
    What `klineage-apply` does first: tensors are bufferized once (results
    become out-parameters after the arguments), named linalg operations become
    `linalg.generic`, the launch contract is stamped on the entry's arguments,
    and the module is brought to its canonical spelling.

    ```mlir
    func.func @copy(%x: tensor<?xf32>) -> tensor<?xf32>
    // becomes
    func.func @copy(%x: memref<?xf32> {llvm.align = 16 : i64},
                    %out: memref<?xf32> {llvm.align = 16 : i64, llvm.noalias})
    ```
  }];
  let options = [
    Option<"align", "align", "int64_t", "16",
           "Bytes that entry buffers are aligned to; the launch checks it">,
    Option<"noAlias", "noalias", "bool", "true",
           "Promise that written entry buffers overlap no other; the launch checks it">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

#endif // KLINEAGE_PASSES_PASSES_TD
