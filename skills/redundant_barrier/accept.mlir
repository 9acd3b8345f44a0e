// RUN: klineage-opt %experts/row_sum_tree.mlir --klineage-apply="skills=%skills/redundant_barrier budget=1" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: klineage-opt %t.mlir --klineage-undo | FileCheck %s --check-prefix=UNDO
// RUN: klineage-opt %t.mlir --klineage-replay -o /dev/null
// RUN: klineage-opt %t.mlir --klineage-replay="on=%experts/row_sum_tree.mlir" | FileCheck %s
// RUN: klineage-opt %t.mlir --klineage-emit="state=first format=ptx" | FileCheck %s --check-prefix=FIRST
// RUN: klineage-opt %t.mlir --klineage-emit="state=last format=ptx" | FileCheck %s --check-prefix=LAST

// A kernel written by hand: its last barrier goes, those of the tree stay.
// CHECK: klineage.transition @t0 @s0 -> @s1 by "redundant_barrier"
// CHECK-SAME: reversible numerics <bit_exact> certificate <proved

// UNDO: klineage.state @s0
// UNDO-NOT: klineage.transition

// FIRST: .entry row_sum_tree
// FIRST-COUNT-9: bar.sync
// FIRST-NOT: bar.sync
// LAST: .entry row_sum_tree
// LAST-COUNT-8: bar.sync
// LAST-NOT: bar.sync
