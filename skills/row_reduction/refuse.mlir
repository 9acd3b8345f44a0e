// RUN: klineage-opt %s -split-input-file --klineage-apply="skills=%skills/row_reduction budget=1" | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The reduction goes on from what the output holds.
// CHECK-LABEL: klineage.lineage @no_start
// CHECK-NOT: klineage.transition
// CHECK: klineage.trial @s0 by "row_reduction"
// CHECK-SAME: clause 'dominating_fill' is refuted
func.func @no_start(%x: memref<8x64xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<8x64xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.maximumf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A difference depends on the order of its terms.
// CHECK-LABEL: klineage.lineage @ordered
// CHECK-NOT: klineage.transition
// CHECK: clause 'reduction_reorderable' is refuted
func.func @ordered(%x: memref<8x64xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<8x64xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.subf %b, %a : f32
    linalg.yield %r : f32
  }
  return
}
