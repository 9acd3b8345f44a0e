// An allocation of shared memory that no plan reaches would become malloc.
// RUN: not klineage-opt %s -split-input-file --klineage-emit="format=ptx" 2>&1 | FileCheck %s
// CHECK-NOT: malloc
// CHECK: error:
// CHECK-NOT: malloc

// Of dynamic size.
func.func @dynamic(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.forall (%b) in (1) {
    %s = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
    scf.forall (%t) in (32) {
      %v = memref.load %x[%t] : memref<?xf32>
      memref.store %v, %s[%t] : memref<?xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = memref.load %s[%c0] : memref<?xf32, #gpu.address_space<workgroup>>
      memref.store %w, %x[%t] : memref<?xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
