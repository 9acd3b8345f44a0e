// The example of docs/steps/tile_to_blocks.md.
// STEP: kind=tile_to_blocks targets=contraction params={tile_sizes=[64,32]}
func.func @matmul(%a: memref<128x64xf32>, %b: memref<64x64xf32>, %c: memref<128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x64xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xf32>, memref<64x64xf32>) outs(%c : memref<128x64xf32>)
  return
}
