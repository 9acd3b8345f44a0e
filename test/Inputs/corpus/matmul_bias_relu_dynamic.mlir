func.func @matmul_bias_relu(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %bias: tensor<?xf32>) -> tensor<?x?xf32> {
  %k1 = arith.constant 0.0 : f32
  %m2_i = arith.constant 0 : index
  %m2 = tensor.dim %a, %m2_i : tensor<?x?xf32>
  %n3_i = arith.constant 1 : index
  %n3 = tensor.dim %b, %n3_i : tensor<?x?xf32>
  %e4 = tensor.empty(%m2, %n3) : tensor<?x?xf32>
  %f5 = linalg.fill ins(%k1 : f32) outs(%e4 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %n6 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f5 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %k7 = arith.constant 0.0 : f32
  %e8 = tensor.empty(%m2, %n3) : tensor<?x?xf32>
  %g9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%n6, %bias : tensor<?x?xf32>, tensor<?xf32>) outs(%e8 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.addf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %e10 = tensor.empty(%m2, %n3) : tensor<?x?xf32>
  %g11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g9 : tensor<?x?xf32>) outs(%e10 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.maximumf %x0, %k7 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  return %g11 : tensor<?x?xf32>
}
