// RUN: klineage-opt %s --klineage-apply="skills=%skills/row_reduction budget=1 executor=simt" -o %t
// RUN: klineage-opt %t --klineage-report | FileCheck %s
// RUN: klineage-opt %t --klineage-emit="state=last format=kernels" | FileCheck %s --check-prefix=KERNEL

// A row of 64-bit numbers is reduced by shuffles as any other: the mechanism
// check of the step asks for them.
// CHECK: transition @t0: @s0 -> @s1 by row_reduction
// CHECK: verdict: accepted
// KERNEL: gpu.shuffle xor %{{.*}} : i64
func.func @row_max(%x: tensor<8x33xf64>) -> tensor<8xf64> {
  %low = arith.constant 0xFFF0000000000000 : f64
  %empty = tensor.empty() : tensor<8xf64>
  %init = linalg.fill ins(%low : f64) outs(%empty : tensor<8xf64>) -> tensor<8xf64>
  %max = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x33xf64>) outs(%init : tensor<8xf64>) {
  ^bb0(%in: f64, %out: f64):
    %m = arith.maximumf %out, %in : f64
    linalg.yield %m : f64
  } -> tensor<8xf64>
  return %max : tensor<8xf64>
}
