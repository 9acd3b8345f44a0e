// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=swizzle_shared params={vector=4}"

#ws = #gpu.address_space<workgroup>

// Rows of three units: no power of two divides them.
func.func @three_units(%x: memref<12x12xf32>, %y: memref<12x12xf32>) {
  scf.forall (%b) in (1) {
    // expected-error @below {{clause 'layout_changes' is refuted}}
    %s = memref.alloc() {klineage.target = 0 : i64} : memref<12x12xf32, #ws>
    scf.forall (%ty, %tx) in (12, 12) {
      %v = memref.load %x[%ty, %tx] : memref<12x12xf32>
      memref.store %v, %s[%ty, %tx] : memref<12x12xf32, #ws>
      gpu.barrier
      %w = memref.load %s[%tx, %ty] : memref<12x12xf32, #ws>
      memref.store %w, %y[%ty, %tx] : memref<12x12xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

#ws = #gpu.address_space<workgroup>

func.func @view(%x: memref<32x32xf32>, %y: memref<32x32xf32>) {
  scf.forall (%b) in (1) {
    // expected-error @below {{clause 'known_accessors' is refuted}}
    %s = memref.alloc() {klineage.target = 0 : i64} : memref<32x32xf32, #ws>
    scf.forall (%ty, %tx) in (32, 32) {
      %v = memref.load %x[%ty, %tx] : memref<32x32xf32>
      %d = memref.subview %s[%ty, 0] [1, 32] [1, 1] : memref<32x32xf32, #ws> to memref<32xf32, strided<[1], offset: ?>, #ws>
      memref.store %v, %d[%tx] : memref<32xf32, strided<[1], offset: ?>, #ws>
      gpu.barrier
      %w = memref.load %s[%tx, %ty] : memref<32x32xf32, #ws>
      memref.store %w, %y[%ty, %tx] : memref<32x32xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
