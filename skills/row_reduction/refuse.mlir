// RUN: klineage-opt %s -split-input-file --klineage-apply="skills=%skills/row_reduction budget=1" | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The output is not filled with the neutral element of the maximum.
// CHECK-LABEL: klineage.lineage @wrong_start
// CHECK-NOT: klineage.transition
// CHECK: klineage.trial @s0 by "row_reduction"
// CHECK-SAME: clause 'dominating_fill' is refuted
func.func @wrong_start(%x: memref<8x64xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8xf32>)
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

// A dynamic row does not fit registers for certain.
// CHECK-LABEL: klineage.lineage @dynamic
// CHECK-NOT: klineage.transition
// CHECK: clause 'row_in_registers' is refuted
func.func @dynamic(%x: memref<8x?xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<8x?xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}
