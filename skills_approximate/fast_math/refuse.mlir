// RUN: %corpus print softmax --shape 8x1024 | klineage-opt --klineage-apply="skills=%skills/../skills_approximate budget=1" | FileCheck %s --check-prefix=HOST
// RUN: klineage-opt %s --klineage-apply="skills=%skills/elementwise_vector budget=1" | klineage-opt --klineage-apply="skills=%skills/../skills_approximate budget=1" | FileCheck %s

// Operations in host form are left as they are.
// HOST-NOT: klineage.transition

// No float, nothing to approximate.
// CHECK: klineage.trial @s1 by "fast_math"
// CHECK-SAME: clause 'has_float_operations' is refuted
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @negate(%x: memref<4x1024xi32>, %y: memref<4x1024xi32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<4x1024xi32>) outs(%y : memref<4x1024xi32>) {
  ^bb0(%a: i32, %o: i32):
    %r = arith.addi %a, %a : i32
    linalg.yield %r : i32
  }
  return
}
