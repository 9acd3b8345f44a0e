// RUN: klineage-opt %s -split-input-file --klineage-apply="skills=%skills/column_reduction budget=1" | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// The body asks for the row it is in: tiles would change the answer.
// CHECK-LABEL: klineage.lineage @weighted
// CHECK-NOT: klineage.transition
// CHECK: klineage.trial @s0 by "column_reduction"
// CHECK-SAME: clause 'simple_maps' is refuted
func.func @weighted(%x: memref<32x64xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<64xf32>)
  linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
    ins(%x : memref<32x64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %row = linalg.index 0 : index
    %i = arith.index_cast %row : index to i32
    %f = arith.sitofp %i : i32 to f32
    %p = arith.mulf %a, %f : f32
    %r = arith.addf %b, %p : f32
    linalg.yield %r : f32
  }
  return
}
