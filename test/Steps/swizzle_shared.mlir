// RUN: klineage-opt %s -verify-diagnostics --klineage-test-step="kind=swizzle_shared params={vector=1} check-undo" | FileCheck %s

#ws = #gpu.address_space<workgroup>

// Every access goes to its column xor its row modulo 32.
// CHECK-LABEL: func.func @transpose
// CHECK: %[[MASK:.*]] = arith.constant 31 : index
// CHECK: scf.forall (%[[Y:.*]], %[[X:.*]]) in (32, 32)
// CHECK: %[[M:.*]] = arith.andi %[[Y]], %[[MASK]]
// CHECK: %[[IN:.*]] = arith.xori %[[X]], %[[M]]
// CHECK: memref.store %{{.*}}[%[[Y]], %[[IN]]]
// CHECK: %[[N:.*]] = arith.andi %[[X]], %[[MASK]]
// CHECK: %[[OUT:.*]] = arith.xori %[[Y]], %[[N]]
// CHECK: memref.load %{{.*}}[%[[X]], %[[OUT]]]
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
