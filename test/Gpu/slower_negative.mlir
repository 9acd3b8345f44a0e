// A candidate that is right and slower than the state before it is refused: one
// warp a block, each thread alone with 8192 rows.
// RUN: klineage-opt %s --klineage-apply="skills=%inputs/../Gpu/Inputs/few_threads executor=cuda budget=1" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: klineage-opt %t.mlir --klineage-report | FileCheck %s --check-prefix=REPORT

// Without the profile nothing is known about time, and the candidate is taken.
// RUN: klineage-opt %s --klineage-apply="skills=%inputs/../Gpu/Inputs/few_threads executor=cuda profile=false budget=1" | FileCheck %s --check-prefix=OFF

// A GPU that this process may not use is none.
// RUN: env CUDA_VISIBLE_DEVICES=-1 not klineage-opt %s --klineage-apply="skills=%skills executor=cuda" 2>&1 | FileCheck %s --check-prefix=HIDDEN

// CHECK-NOT: klineage.transition
// CHECK: verdict <slower, "profile"

// REPORT: trial at @s0 by few_threads
// REPORT: verdict: slower (profile): {{.*}} us before (speedup 0.

// OFF: klineage.transition
// OFF-NOT: candidate_us

// HIDDEN: error: executor=cuda: {{.*(GPU|device)}}
#id = affine_map<(i, j) -> (i, j)>
func.func @negate(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %e = tensor.empty() : tensor<8192x4096xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<8192x4096xf32>) outs(%e : tensor<8192x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.negf %a : f32
    linalg.yield %r : f32
  } -> tensor<8192x4096xf32>
  return %y : tensor<8192x4096xf32>
}
