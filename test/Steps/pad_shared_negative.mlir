// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=pad_shared params={pad=1}"

#ws = #gpu.address_space<workgroup>

// Vectors of 16 bytes need rows of whole vectors.
func.func @vectors(%x: memref<32x32xf32>) {
  scf.forall (%b) in (1) {
    // expected-error @below {{clause 'aligned' is refuted: expected padded rows of a multiple of 16 bytes, found 132 bytes; nearest legal: 4}}
    %s = memref.alloc() {klineage.target = 0 : i64} : memref<32x32xf32, #ws>
    scf.forall (%ty, %tx) in (32, 8) {
      %c = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %v = vector.load %x[%ty, %c] : memref<32x32xf32>, vector<4xf32>
      vector.store %v, %s[%ty, %c] : memref<32x32xf32, #ws>, vector<4xf32>
      %w = vector.load %s[%ty, %c] : memref<32x32xf32, #ws>, vector<4xf32>
      vector.store %w, %x[%ty, %c] : memref<32x32xf32>, vector<4xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

#ws = #gpu.address_space<workgroup>

func.func @capacity(%x: memref<32x32xf32>) {
  scf.forall (%b) in (1) {
    // expected-error @below {{clause 'shared_capacity' is refuted: expected at most 232448 bytes of shared memory a block on sm_90a, found 236544 bytes}}
    %s = memref.alloc() {klineage.target = 0 : i64} : memref<256x230xf32, #ws>
    scf.forall (%ty, %tx) in (32, 32) {
      %v = memref.load %x[%ty, %tx] : memref<32x32xf32>
      memref.store %v, %s[%ty, %tx] : memref<256x230xf32, #ws>
      %w = memref.load %s[%ty, %tx] : memref<256x230xf32, #ws>
      memref.store %w, %x[%ty, %tx] : memref<32x32xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
