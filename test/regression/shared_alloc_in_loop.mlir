// An allocation of shared memory inside the thread loop or a serial loop still
// is one static buffer of the block, never a call of malloc.
// RUN: klineage-opt %s --klineage-emit="format=ptx" 2>&1 | FileCheck %s
// CHECK-NOT: malloc
// CHECK: .shared .align 16
// CHECK-NOT: malloc
func.func @nested(%x: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%b) in (1) {
    scf.forall (%t) in (32) {
      %s = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
      %v = memref.load %x[%t] : memref<32xf32>
      memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = memref.load %s[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %w, %x[%t] : memref<32xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
