func.func @batch_matmul(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %k1 = arith.constant 0.0 : f32
  %b2_i = arith.constant 0 : index
  %b2 = tensor.dim %a, %b2_i : tensor<?x?x?xf32>
  %m3_i = arith.constant 1 : index
  %m3 = tensor.dim %a, %m3_i : tensor<?x?x?xf32>
  %n4_i = arith.constant 2 : index
  %n4 = tensor.dim %b, %n4_i : tensor<?x?x?xf32>
  %e5 = tensor.empty(%b2, %m3, %n4) : tensor<?x?x?xf32>
  %f6 = linalg.fill ins(%k1 : f32) outs(%e5 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %n7 = linalg.batch_matmul ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%f6 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %n7 : tensor<?x?x?xf32>
}
