// RUN: klineage-opt %s -verify-diagnostics --klineage-test-step="kind=unroll params={factor=4} check-undo" -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: klineage-opt %t --klineage-emit=format=kernels | FileCheck %s --check-prefix=KERNEL

// The loop is marked; code generation copies the body, and what is left over.
// CHECK: scf.for
// CHECK: {klineage.unroll = 4 : i64}
// KERNEL: gpu.func
// KERNEL: scf.for
// KERNEL-COUNT-4: memref.store
// KERNEL: }
func.func @fill(%x: memref<64x101xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c101 = arith.constant 101 : index
  %one = arith.constant 1.0 : f32
  scf.forall (%b) in (1) {
    scf.forall (%t) in (64) {
      // expected-remark @below {{R1 holds}}
      scf.for %i = %c0 to %c101 step %c1 {
        memref.store %one, %x[%t, %i] : memref<64x101xf32>
      } {klineage.target = 0 : i64}
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
