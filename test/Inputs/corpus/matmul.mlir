func.func @matmul(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %k1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<128x128xf32>
  %f3 = linalg.fill ins(%k1 : f32) outs(%e2 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %n4 = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>) outs(%f3 : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %n4 : tensor<128x128xf32>
}
