func.func @gemm_mma_entry(%a: memref<72x40xbf16>, %b: memref<40x64xbf16>, %c: memref<72x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<72x64xf32>)
  linalg.matmul ins(%a, %b : memref<72x40xbf16>, memref<40x64xbf16>) outs(%c : memref<72x64xf32>)
  return
}
