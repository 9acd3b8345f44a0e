// A row whose extent only the launch knows: a guard with the old code beside it,
// or a refusal, as the option says.
// RUN: klineage-opt %s --klineage-test-step="kind=block_row_reduction params={threads=128,vector=4}" | FileCheck %s
// RUN: not klineage-opt %s --klineage-test-step="kind=block_row_reduction params={threads=128,vector=4} guards=false" 2>&1 | FileCheck %s --check-prefix=REFUSE

// CHECK: scf.if
// CHECK: vector.load
// CHECK: } else {
// CHECK: linalg.generic
// REFUSE: clause 'divisible' is unknown

#in = affine_map<(d0, d1) -> (d0, d1)>
#out = affine_map<(d0, d1) -> (d0)>
func.func @row_sum(%x: memref<?x?xf32> {llvm.align = 16 : i64}, %y: memref<?xf32> {llvm.align = 16 : i64, llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<?xf32>)
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]} ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%a: f32, %s: f32):
    %r = arith.addf %a, %s : f32
    linalg.yield %r : f32
  }
  return
}
