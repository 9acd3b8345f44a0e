// RUN: klineage-opt %s --klineage-apply="skills=%skills/matmul_shared budget=1" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: klineage-opt %t.mlir --klineage-report | FileCheck %s --check-prefix=REPORT
// RUN: klineage-opt %t.mlir --klineage-replay -o /dev/null
// RUN: klineage-opt %t.mlir --klineage-replay="on=%inputs/matmul_large.mlir" | FileCheck %s --check-prefix=LARGE
// RUN: klineage-opt %t.mlir --klineage-undo | FileCheck %s --check-prefix=UNDO
// RUN: klineage-opt %t.mlir --klineage-emit="state=last format=ptx" | FileCheck %s --check-prefix=PTX

// CHECK: klineage.lineage @matmul target <"sm_90a">
// CHECK: klineage.state @s0
// CHECK: klineage.state @s1
// CHECK: klineage.transition @t0 @s0 -> @s1 by "matmul_shared"
// CHECK-SAME: reversible numerics <bit_exact>
// CHECK: klineage.step "tile_to_blocks"
// CHECK: klineage.step "register_tile"

// REPORT: verdict: accepted (correctness): all {{[0-9]+}} runs agree
// REPORT: step distribute_to_threads

// UNDO: klineage.state @s0
// UNDO-NOT: klineage.state @s1
// UNDO-NOT: klineage.transition

// The same steps on 4096^3: judged on extents that the CPU can run, and saying so.
// LARGE: klineage.lineage @matmul
// LARGE: memref<4096x4096xf32>
// LARGE: klineage.transition
// LARGE-SAME: reversible
// LARGE-SAME: simt 128x128xf32

// PTX: ld.shared.v4
func.func @matmul(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %c = linalg.matmul  ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}
