// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=distribute_to_threads params={threads=[32,32,2]}"

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @too_many_threads(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  // expected-error @below {{clause 'thread_limit' is refuted}}
  scf.forall (%i) = (0) to (64) step (64) {
    %a = memref.subview %x[%i, 0] [64, 64] [1, 1] : memref<64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    %b = memref.subview %y[%i, 0] [64, 64] [1, 1] : memref<64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    linalg.copy ins(%a : memref<64x64xf32, strided<[64, 1], offset: ?>>) outs(%b : memref<64x64xf32, strided<[64, 1], offset: ?>>)
  } {mapping = [#gpu.block<x>], klineage.target = 0 : i64}
  return
}

// -----

// expected-error @below {{distribute_to_threads takes one block loop}}
func.func @no_block_loop(%x: memref<64xf32>) attributes {klineage.target = 0 : i64} {
  return
}
