// RUN: %corpus print matmul --shape 1x64x64 | klineage-opt --klineage-apply="skills=%skills/matmul_ragged budget=1" | FileCheck %s --check-prefix=VECTOR
// RUN: %corpus print matmul --shape 9x9x16 | klineage-opt --klineage-apply="skills=%skills/matmul_ragged budget=1" | FileCheck %s --check-prefix=THREADS
// RUN: %corpus print matmul --dynamic | klineage-opt --klineage-apply="skills=%skills/matmul_ragged budget=1 guards=false" | FileCheck %s --check-prefix=GUARD

// One row is a vector: most threads of a tile would have nothing to do.
// VECTOR-NOT: klineage.transition
// VECTOR: klineage.trial @s0 by "matmul_ragged"
// VECTOR-SAME: no legal knob setting: max(inner2, 0 - 8 * inner2) >= 8: 1 >= 8 does not hold

// 9 rows on 8 threads: how many a thread has depends on the thread, and
// no condition that is the same for all of them says otherwise.
// THREADS-NOT: klineage.transition
// THREADS: klineage.trial @s0 by "matmul_ragged"
// THREADS-SAME: clause 'static_extent' is refuted: expected a thread tile of constant size, found a tile that is partial for some threads

// Without guards an unknown clause refuses.
// GUARD-NOT: klineage.transition
// GUARD: klineage.trial @s0 by "matmul_ragged"
// GUARD-SAME: clause 'static_extent' is unknown
