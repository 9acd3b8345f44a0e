// RUN: klineage-opt %experts/transpose_tiled.mlir --klineage-apply="skills=%skills/redundant_barrier budget=1" | FileCheck %s

// Columns of the tile are read by other threads than those that wrote them.
// CHECK: klineage.state @s0
// CHECK-NOT: klineage.transition
// CHECK: klineage.trial @s0 by "redundant_barrier"
// CHECK-SAME: clause 'race_free_block' is unknown
