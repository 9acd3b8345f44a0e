// A predicate on an operation of the hardware is an operand that translation to
// LLVM IR would drop: the instruction must stay conditional.
// RUN: klineage-opt %s --klineage-emit="format=ptx chip=sm_90a" | FileCheck %s

// CHECK-LABEL: .entry init
// CHECK: setp
// CHECK: @%p{{[0-9]+}} mbarrier.init
module attributes {gpu.container_module} {
  func.func @entry(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@init blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @init(%x: memref<64xf32>) workgroup(%s : memref<1xi64, #gpu.address_space<workgroup>>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>} {
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %count = arith.constant 64 : i32
      %first = arith.cmpi eq, %t, %c0 : index
      %i = memref.extract_aligned_pointer_as_index %s : memref<1xi64, #gpu.address_space<workgroup>> -> index
      %n = arith.index_cast %i : index to i64
      %p = llvm.inttoptr %n : i64 to !llvm.ptr<3>
      nvvm.mbarrier.init %p, %count, predicate = %first : !llvm.ptr<3>, i32, i1
      gpu.return
    }
  }
}
