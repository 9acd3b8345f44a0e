// Where guards are not allowed, an unknown clause refuses; where they are, the
// same steps succeed (register_tile.mlir, vectorize_access.mlir).
// RUN: klineage-opt %s -verify-diagnostics --klineage-test-step="kind=tile_to_blocks targets=linalg.generic params={tile_sizes=[1,128]}" --klineage-test-step="kind=distribute_to_threads targets=scf.forall params={threads=[32],vector=4}" --klineage-test-step="kind=vectorize_access targets=linalg.generic params={vector=4} guards=false"
// RUN: not klineage-opt %s --klineage-test-step="kind=tile_to_blocks targets=linalg.generic params={tile_sizes=[1,128]}" --klineage-test-step="kind=distribute_to_threads targets=scf.forall params={threads=[32],vector=4}" --klineage-test-step="kind=register_tile targets=linalg.generic guards=false" 2>&1 | FileCheck %s --check-prefix=REG
// RUN: klineage-opt %s --klineage-test-step="kind=tile_to_blocks targets=linalg.generic params={tile_sizes=[1,128]}" --klineage-test-step="kind=distribute_to_threads targets=scf.forall params={threads=[32],vector=4}" --klineage-test-step="kind=register_tile targets=linalg.generic check-undo" 2>&1 | FileCheck %s --check-prefix=GUARD

// REG: clause 'static_extent' is unknown: expected a thread tile of constant size, found a dynamic size
// GUARD: R1 holds
// GUARD: klineage.guard

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @ragged(%x: memref<3x1000xf32>, %y: memref<3x1000xf32>) {
  // expected-error @below {{clause 'static_extent' is unknown: expected a thread tile of constant size, found a dynamic size}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<3x1000xf32>) outs(%y : memref<3x1000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  }
  return
}
