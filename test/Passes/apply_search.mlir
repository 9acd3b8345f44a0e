// The skill that leaves the least estimated traffic goes first, not the first
// by name: one kernel instead of seven.
// RUN: klineage-opt %s --klineage-apply="skills=%skills budget=1 progress=true executor=simt" -o %t.mlir 2> %t.err
// RUN: FileCheck %s --check-prefix=PROGRESS --input-file=%t.err
// RUN: klineage-opt %t.mlir --klineage-report | FileCheck %s

// PROGRESS: s] row_reduction {{.*}}: accepted: all {{[0-9]+}} runs agree; budget 0

// CHECK: ended: the budget is spent
// CHECK: state @s0
// CHECK-NEXT: estimate: 7 launches, 0.53 MB of memory traffic
// CHECK: state @s1 {{[0-9a-f]+}} +row_in_registers
// CHECK-NEXT: estimate: 1 launch, 0.13 MB of memory traffic

// A run that was killed goes on from its checkpoint and tries nothing twice.
// RUN: klineage-opt %s --klineage-apply="skills=%skills budget=1 checkpoint=%t.ck executor=simt" -o /dev/null
// RUN: klineage-opt %t.ck --klineage-apply="skills=%skills budget=4 progress=true executor=simt" -o %t.again 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=AGAIN --input-file=%t.again
// AGAIN: klineage.ended = "no further skill applies"
// AGAIN-COUNT-1: klineage.transition
// AGAIN-NOT: klineage.transition

#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @softmax(%x: tensor<16x1024xf32>) -> tensor<16x1024xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x1024xf32>
  %v = tensor.empty() : tensor<16xf32>
  %f0 = linalg.fill ins(%low : f32) outs(%v : tensor<16xf32>) -> tensor<16xf32>
  %max = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x1024xf32>) outs(%f0 : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %d = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<16x1024xf32>, tensor<16xf32>) outs(%e : tensor<16x1024xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.subf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<16x1024xf32>
  %x1 = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<16x1024xf32>) outs(%e : tensor<16x1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<16x1024xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%v : tensor<16xf32>) -> tensor<16xf32>
  %sum = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x1 : tensor<16x1024xf32>) outs(%f1 : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %y = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x1, %sum : tensor<16x1024xf32>, tensor<16xf32>) outs(%e : tensor<16x1024xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = arith.divf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<16x1024xf32>
  return %y : tensor<16x1024xf32>
}
