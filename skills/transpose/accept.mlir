// RUN: klineage-opt %s --klineage-apply="skills=%skills/transpose budget=1" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: klineage-opt %t.mlir --klineage-undo | FileCheck %s --check-prefix=UNDO
// RUN: klineage-opt %t.mlir --klineage-replay -o /dev/null
// RUN: klineage-opt %t.mlir --klineage-emit="format=ptx" | FileCheck %s --check-prefix=PTX

// Ragged, dynamic, half precision: rows that 8 elements divide move 16 bytes.
// RUN: %corpus print transpose --shape 127x17 | klineage-opt --klineage-apply="skills=%skills/transpose budget=1" | FileCheck %s --check-prefix=RAGGED
// RUN: %corpus print transpose --dynamic | klineage-opt --klineage-apply="skills=%skills/transpose budget=1" -o %t.dyn
// RUN: FileCheck %s --input-file=%t.dyn --check-prefix=RAGGED
// RUN: klineage-opt %t.dyn --klineage-replay -o /dev/null
// RUN: %corpus print transpose --shape 72x136 --type bf16 | klineage-opt --klineage-apply="skills=%skills/transpose budget=1" -o %t.half
// RUN: FileCheck %s --input-file=%t.half --check-prefix=HALF
// RUN: klineage-opt %t.half --klineage-undo | FileCheck %s --check-prefix=UNDO
// RUN: klineage-opt %t.half --klineage-emit="format=ptx" | FileCheck %s --check-prefix=PTX

// CHECK: klineage.transition @t0 @s0 -> @s1 by "transpose"
// CHECK-SAME: vector = 4
// CHECK-SAME: reversible numerics <bit_exact> certificate <proved
// CHECK: klineage.step "pad_shared"
// RAGGED: klineage.transition @t0 @s0 -> @s1 by "transpose"
// RAGGED-SAME: vector = 1
// RAGGED-SAME: reversible numerics <bit_exact> certificate <proved
// Accesses of one element need no guard: each thread stays inside its tile.
// HALF: klineage.transition @t0 @s0 -> @s1 by "transpose"
// HALF-SAME: vector = 8
// HALF-SAME: reversible numerics <bit_exact> certificate <guarded

// UNDO-NOT: klineage.transition

// Both sides by vectors of 16 bytes, around one barrier.
// PTX: ld.global{{(.nc)?}}.v4
// PTX: bar.sync
// PTX: st.global.v4
func.func @batches(%x: tensor<3x64x128xf32>) -> tensor<3x128x64xf32> {
  %e = tensor.empty() : tensor<3x128x64xf32>
  %y = linalg.transpose ins(%x : tensor<3x64x128xf32>) outs(%e : tensor<3x128x64xf32>) permutation = [0, 2, 1]
  return %y : tensor<3x128x64xf32>
}
