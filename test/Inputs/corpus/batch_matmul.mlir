func.func @batch_matmul(%a: tensor<4x64x64xf32>, %b: tensor<4x64x64xf32>) -> tensor<4x64x64xf32> {
  %k1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<4x64x64xf32>
  %f3 = linalg.fill ins(%k1 : f32) outs(%e2 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %n4 = linalg.batch_matmul ins(%a, %b : tensor<4x64x64xf32>, tensor<4x64x64xf32>) outs(%f3 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  return %n4 : tensor<4x64x64xf32>
}
