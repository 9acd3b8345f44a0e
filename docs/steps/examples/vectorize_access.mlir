// The example of docs/steps/vectorize_access.md.
// STEP: kind=tile_to_blocks targets=linalg.generic params={tile_sizes=[1,128]}
// STEP: kind=distribute_to_threads targets=scf.forall params={threads=[32],vector=4}
// STEP: kind=vectorize_access targets=linalg.generic params={vector=4}
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @twice(%x: memref<4x256xf32>, %y: memref<4x256xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x256xf32>) outs(%y : memref<4x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  }
  return
}
