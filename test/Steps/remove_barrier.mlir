// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=remove_barrier check-undo" -o /dev/null
// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=remove_barrier" 2>/dev/null | FileCheck %s

#ws = #gpu.address_space<workgroup>

// Each thread reads what it wrote itself.
// CHECK-LABEL: func.func @own_element
// CHECK-NOT: gpu.barrier
func.func @own_element(%x: memref<64xf32>, %y: memref<64xf32>) {
  scf.forall (%b) in (1) {
    %s = memref.alloc() : memref<64xf32, #ws>
    scf.forall (%t) in (64) {
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %s[%t] : memref<64xf32, #ws>
      // expected-remark @below {{R1 holds}}
      gpu.barrier {klineage.target = 0 : i64}
      %w = memref.load %s[%t] : memref<64xf32, #ws>
      memref.store %w, %y[%t] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

#ws = #gpu.address_space<workgroup>

// CHECK-LABEL: func.func @two_buffers
// CHECK-NOT: gpu.barrier
func.func @two_buffers(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c63 = arith.constant 63 : index
  scf.forall (%b) in (1) {
    %s = memref.alloc() : memref<64xf32, #ws>
    %r = memref.alloc() : memref<64xf32, #ws>
    scf.forall (%t) in (64) {
      %m = arith.subi %c63, %t : index
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %s[%m] : memref<64xf32, #ws>
      // expected-remark @below {{R1 holds}}
      gpu.barrier {klineage.target = 0 : i64}
      memref.store %v, %r[%t] : memref<64xf32, #ws>
      %w = memref.load %r[%t] : memref<64xf32, #ws>
      memref.store %w, %y[%t] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
