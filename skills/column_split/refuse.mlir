// RUN: klineage-opt %s -split-input-file --klineage-apply="skills=%skills/column_split budget=1" | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// A difference of parts is another number.
// CHECK-LABEL: klineage.lineage @ordered
// CHECK-NOT: klineage.transition
// CHECK: klineage.trial @s0 by "column_split"
// CHECK-SAME: clause 'reduction_reorderable' is refuted
func.func @ordered(%x: memref<1024x64xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<64xf32>)
  linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
    ins(%x : memref<1024x64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.subf %b, %a : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// Few rows: column_reduction keeps the order of the sums.
// CHECK-LABEL: klineage.lineage @few
// CHECK-NOT: klineage.transition
// CHECK: klineage.trial @s0 by "column_split"
// CHECK-SAME: no legal knob setting
func.func @few(%x: memref<128x64xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<64xf32>)
  linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
    ins(%x : memref<128x64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %b, %a : f32
    linalg.yield %r : f32
  }
  return
}
