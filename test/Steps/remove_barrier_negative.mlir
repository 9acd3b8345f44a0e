// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=remove_barrier"

#ws = #gpu.address_space<workgroup>

func.func @publishes(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c63 = arith.constant 63 : index
  scf.forall (%b) in (1) {
    %s = memref.alloc() : memref<64xf32, #ws>
    scf.forall (%t) in (64) {
      %m = arith.subi %c63, %t : index
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %s[%t] : memref<64xf32, #ws>
      // expected-error @below {{clause 'race_free_block' is unknown: expected no conflicting accesses of two threads on both sides}}
      gpu.barrier {klineage.target = 0 : i64}
      %w = memref.load %s[%m] : memref<64xf32, #ws>
      memref.store %w, %y[%t] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

#ws = #gpu.address_space<workgroup>

// Nothing follows in the body, but the next iteration writes again.
func.func @protects_next_iteration(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  scf.forall (%b) in (1) {
    %s = memref.alloc() : memref<64xf32, #ws>
    scf.forall (%t) in (64) {
      %m = arith.subi %c63, %t : index
      scf.for %i = %c0 to %c4 step %c1 {
        %v = memref.load %x[%t] : memref<64xf32>
        memref.store %v, %s[%t] : memref<64xf32, #ws>
        gpu.barrier
        %w = memref.load %s[%m] : memref<64xf32, #ws>
        memref.store %w, %y[%t] : memref<64xf32>
        // expected-error @below {{clause 'race_free_block' is unknown}}
        gpu.barrier {klineage.target = 0 : i64}
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

#ws = #gpu.address_space<workgroup>

// Threads of one row share its elements.
func.func @one_dimension_only(%y: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  scf.forall (%b) in (1) {
    %s = memref.alloc() : memref<8xf32, #ws>
    scf.forall (%ty, %tx) in (8, 8) {
      memref.store %one, %s[%ty] : memref<8xf32, #ws>
      // expected-error @below {{clause 'race_free_block' is unknown}}
      gpu.barrier {klineage.target = 0 : i64}
      %w = memref.load %s[%ty] : memref<8xf32, #ws>
      memref.store %w, %y[%ty] : memref<8xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// Structured operations access memory by themselves, not only by their bodies.
func.func @structured(%x: memref<8xf32>, %y: memref<8xf32>) {
  scf.forall (%b) in (1) {
    %s = memref.alloc() : memref<8xf32, #gpu.address_space<workgroup>>
    scf.forall (%t) in (8) {
      %own = memref.subview %s[%t] [1] [1] : memref<8xf32, #gpu.address_space<workgroup>> to memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
      %in = memref.subview %x[%t] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>>
      linalg.copy ins(%in : memref<1xf32, strided<[1], offset: ?>>) outs(%own : memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>)
      // expected-error @below {{clause 'race_free_block' is unknown}}
      gpu.barrier {klineage.target = 0 : i64}
      linalg.copy ins(%s : memref<8xf32, #gpu.address_space<workgroup>>) outs(%y : memref<8xf32>)
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @not_a_barrier(%y: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  // expected-error @below {{remove_barrier takes one gpu.barrier}}
  linalg.fill {klineage.target = 0 : i64} ins(%one : f32) outs(%y : memref<8xf32>)
  return
}
