//===- Passes.td - Passes, alphabetical
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_PASSES_PASSES_TD
#define KLINEAGE_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

def ApplyPass : Pass<"klineage-apply", "::mlir::ModuleOp"> {
  let summary = "Apply skills to a kernel, under the gate";
  let description = [{
    Takes a frontend module, or a lineage to go on with. In each round the first
    legal setting of every skill at every anchor is applied to a copy, and the
    gate judges them in the order of their estimated memory traffic until one is
    accepted: a transition. Everything else is a trial. What the lineage has
    tried already is not tried again. Stops when nothing fits, the budget of gate
    judgements is spent, or at SIGINT.

    With `checkpoint`, the lineage is written after each judgement, whole or not
    at all; apply the same pass to that file to go on after a killed run.

    ```
    klineage-opt k.mlir --klineage-apply="skills=skills chip=sm_90a budget=10" -o lineage.mlir
    ```
  }];
  let options = [
    Option<"skills", "skills", "std::string", "\"skills\"", "Folder of skills, or of one skill">,
    Option<"chip", "chip", "std::string", "\"\"",
           "Target chip, if the module is no lineage (default sm_90a)">,
    Option<"budget", "budget", "int64_t", "10", "Gate judgements at the most">,
    Option<"guards", "guards", "bool", "true", "Guard unknown clauses; false refuses">,
    Option<"executor", "executor", "std::string", "\"auto\"",
           "simt: the CPU; cuda: a GPU, too; auto: a GPU, too, if there is one">,
    Option<"profile", "profile", "bool", "true",
           "On a GPU, measure and refuse what is slower than the state before">,
    Option<"settings", "settings", "int64_t", "4",
           "On a GPU: accepted knob settings to compare before the fastest is taken">,
    Option<"checkpoint", "checkpoint", "std::string", "\"\"",
           "File that has the lineage after each judgement">,
    Option<"progress", "progress", "bool", "false",
           "A line on stderr for each judgement, also when it is no terminal">,
    Option<"timeout", "timeout", "double", "120.0", "Seconds for one judgement">,
    Option<"memory", "memory", "int64_t", "0",
           "MiB for one judgement, 64 at least; 0: three quarters of the machine's">,
    Option<"nan", "nan", "bool", "false", "Judge with NaN among the inputs, too">,
  ];
  let dependentDialects = [
    "::klineage::KLineageDialect", "::mlir::affine::AffineDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::vector::VectorDialect"];
}

def DecomposePass : Pass<"klineage-decompose", "::mlir::ModuleOp"> {
  let summary = "Walk an expert kernel backward to a naive one";
  let description = [{
    The input is a state, or a lineage one of whose states is the expert. It is
    replaced by a lineage that begins with the expert and leads to simpler
    states (docs/decompose.md): each undo is tried in order, each candidate is
    judged by the gate against the state before it and compared by block
    summaries, and what is refused is kept as a `klineage.trial`.
    `klineage.ended` says why the walk stopped; a walk that does not reach a
    naive state is a warning.

    ```
    klineage-opt expert.mlir --klineage-decompose -o lineage.mlir
    ```
  }];
  let options = [
    Option<"state", "state", "std::string", "\"last\"",
           "State of a lineage: a name, first or last">,
    Option<"chip", "chip", "std::string", "\"\"",
           "Chip, if the module is no lineage (default sm_90a)">,
    Option<"budget", "budget", "int64_t", "40", "Gate judgements at the most">,
    Option<"executor", "executor", "std::string", "\"auto\"",
           "simt (CPU), cuda (GPU, too) or auto (a GPU where there is one)">,
    Option<"progress", "progress", "bool", "false", "A line for each undo">,
    Option<"timeout", "timeout", "double", "120.0", "Seconds for one judgement">,
    Option<"memory", "memory", "int64_t", "0",
           "MiB that one judgement may take (0: three quarters of the machine)">,
  ];
  let dependentDialects = [
    "::klineage::KLineageDialect", "::mlir::affine::AffineDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::vector::VectorDialect"];
}

def DiffPass : Pass<"klineage-diff", "::mlir::ModuleOp"> {
  let summary = "Show what changed between two states";
  let description = [{
    A unified diff of the canonical text of two states: of one lineage, or, using
    `with`, of this module and another file. Each may be a lineage or a state
    itself. `form=kernels` compares the gpu.func kernels and host code that the
    states are lowered to. Equal states give the two header lines only.

    ```
    klineage-opt lineage.mlir --klineage-diff="from=s0 to=s1"
    ```
  }];
  let options = [
    Option<"from", "from", "std::string", "\"first\"",
           "State before: a name, first or last">,
    Option<"to", "to", "std::string", "\"last\"",
           "State after: a name, first or last">,
    Option<"with", "with", "std::string", "\"\"", "File that has the state after">,
    Option<"form", "form", "std::string", "\"state\"", "state or kernels">,
    Option<"context", "context", "unsigned", "3", "Equal lines around a change">,
    Option<"chip", "chip", "std::string", "\"\"",
           "Chip, if a module is no lineage (default sm_90a)">,
  ];
  let dependentDialects = [
    "::klineage::KLineageDialect", "::mlir::affine::AffineDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::vector::VectorDialect"];
}

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
    "::mlir::nvgpu::NVGPUDialect", "::mlir::vector::VectorDialect"];
}

