// RUN: klineage-opt %s --klineage-apply="skills=%skills/elementwise_vector budget=2" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: klineage-opt %t.mlir --klineage-undo | FileCheck %s --check-prefix=UNDO
// RUN: klineage-opt %t.mlir --klineage-emit="state=last format=ptx" | FileCheck %s --check-prefix=PTX

// One and three dimensions, ragged and dynamic, half precision.
// RUN: %corpus print column_sum --shape 4x1000 --type bf16 | klineage-opt --klineage-apply="skills=%skills/elementwise_vector budget=1" | FileCheck %s --check-prefix=TAKEN
// RUN: %corpus print batch_matmul --shape 2x3x40x8 --type f16 | klineage-opt --klineage-apply="skills=%skills/elementwise_vector budget=1" | FileCheck %s --check-prefix=TAKEN
// RUN: %corpus print gelu --shape 17x127 | klineage-opt --klineage-apply="skills=%skills/elementwise_vector budget=1" | FileCheck %s --check-prefix=TAKEN
// RUN: %corpus print gelu --shape 3x4096 --type bf16 | klineage-opt --klineage-apply="skills=%skills/elementwise_vector budget=1" | FileCheck %s --check-prefix=HALF

// A lineage holds for other shapes: static ones, and those that its steps can guard.
// RUN: %corpus print gelu --shape 8x1024 | klineage-opt --klineage-apply="skills=%skills/elementwise_vector budget=1" -o %t.gelu
// RUN: %corpus print gelu --shape 5x1536 > %t.other
// RUN: klineage-opt %t.gelu --klineage-replay="on=%t.other" | FileCheck %s --check-prefix=TAKEN
// RUN: %corpus print gelu --shape 17x127 | klineage-opt --klineage-apply="skills=%skills/elementwise_vector budget=1" -o %t.scalar
// RUN: klineage-opt %t.scalar --klineage-replay="on=%inputs/corpus/gelu_dynamic.mlir" | FileCheck %s --check-prefix=TAKEN
// RUN: not klineage-opt %t.gelu --klineage-replay="on=%inputs/corpus/gelu_dynamic.mlir" 2>&1 | FileCheck %s --check-prefix=ALIGNED
// ALIGNED: does not apply to '{{.*}}gelu_dynamic.mlir': clause 'aligned' is unknown

// TAKEN: klineage.transition @t0 @s0 -> @s1 by "elementwise_vector"
// TAKEN-SAME: reversible
// HALF: klineage.transition @t0 @s0 -> @s1 by "elementwise_vector"
// HALF-SAME: vector = 8
// HALF-SAME: reversible

// CHECK: klineage.transition @t0 @s0 -> @s1 by "elementwise_vector"
// CHECK-SAME: reversible numerics <bit_exact>
// CHECK: klineage.step "fuse_producer"
// CHECK: klineage.step "vectorize_access"

// UNDO-NOT: klineage.transition

// PTX: ld.global{{.*}}.v4
// PTX: st.global.v4
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @bias_relu(%x: tensor<64x1024xf32>, %b: tensor<1024xf32>) -> tensor<64x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x1024xf32>
  %t = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %b : tensor<64x1024xf32>, tensor<1024xf32>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %r = arith.addf %a, %c : f32
    linalg.yield %r : f32
  } -> tensor<64x1024xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%t : tensor<64x1024xf32>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<64x1024xf32>
  return %y : tensor<64x1024xf32>
}
