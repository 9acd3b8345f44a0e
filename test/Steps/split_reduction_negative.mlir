// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=split_reduction params={rows=16,columns=32}"

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @rows(%x: memref<64x32xf32>, %y: memref<64xf32>) {
  // expected-error @below {{clause 'column_reduction' is refuted}}
  linalg.generic {klineage.target = 0 : i64, indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<64x32xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %r = arith.addf %sum, %a : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @ordered(%x: memref<64x32xf32>, %y: memref<32xf32>) {
  // expected-error @below {{clause 'reduction_reorderable' is refuted}}
  linalg.generic {klineage.target = 0 : i64, indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
    ins(%x : memref<64x32xf32>) outs(%y : memref<32xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %r = arith.subf %sum, %a : f32
    linalg.yield %r : f32
  }
  return
}
