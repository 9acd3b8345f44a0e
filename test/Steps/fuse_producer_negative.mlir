// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=fuse_producer"

#id = affine_map<(d0) -> (d0)>

func.func @argument(%x: memref<8xf32>, %t: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @below {{clause 'temporary' is refuted: expected a temporary with no other use, found a buffer with other uses}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<8xf32>) outs(%t : memref<8xf32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%a: f32, %o: f32):
    %r = arith.negf %a : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%t : memref<8xf32>) outs(%y : memref<8xf32>) attrs = {klineage.target = 1 : i64} {
  ^bb0(%a: f32, %o: f32):
    %r = arith.negf %a : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Moved below the store, the fill would erase it.
func.func @store_between(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  // expected-error @below {{clause 'no_interference' is refuted: expected nothing between that uses the producer's buffers, found memref.store}}
  linalg.fill {klineage.target = 0 : i64} ins(%zero : f32) outs(%c : memref<64x64xf32>)
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (1, 1) {
    memref.store %one, %c[%i, %j] : memref<64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (32, 32) {
    %x = memref.subview %a[%i, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %y = memref.subview %b[0, %j] [64, 32] [1, 1] : memref<64x64xf32> to memref<64x32xf32, strided<[64, 1], offset: ?>>
    %z = memref.subview %c[%i, %j] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%x, %y : memref<32x64xf32, strided<[64, 1], offset: ?>>, memref<64x32xf32, strided<[64, 1], offset: ?>>) outs(%z : memref<32x32xf32, strided<[64, 1], offset: ?>>)
  } {klineage.target = 1 : i64, mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
