// RUN: klineage-opt %s -split-input-file --klineage-apply="skills=%skills/transpose budget=4" | FileCheck %s

// Written in place, a block would read what another one has overwritten.
// CHECK-LABEL: klineage.lineage @in_place
// CHECK-NOT: klineage.transition
// CHECK: klineage.trial @s0 by "transpose"
// CHECK-SAME: clause 'no_alias' is refuted: expected two buffers that share no byte, found views of one buffer
func.func @in_place(%x: memref<64x64xf32>) {
  linalg.transpose ins(%x : memref<64x64xf32>) outs(%x : memref<64x64xf32>) permutation = [1, 0]
  return
}

// -----

// Four loops do not fit a grid of three dimensions.
// CHECK-LABEL: klineage.lineage @four_loops
// CHECK-NOT: klineage.transition
// CHECK: klineage.trial @s0 by "transpose"
// CHECK-SAME: tiles 1 to 3 loops, got 4
func.func @four_loops(%x: memref<2x2x64x64xf32>, %y: memref<2x2x64x64xf32>) {
  linalg.transpose ins(%x : memref<2x2x64x64xf32>) outs(%y : memref<2x2x64x64xf32>) permutation = [0, 1, 3, 2]
  return
}

// -----

// A plain copy is no transpose: nothing to anchor at.
// CHECK-LABEL: klineage.lineage @plain_copy
// CHECK-NOT: klineage.trial
// CHECK: klineage.state
func.func @plain_copy(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  linalg.copy ins(%x : memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  return
}