def EquivalentPass : Pass<"klineage-equivalent", "::mlir::ModuleOp"> {
  let summary = "Tell whether two states compute the same";
  let description = [{
    Compares two states of a lineage, or, using `with`, a state of this module
    with one of another file, element by element (docs/block-summary.md). The
    output is one line for each case of the sizes: `equal` with the level, or
    `unknown` with the reason. Levels: `exact` (bit for bit), `contracted` (but
    for products that become one with a sum), `reassociated` (but for the order of sums and
    maxima). Two states are equal only if bounds, barriers and races of both are
    proved, too.

    What is not equal is run: both states, on the simt executor, over the inputs
    that the gate uses. If they differ by more than the order of sums explains,
    the output is one line `different`, with the first element that differs, and
    the input. The summaries alone never say that.

    ```
    klineage-opt lineage.mlir --klineage-equivalent="from=first to=last"
    ```
  }];
  let options = [
    Option<"from", "from", "std::string", "\"first\"",
           "State that is the reference: a name, first or last">,
    Option<"to", "to", "std::string", "\"last\"",
           "State that is compared: a name, first or last">,
    Option<"with", "with", "std::string", "\"\"", "File that has the compared state">,
    Option<"chip", "chip", "std::string", "\"\"",
           "Chip, if a module is no lineage (default sm_90a)">,
    Option<"execute", "execute", "bool", "true",
           "Run what is not equal, to find a difference">,
    Option<"check", "check", "bool", "false",
           "Run what is equal, too; a difference is an error">,
    Option<"timeout", "timeout", "double", "60", "Seconds for all runs">,
    Option<"seed", "seed", "uint64_t", "1", "Of the inputs">,
  ];
  let dependentDialects = [
    "::klineage::KLineageDialect", "::mlir::affine::AffineDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::vector::VectorDialect"];
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

def ProvePass : Pass<"klineage-prove", "::mlir::ModuleOp"> {
  let summary = "Evaluate the kernel clauses of a state";
  let description = [{
    Works on a lineage (`state` names one of its states) or on a module that is
    a state itself. Builds the kernels of a copy and evaluates bounds, alignment,
    uniform barriers, races and launch limits on them (docs/kernel-model.md).
    One line a clause replaces the module in the output: proved, refuted with a
    witness, or unknown with what is missing.

    ```
    klineage-opt lineage.mlir --klineage-prove="state=last"
    ```
  }];
  let options = [
    Option<"state", "state", "std::string", "\"last\"",
           "State of the lineage: a name, first or last">,
    Option<"chip", "chip", "std::string", "\"\"",
           "Chip, if the module is no lineage (default sm_90a)">,
  ];
  let dependentDialects = [
    "::klineage::KLineageDialect", "::mlir::affine::AffineDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::vector::VectorDialect"];
}

def ReplayPass : Pass<"klineage-replay", "::mlir::ModuleOp"> {
  let summary = "Replay the steps of a lineage";
  let description = [{
    Without `on`, replays every step from the reference and compares each hash
    with the recorded one. With `on`, applies the same steps to another kernel of
    the same structure, lets the gate judge the result, and outputs its lineage.
  }];
  let options = [
    Option<"on", "on", "std::string", "\"\"", "File with another kernel">,
    Option<"executor", "executor", "std::string", "\"auto\"",
           "simt: the CPU; cuda: a GPU, too; auto: a GPU, too, if there is one">,
    Option<"profile", "profile", "bool", "true",
           "On a GPU, measure and refuse what is slower than the state before">,
    Option<"timeout", "timeout", "double", "120.0", "Seconds for one judgement">,
    Option<"memory", "memory", "int64_t", "0",
           "MiB for one judgement, 64 at least; 0: three quarters of the machine's">,
    Option<"nan", "nan", "bool", "false", "Judge with NaN among the inputs, too">,
  ];
  let dependentDialects = [
    "::klineage::KLineageDialect", "::mlir::affine::AffineDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::vector::VectorDialect"];
}

def ReportPass : Pass<"klineage-report", "::mlir::ModuleOp"> {
  let summary = "Print states, transitions, clauses and verdicts";
  let description = [{
    The text replaces the module in the output of klineage-opt. `format=json` is
    for programs: the same facts as one object (docs/lineage.md).
  }];
  let options = [
    Option<"format", "format", "std::string", "\"text\"", "text or json">,
  ];
  let dependentDialects = ["::klineage::KLineageDialect"];
}

def SummarizePass : Pass<"klineage-summarize", "::mlir::ModuleOp"> {
  let summary = "Print what a state computes, one expression for each output";
  let description = [{
    Works on a lineage (`state` names one of its states) or on a module that is
    a state itself. Builds the kernels of a copy, runs one block of each in lock
    step on symbols, and puts the launches of the host together
    (docs/block-summary.md). The output is one expression for each buffer that
    the state writes, over the coordinates i0, i1, ... of its elements; what
    schedule computes them does not show. A state that is not understood is an
    error at the place and with the reason.

    ```
    klineage-opt lineage.mlir --klineage-summarize="state=last"
    ```
  }];
  let options = [
    Option<"state", "state", "std::string", "\"last\"",
           "State of the lineage: a name, first or last">,
    Option<"chip", "chip", "std::string", "\"\"",
           "Chip, if the module is no lineage (default sm_90a)">,
    Option<"level", "level", "std::string", "\"exact\"",
           "exact; contracted: fma is a product and a sum; reassociated: sums and "
           "maxima in any order, too">,
    Option<"limit", "limit", "unsigned", "4000",
           "Characters of an expression at the most">,
  ];
  let dependentDialects = [
    "::klineage::KLineageDialect", "::mlir::affine::AffineDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::vector::VectorDialect"];
}

def UndoPass : Pass<"klineage-undo", "::mlir::ModuleOp"> {
  let summary = "Take the last transition back";
  let description = [{
    Undoes its steps by rewriting, confirms every hash, and removes the
    transition and the state it led to.
  }];
  let dependentDialects = [
    "::klineage::KLineageDialect", "::mlir::affine::AffineDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::vector::VectorDialect"];
}

#endif // KLINEAGE_PASSES_PASSES_TD
