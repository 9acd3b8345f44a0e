// The example of docs/steps/register_tile.md.
// STEP: kind=tile_to_blocks targets=contraction params={tile_sizes=[64,32]}
// STEP: kind=fuse_producer targets={linalg.fill scf.forall}
// STEP: kind=strip_mine_reduction targets=contraction params={dim=2,size=16}
// STEP: kind=distribute_to_threads targets=scf.forall params={threads=[8,8],vector=4}
// STEP: kind=register_tile targets=contraction
func.func @matmul(%a: memref<128x64xf32>, %b: memref<64x64xf32>, %c: memref<128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x64xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xf32>, memref<64x64xf32>) outs(%c : memref<128x64xf32>)
  return
}
