// RUN: klineage-opt %s --klineage-apply="skills=%skills/elementwise_vector budget=0" | FileCheck %s --check-prefix=BUDGET
// RUN: not klineage-opt %s --klineage-apply="skills=%skills/none" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not klineage-opt %s --klineage-apply="skills=%skills chip=sm_1" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not klineage-opt %s --klineage-report 2>&1 | FileCheck %s --check-prefix=LINEAGE
// RUN: mkdir -p %t.dir/half && cp %skills/elementwise_vector/skill.mlir %t.dir/half
// RUN: not klineage-opt %s --klineage-apply="skills=%t.dir/half" 2>&1 | FileCheck %s --check-prefix=PART

// BUDGET: klineage.ended = "the budget is spent"
// NONE: error: no skill folder
// CHIP: error: unknown chip 'sm_1'; known are sm_80
// LINEAGE: error: expected a module with a klineage.lineage
// PART: error: skill folder '{{.*}}half' has no accept.mlir
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @negate(%x: memref<4x1000xf32>, %y: memref<4x1000xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<4x1000xf32>) outs(%y : memref<4x1000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.negf %a : f32
    linalg.yield %r : f32
  }
  return
}
