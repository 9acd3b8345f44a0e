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
