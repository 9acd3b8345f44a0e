// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=fuse_producer check-undo" 2>/dev/null | FileCheck %s
// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=fuse_producer check-undo" 2>&1 >/dev/null | FileCheck %s --check-prefix=R1

// The undo gives back the hash of the state before, and applying again that of
// the state after.
// R1-COUNT-1: remark: R1 holds
// R1-NOT: error

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// Two bodies become one and the temporary goes away; the undo splits them.
// CHECK-LABEL: func.func @bias_relu
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @bias_relu(%x: tensor<?x64xf32>, %b: tensor<64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x64xf32>
  %t = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %b : tensor<?x64xf32>, tensor<64xf32>) outs(%e : tensor<?x64xf32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %r = arith.addf %a, %c : f32
    linalg.yield %r : f32
  } -> tensor<?x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%t : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) attrs = {klineage.target = 1 : i64} {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
