// The example of docs/steps/split_reduction.md.
// STEP: kind=split_reduction targets=linalg.generic params={rows=256,columns=128}
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @column_sum(%x: memref<1024x512xf32>, %y: memref<512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<512xf32>)
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
    ins(%x : memref<1024x512xf32>) outs(%y : memref<512xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %r = arith.addf %sum, %a : f32
    linalg.yield %r : f32
  }
  return
}
