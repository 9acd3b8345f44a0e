//===- Passes.td - Passes, alphabetical
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_PASSES_PASSES_TD
#define KLINEAGE_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitPass : Pass<"klineage-emit", "::mlir::ModuleOp"> {
  let summary = "Emit a state as MLIR, kernels, LLVM IR, PTX, cubin or launch facts";
  let description = [{
    Works on a lineage (`state` names one of its states) or on a module that is
    a state itself. Formats: `mlir` (the state), `kernels` (gpu.func kernels and
    host code), `llvm` (device LLVM IR, optimized), `ptx`, `cubin` (needs ptxas
    and `to`), `launch` (JSON: parameters, block size, shared memory),
    `resources` (JSON: registers and spills by ptxas). The text replaces the
    module in the output of klineage-opt; `to` writes it to a file instead.

    ```
    klineage-opt lineage.mlir --klineage-emit="state=last format=ptx"
    ```
  }];
  let options = [
    Option<"state", "state", "std::string", "\"last\"",
           "State of the lineage: a name, first or last">,
    Option<"format", "format", "std::string", "\"ptx\"",
           "mlir, kernels, llvm, ptx, cubin, launch or resources">,
    Option<"to", "to", "std::string", "\"\"", "File to write instead of the output">,
    Option<"chip", "chip", "std::string", "\"\"",
           "Chip, if the module is no lineage (default sm_90a)">,
  ];
  let dependentDialects = [
    "::klineage::KLineageDialect", "::mlir::affine::AffineDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

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
