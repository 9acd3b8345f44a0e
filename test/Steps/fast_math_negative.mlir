// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=fast_math params={flags=\"afn\"}"

func.func @flags_already(%x: memref<64xf32>) {
  // expected-error @below {{clause 'no_fast_math_yet' is refuted}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    outs(%x : memref<64xf32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%o: f32):
    %r = math.exp %o fastmath<contract> : f32
    linalg.yield %r : f32
  }
  return
}

// -----

func.func @no_floats(%x: memref<64xi32>) {
  // expected-error @below {{clause 'has_float_operations' is refuted}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    outs(%x : memref<64xi32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%o: i32):
    %r = arith.addi %o, %o : i32
    linalg.yield %r : i32
  }
  return
}
