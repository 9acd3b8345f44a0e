// What a transition changed, as a unified diff of canonical text.
// RUN: klineage-opt %inputs/matmul_256.mlir --klineage-apply="skills=%skills/matmul_shared budget=1 executor=simt" -o %t.mlir
// RUN: klineage-opt %t.mlir --klineage-diff | FileCheck %s --check-prefix=STATE
// RUN: klineage-opt %t.mlir --klineage-diff="form=kernels context=0" | FileCheck %s --check-prefix=KERNELS
// RUN: klineage-opt %t.mlir --klineage-diff="from=s1 to=last" | FileCheck %s --check-prefix=SAME --match-full-lines
// RUN: klineage-opt %t.mlir --klineage-diff="with=%s chip=sm_90a" | FileCheck %s --check-prefix=WITH
// RUN: not klineage-opt %t.mlir --klineage-diff="from=s9" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not klineage-opt %t.mlir --klineage-diff="with=%t.none" 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not klineage-opt %t.mlir --klineage-diff="form=ptx" 2>&1 | FileCheck %s --check-prefix=FORM

// STATE: --- @s0 {{[0-9a-f]+}}
// STATE-NEXT: +++ @s1 {{[0-9a-f]+}}
// STATE-NEXT: @@ -{{[0-9]+}},{{[0-9]+}} +{{[0-9]+}},{{[0-9]+}} @@
// STATE: -{{.*}}linalg.generic
// STATE: +{{.*}}scf.forall

// KERNELS: +{{.*}}gpu.barrier

// SAME: --- @s1 [[HASH:[0-9a-f]+]]
// SAME-NEXT: +++ @s1 [[HASH]]
// SAME-NOT: {{.}}

// WITH: +++ {{[0-9a-f]+}} of {{.*}}diff.mlir

// NAME: error: has no state @s9
// FILE: error: cannot read '{{.*}}none'
// FORM: error: no such form 'ptx'; known are state and kernels

func.func @copy(%x: memref<16xf32>, %y: memref<16xf32>) {
  linalg.copy ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
