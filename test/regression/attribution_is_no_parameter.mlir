// Attributions are arguments of a kernel's block and none of its function:
// asking for their attributes read behind the list. What is written to one says
// nothing about a parameter that is promised not to overlap, which stays
// read-only.
// RUN: klineage-opt %s --klineage-emit="format=ptx" | FileCheck %s

// CHECK-LABEL: .entry k(
// CHECK: ld.global.nc.b32
// CHECK: st.shared.b32
// CHECK: st.global.b32
#ws = #gpu.address_space<workgroup>
#private = #gpu.address_space<private>
module attributes {gpu.container_module} {
  func.func @entry(%x: memref<64xf32> {llvm.noalias}, %y: memref<64xf32> {llvm.noalias}) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<64xf32>, %y : memref<64xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @k(%x: memref<64xf32> {llvm.noalias}, %y: memref<64xf32> {llvm.noalias})
        workgroup(%s : memref<64xf32, #ws>) private(%p : memref<1xf32, #private>) kernel {
      %c0 = arith.constant 0 : index
      %c63 = arith.constant 63 : index
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %s[%t] : memref<64xf32, #ws>
      gpu.barrier
      %m = arith.subi %c63, %t : index
      %w = memref.load %s[%m] : memref<64xf32, #ws>
      memref.store %w, %p[%c0] : memref<1xf32, #private>
      %z = memref.load %p[%c0] : memref<1xf32, #private>
      memref.store %z, %y[%t] : memref<64xf32>
      gpu.return
    }
  }
}
