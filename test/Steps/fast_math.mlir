// RUN: klineage-opt %s -verify-diagnostics --klineage-test-step="kind=fast_math params={flags=\"afn,contract\"} check-undo" | FileCheck %s

// CHECK: math.exp %{{.*}} fastmath<contract,afn>
// CHECK: arith.addf %{{.*}} fastmath<contract,afn>
func.func @exp(%x: memref<64xf32>, %y: memref<64xf32>) {
  // expected-remark @below {{R1 holds}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    %r = arith.addf %e, %a : f32
    linalg.yield %r : f32
  }
  return
}
