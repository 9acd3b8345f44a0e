// RUN: %corpus print column_sum --shape 1024x256 | klineage-opt --klineage-apply="skills=%skills/column_split budget=1" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: klineage-opt %t.mlir --klineage-undo | FileCheck %s --check-prefix=UNDO
// RUN: klineage-opt %t.mlir --klineage-replay -o /dev/null
// RUN: klineage-opt %t.mlir --klineage-emit="format=ptx" | FileCheck %s --check-prefix=PTX
// RUN: klineage-opt %inputs/corpus/column_sum_dynamic.mlir --klineage-apply="skills=%skills/column_split budget=1" -o %t.dyn
// RUN: FileCheck %s --input-file=%t.dyn --check-prefix=GUARD
// RUN: klineage-opt %t.dyn --klineage-undo | FileCheck %s --check-prefix=UNDO
// RUN: %corpus print column_sum --shape 1000x127 --type f16 | klineage-opt --klineage-apply="skills=%skills/column_split budget=1" | FileCheck %s

// The same steps on more rows, which end with a part of 8.
// RUN: %corpus print column_sum --shape 1544x128 > %t.other
// RUN: klineage-opt %t.mlir --klineage-replay="on=%t.other" | FileCheck %s

// CHECK: klineage.transition @t0 @s0 -> @s1 by "column_split"
// CHECK-SAME: reversible numerics <reassociating>
// GUARD: klineage.transition @t0 @s0 -> @s1 by "column_split"
// GUARD-SAME: reversible numerics <reassociating> certificate <guarded

// UNDO-NOT: klineage.transition

// Sixteen loads before the sums, in registers.
// PTX-NOT: .local
// PTX-COUNT-16: ld.global{{.*}}.v4
// PTX-NOT: .local
// PTX: st.global.v4
