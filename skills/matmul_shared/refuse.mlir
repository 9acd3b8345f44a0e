// RUN: klineage-opt %s -split-input-file --klineage-apply="skills=%skills/matmul_shared budget=4" | FileCheck %s

// A prime extent: no tile divides it, and the inequality says so.
// CHECK-LABEL: klineage.lineage @prime
// CHECK-NOT: klineage.transition
// CHECK: klineage.trial @s0 by "matmul_shared"
// CHECK-SAME: no legal knob setting: max(inner2, 0) % bm == 0: 127 == 0 does not hold
func.func @prime(%a: memref<127x64xf32>, %b: memref<64x64xf32>, %c: memref<127x64xf32>) {
  linalg.matmul ins(%a, %b : memref<127x64xf32>, memref<64x64xf32>) outs(%c : memref<127x64xf32>)
  return
}

// -----

// A dynamic extent is refused by the named clause.
// CHECK-LABEL: klineage.lineage @dynamic
// CHECK-NOT: klineage.transition
// CHECK: klineage.trial @s0 by "matmul_shared"
// CHECK-SAME: clause 'static_extent' is unknown
func.func @dynamic(%a: memref<?x64xf32>, %b: memref<64x64xf32>, %c: memref<?x64xf32>) {
  linalg.matmul ins(%a, %b : memref<?x64xf32>, memref<64x64xf32>) outs(%c : memref<?x64xf32>)
  return
}
