// RUN: klineage-opt %s --klineage-import | FileCheck %s
// RUN: klineage-opt %s --klineage-import -o %t && klineage-opt %t --test-klineage-gate=reference=%t 2>&1 >/dev/null | FileCheck %s --check-prefix=GATE
// RUN: sed 's/\["n"\]/["n", "m"]/' %s | klineage-opt --klineage-import -o %t.loose && klineage-opt %t.loose --test-klineage-gate=reference=%t.loose 2>&1 >/dev/null | FileCheck %s --check-prefix=LOOSE

// A buffer is written where its address is, and only read where that is read.
// CHECK: func.func @entry(%{{[^:]*}}: memref<?xi32> {klineage.extents = ["n"], llvm.align = 16 : i64},
// CHECK-SAME: memref<?xi32> {klineage.extents = ["n"], llvm.align = 16 : i64, llvm.noalias})

// Extents of one name are equal in every case that the gate makes. Names that
// do not match the rank tie nothing, and then the buffers differ in size.
// GATE: verdict: accepted (correctness): all {{[0-9]+}} runs agree
// LOOSE: verdict: {{harness_error|unsafe}}
module attributes {gpu.container_module} {
  func.func @entry(%x: memref<?xi32> {klineage.extents = ["n"]},
                   %y: memref<?xi32> {klineage.extents = ["n"]}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %n = memref.dim %x, %c0 : memref<?xi32>
    %blocks = arith.ceildivsi %n, %c32 : index
    gpu.launch_func @kernels::@k blocks in (%blocks, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%x : memref<?xi32>, %y : memref<?xi32>)
    return
  }
  gpu.module @kernels {
    gpu.func @k(%x: memref<?xi32>, %y: memref<?xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %d = gpu.block_dim x
      %first = arith.muli %b, %d : index
      %i = arith.addi %first, %t : index
      %n = memref.dim %x, %c0 : memref<?xi32>
      %inside = arith.cmpi slt, %i, %n : index
      scf.if %inside {
        %offset = arith.muli %i, %c4 : index
        %ax = memref.extract_aligned_pointer_as_index %x : memref<?xi32> -> index
        %ay = memref.extract_aligned_pointer_as_index %y : memref<?xi32> -> index
        %fx = arith.addi %ax, %offset : index
        %fy = arith.addi %ay, %offset : index
        %nx = arith.index_cast %fx : index to i64
        %ny = arith.index_cast %fy : index to i64
        %px = llvm.inttoptr %nx : i64 to !llvm.ptr
        %py = llvm.inttoptr %ny : i64 to !llvm.ptr
        %v = llvm.load volatile %px : !llvm.ptr -> i32
        llvm.store volatile %v, %py : i32, !llvm.ptr
      }
      gpu.return
    }
  }
}
