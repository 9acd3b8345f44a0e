// Limits of a judgement are options; what does not fit is no fault of a skill.
// RUN: not klineage-opt %s --klineage-apply="skills=%skills/elementwise_vector memory=-1" 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not klineage-opt %s --klineage-apply="skills=%skills/elementwise_vector memory=63" 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not klineage-opt %s --klineage-apply="skills=%skills/elementwise_vector timeout=0" 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: sed s/40000/2900000/g %s > %t.large.mlir
// RUN: klineage-opt %t.large.mlir --klineage-apply="skills=%skills/elementwise_vector memory=64 budget=1 executor=simt" | FileCheck %s --check-prefix=SMALL
// RUN: klineage-opt %s --klineage-apply="skills=%skills/elementwise_vector nan budget=1 executor=simt" | FileCheck %s --check-prefix=NAN
// RANGE: error: memory must be 0 (the default) or 64 to 2^40 MiB
// TIME: error: timeout must be positive
// SMALL-NOT: klineage.transition
// SMALL: verdict <unsupported, "harness", "arguments of 23200000 bytes are too large to be judged within 64 MiB of memory"
// NAN: klineage.transition @t0
// NAN-SAME: all 25 runs agree
// NAN-SAME: self_checks = {{[0-9]+}}
#id = affine_map<(d0) -> (d0)>
func.func @double(%x: memref<40000xf32>, %y: memref<40000xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<40000xf32>) outs(%y : memref<40000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  }
  return
}
