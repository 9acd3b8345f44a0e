// RUN: klineage-opt %s -verify-diagnostics --klineage-test-step="kind=pad_shared params={pad=1} check-undo" | FileCheck %s

#ws = #gpu.address_space<workgroup>

// CHECK-LABEL: func.func @transpose
// CHECK: memref.alloc() : memref<32x33xf32, #gpu.address_space<workgroup>>
// CHECK: memref.load %{{.*}} : memref<32x{{(32|33)}}xf32
func.func @transpose(%x: memref<32x32xf32>, %y: memref<32x32xf32>) {
  scf.forall (%b) in (1) {
    // expected-remark @below {{R1 holds}}
    %s = memref.alloc() {klineage.target = 0 : i64} : memref<32x32xf32, #ws>
    scf.forall (%ty, %tx) in (32, 32) {
      %v = memref.load %x[%ty, %tx] : memref<32x32xf32>
      memref.store %v, %s[%ty, %tx] : memref<32x32xf32, #ws>
      gpu.barrier
      %w = memref.load %s[%tx, %ty] : memref<32x32xf32, #ws>
      memref.store %w, %y[%ty, %tx] : memref<32x32xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
