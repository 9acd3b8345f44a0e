//===- Passes.td - Passes that lift kernels, in the order of the pipeline
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIFT_PASSES_TD
#define KLINEAGE_LIFT_PASSES_TD

include "mlir/Pass/PassBase.td"

def LiftFuncPass : Pass<"klineage-lift-func", "::mlir::ModuleOp"> {
  let summary = "Kernels of an imported LLVM module become gpu.func";
  let description = [{
    Each `llvm.func ptx_kernelcc` becomes a `gpu.func kernel` in one
    `gpu.module`; globals and declarations move along. Branches become `cf`
    branches; pointers stay pointers. `__launch_bounds__` becomes `nvvm.maxntid`,
    `nvvm.minctasm` or `nvvm.maxnreg`; parameter attributes are kept. A module
    that flushes denormals, and a kernel that takes a structure by value, are
    refused.

    With `launch`, the launch description in that JSON file is stamped on the
    kernel that it names (docs/lifting.md).
  }];
  let options = [
    Option<"launch", "launch", "std::string", "\"\"", "JSON file with a launch description">,
    Option<"command", "command", "std::string", "\"\"", "Command line to record in the module">,
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def LiftArithPass : Pass<"klineage-lift-arith", "::mlir::gpu::GPUModuleOp"> {
  let summary = "LLVM arithmetic becomes arith, math and vector";
  let description = [{
    Operations on integers, floats and vectors, with their flags. Calls of
    `__nv_` functions become `math`. What has no equal counterpart stays:
    `undef`, `freeze`, aggregates. Promises that nothing reads (`assume`,
    lifetimes, `exact`) are dropped.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
}

def LiftNvvmPass : Pass<"klineage-lift-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Special registers, barriers and shuffles become gpu operations";
  let description = [{
    A shuffle becomes `gpu.shuffle` only where its lowering is the same
    instruction (full mask, width 32); others become `nvvm.shfl.sync`.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::arith::ArithDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def LiftAsmPass : Pass<"klineage-lift-asm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Inline PTX becomes nvvm operations";
  let description = [{
    By the table of `lib/Ptx`, which the simt executor uses, too: the
    instruction, the order of operands in the text and the constraint letters
    must all match. What has no operation that says exactly the same (cache
    policies, guards) and other text is kept and named.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

def LiftMemoryPass : Pass<"klineage-lift-memory", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Pointers become memrefs";
  let description = [{
    All or nothing for each base (parameter, shared variable, private array):
    each use must be a plain access at a multiple of the element size from that
    base. A pointer carried by a loop becomes an offset. Volatile accesses,
    pointers that escape, and pointers into two objects keep the base as it is,
    with a remark at the use that is to blame.

    A relaxed atomic becomes `memref.atomic_rmw`, whose lowering orders more.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::vector::VectorDialect"];
}

def LiftStructurePass : Pass<"klineage-lift-structure", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Branches become scf.if and scf.while";
  let description = [{
    Upstream's `ControlFlowToSCFTransformation` over each kernel: one exit, a
    `scf.while` for each loop. A region that it cannot bring to this form is an
    error at the kernel. Kernels that `klineage-lift-func` could not convert stay.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                           "::mlir::ub::UBDialect"];
}

def LiftDelinearizePass : Pass<"klineage-lift-delinearize", "::mlir::ModuleOp"> {
  let summary = "Flat views of matrices become two-dimensional";
  let description = [{
    A buffer that the launch description gives two extents is a matrix if each
    access to it is `row * columns + column` with a column that is proved to be
    at least zero (made of ids, loop counters and their sums) and below
    `columns` (a loop's bound, a branch around the access), and if no sum can wrap.
    Otherwise it keeps one dimension, and the access is named: a memref whose
    indices are not in bounds would promise what is not so.

    ```
    %i = arith.muli %row, %cols : index
    %j = arith.addi %i, %col : index
    %v = memref.load %flat[%j] : memref<?xf32, strided<[1]>>
    ==>
    %v = memref.load %matrix[%row, %col] : memref<?x?xf32, strided<[?, 1]>>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LiftForPass : Pass<"klineage-lift-for", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Counting loops become scf.for";
  let description = [{
    The step must be known to be positive, and the counter must not wrap: by a
    flag or a step of one. With `assume-no-wrap` both are assumed where they are
    not known, and the kernel says so: `klineage.assumed = ["loop-no-wrap"]`.
  }];
  let options = [Option<"assumeNoWrap", "assume-no-wrap", "bool", "false",
                        "Assume what is not known, and stamp it">];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

def LiftIndexPass : Pass<"klineage-lift-index", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Address arithmetic moves from i32 and i64 to index";
  let description = [{
    An operation moves only if it cannot wrap by its flags; with
    `assume-no-wrap` others move, too, and the kernel is stamped with
    `klineage.assumed = ["index-no-wrap"]`.
  }];
  let options = [Option<"assumeNoWrap", "assume-no-wrap", "bool", "false",
                        "Assume what is not known, and stamp it">];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

def LiftLaunchPass : Pass<"klineage-lift-launch", "::mlir::ModuleOp"> {
  let summary = "A lifted kernel with a launch description becomes a state";
  let description = [{
    Makes the entry function, whose arguments are the buffers and what scalars
    their extents do not give. The kernel takes bare pointers and scalars in the
    order of the original's parameters.
  }];
  let options = [Option<"fix", "fix", "std::string", "\"\"",
                        "Extents to make constant: \"m=64,n=32\"">];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}

def LiftVerifyPass : Pass<"klineage-lift-verify", "::mlir::ModuleOp"> {
  let summary = "Count what stayed in the llvm dialect";
  let description = [{
    The number of llvm operations in the module's kernels is written to
    `klineage.lift.llvm_left`. With `strict`, each is an error at its place.
  }];
  let options = [Option<"strict", "strict", "bool", "false",
                        "Fail if an llvm operation is left">];
}

def CheckLiftPass : Pass<"klineage-check-lift", "::mlir::ModuleOp"> {
  let summary = "Run a lifted state against the LLVM IR it came from";
  let description = [{
    Both run in the simt executor, with the sizes of the launch description, in
    three thread orders, checked. Products and sums are not fused on either side,
    so that all bytes of all buffers must be equal. With `mutate`, faults are then
    planted in the lifted state, and the share that was caught is printed.

    ```
    klineage-opt state.mlir --klineage-check-lift="original=kernel.ll mutate"
    ```
  }];
  let options = [
    Option<"original", "original", "std::string", "\"\"", "LLVM IR of the original">,
    Option<"chip", "chip", "std::string", "\"sm_90a\"", "Target chip">,
    Option<"mutate", "mutate", "bool", "false", "Plant faults and count what is caught">,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // KLINEAGE_LIFT_PASSES_TD
