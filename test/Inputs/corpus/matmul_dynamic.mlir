func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %k1 = arith.constant 0.0 : f32
  %m2_i = arith.constant 0 : index
  %m2 = tensor.dim %a, %m2_i : tensor<?x?xf32>
  %n3_i = arith.constant 1 : index
  %n3 = tensor.dim %b, %n3_i : tensor<?x?xf32>
  %e4 = tensor.empty(%m2, %n3) : tensor<?x?xf32>
  %f5 = linalg.fill ins(%k1 : f32) outs(%e4 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %n6 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f5 : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %n6 : tensor<?x?xf32>
}
