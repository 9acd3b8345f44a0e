// The example of docs/steps/fast_math.md.
// STEP: kind=fast_math targets=linalg.generic params={flags="contract"}
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
