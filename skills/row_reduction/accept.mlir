// RUN: klineage-opt %s --klineage-apply="skills=%skills/row_reduction budget=2" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: klineage-opt %t.mlir --klineage-undo | FileCheck %s --check-prefix=UNDO
// RUN: klineage-opt %t.mlir --klineage-replay -o /dev/null
// RUN: klineage-opt %t.mlir --klineage-emit="state=last format=kernels" | FileCheck %s --check-prefix=KERNELS

// Softmax as a frontend emits it: one operation each. The row of 1000 columns
// is no multiple of 4 * 256, so the last threads are masked.
// CHECK: klineage.transition @t0 @s0 -> @s1 by "row_reduction"
// CHECK-SAME: reversible numerics <reassociating>
// CHECK: klineage.step "block_row_reduction"

// UNDO-NOT: klineage.transition

// One kernel, no temporary in global memory.
// KERNELS-COUNT-1: gpu.launch_func
// KERNELS-NOT: gpu.launch_func
// KERNELS: gpu.shuffle
#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @softmax(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %e1 = tensor.empty() : tensor<64xf32>
  %f1 = linalg.fill ins(%ninf : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x1000xf32>) outs(%f1 : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.maximumf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64x1000xf32>
  %sub = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<64x1000xf32>, tensor<64xf32>) outs(%e2 : tensor<64x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x1000xf32>
  %exp = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%sub : tensor<64x1000xf32>) outs(%e2 : tensor<64x1000xf32>) {
  ^bb0(%a: f32, %c: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<64x1000xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<64x1000xf32>) outs(%f2 : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %div = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<64x1000xf32>, tensor<64xf32>) outs(%e2 : tensor<64x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x1000xf32>
  return %div : tensor<64x1000xf32>
}
