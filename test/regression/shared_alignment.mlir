// Each shared buffer has an explicit alignment, also one of bytes and one
// behind a buffer of odd size: the backend otherwise assumes more than it says.
// RUN: klineage-opt %s --klineage-emit="format=ptx" | FileCheck %s
// CHECK-DAG: .shared .align 16 .b8 {{.*}}[3]
// CHECK-DAG: .shared .align 16 .b8 {{.*}}[24]
func.func @odd(%x: memref<3xi8>, %y: memref<3xf64>) {
  %c0 = arith.constant 0 : index
  scf.forall (%b) in (1) {
    %s = memref.alloc() : memref<3xi8, #gpu.address_space<workgroup>>
    %d = memref.alloc() : memref<3xf64, #gpu.address_space<workgroup>>
    scf.forall (%t) in (3) {
      %v = memref.load %x[%t] : memref<3xi8>
      %u = memref.load %y[%t] : memref<3xf64>
      memref.store %v, %s[%t] : memref<3xi8, #gpu.address_space<workgroup>>
      memref.store %u, %d[%t] : memref<3xf64, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = memref.load %s[%c0] : memref<3xi8, #gpu.address_space<workgroup>>
      %z = memref.load %d[%c0] : memref<3xf64, #gpu.address_space<workgroup>>
      memref.store %w, %x[%t] : memref<3xi8>
      memref.store %z, %y[%t] : memref<3xf64>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
