// RUN: %corpus print column_sum --shape 128x200 | klineage-opt --klineage-apply="skills=%skills/column_reduction budget=1" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: klineage-opt %t.mlir --klineage-undo | FileCheck %s --check-prefix=UNDO
// RUN: klineage-opt %t.mlir --klineage-replay -o /dev/null
// RUN: klineage-opt %t.mlir --klineage-emit="format=ptx" | FileCheck %s --check-prefix=PTX
// RUN: klineage-opt %inputs/corpus/column_sum_dynamic.mlir --klineage-apply="skills=%skills/column_reduction budget=1" -o %t.dyn
// RUN: FileCheck %s --input-file=%t.dyn --check-prefix=GUARD
// RUN: %corpus print column_sum --shape 17x127 --type f16 | klineage-opt --klineage-apply="skills=%skills/column_reduction budget=1" | FileCheck %s

// CHECK: klineage.transition @t0 @s0 -> @s1 by "column_reduction"
// CHECK-SAME: reversible numerics <bit_exact>
// GUARD: klineage.transition @t0 @s0 -> @s1 by "column_reduction"
// GUARD-SAME: reversible numerics <bit_exact> certificate <guarded

// UNDO-NOT: klineage.transition

// Sixteen loads before the sums, one store, nothing in local memory.
// PTX-NOT: .local
// PTX-COUNT-16: ld.global
// PTX-NOT: .local
// PTX: st.global
