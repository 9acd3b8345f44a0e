// RUN: %corpus print matmul --shape 127x100x40 | klineage-opt --klineage-apply="skills=%skills/matmul_ragged budget=1" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: klineage-opt %t.mlir --klineage-undo | FileCheck %s --check-prefix=UNDO
// RUN: klineage-opt %t.mlir --klineage-replay -o /dev/null
// RUN: klineage-opt %t.mlir --klineage-emit="format=kernels" | FileCheck %s --check-prefix=KERNELS

// Dynamic extents; the same for half-precision inputs, and batches.
// RUN: klineage-opt %inputs/corpus/matmul_dynamic.mlir --klineage-apply="skills=%skills/matmul_ragged budget=1" -o %t.dyn
// RUN: FileCheck %s --check-prefix=DYNAMIC --input-file=%t.dyn
// RUN: klineage-opt %t.dyn --klineage-replay -o /dev/null
// RUN: %corpus print matmul --shape 70x65x24 --type bf16 | klineage-opt --klineage-apply="skills=%skills/matmul_ragged budget=1" | FileCheck %s
// RUN: %corpus print batch_matmul --shape 3x65x33x16 | klineage-opt --klineage-apply="skills=%skills/matmul_ragged budget=1" | FileCheck %s

// CHECK: klineage.transition @t0 @s0 -> @s1 by "matmul_ragged"
// CHECK-SAME: reversible numerics <bit_exact> certificate <guarded
// CHECK: klineage.step "promote_shared"
// CHECK: klineage.step "register_tile"

// The kernel model does not decide the bounds of dynamic extents.
// DYNAMIC: klineage.transition @t0 @s0 -> @s1 by "matmul_ragged"
// DYNAMIC-SAME: reversible numerics <bit_exact> certificate <{{guarded|tested}}

// UNDO-NOT: klineage.transition

// One kernel; the guard is the same for all threads of a block.
// KERNELS-COUNT-1: gpu.launch_func
// KERNELS-NOT: gpu.launch_func
