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

// -----

#ws = #gpu.address_space<workgroup>

// Two slots: the barrier of the next iteration orders its reads and the writes
// of the one after it.
// CHECK-LABEL: func.func @two_slots
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @two_slots(%x: memref<4x64xf32>, %y: memref<4x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  scf.forall (%b) in (1) {
    %s = memref.alloc() : memref<2x64xf32, #ws>
    scf.forall (%t) in (64) {
      %m = arith.subi %c63, %t : index
      scf.for %i = %c0 to %c4 step %c1 {
        %slot = arith.remui %i, %c2 : index
        %v = memref.load %x[%i, %t] : memref<4x64xf32>
        memref.store %v, %s[%slot, %t] : memref<2x64xf32, #ws>
        gpu.barrier
        %w = memref.load %s[%slot, %m] : memref<2x64xf32, #ws>
        memref.store %w, %y[%i, %t] : memref<4x64xf32>
        // expected-remark @below {{R1 holds}}
        gpu.barrier {klineage.target = 0 : i64}
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

#ws = #gpu.address_space<workgroup>

// Two spellings of one index.
// CHECK-LABEL: func.func @same_place
// CHECK-NOT: gpu.barrier
func.func @same_place(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.forall (%b) in (1) {
    %s = memref.alloc() : memref<64xf32, #ws>
    scf.forall (%t) in (64) {
      %a = arith.addi %t, %c32 : index
      %i = arith.remui %a, %c64 : index
      %j = arith.xori %t, %c32 : index
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %s[%i] : memref<64xf32, #ws>
      // expected-remark @below {{R1 holds}}
      gpu.barrier {klineage.target = 0 : i64}
      %w = memref.load %s[%j] : memref<64xf32, #ws>
      memref.store %w, %y[%t] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
