func.func @matmul_bias_relu(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>, %bias: tensor<128xf32>) -> tensor<128x128xf32> {
  %k1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<128x128xf32>
  %f3 = linalg.fill ins(%k1 : f32) outs(%e2 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %n4 = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>) outs(%f3 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %k5 = arith.constant 0.0 : f32
  %e6 = tensor.empty() : tensor<128x128xf32>
  %g7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%n4, %bias : tensor<128x128xf32>, tensor<128xf32>) outs(%e6 : tensor<128x128xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.addf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x128xf32>
  %e8 = tensor.empty() : tensor<128x128xf32>
  %g9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g7 : tensor<128x128xf32>) outs(%e8 : tensor<128x128xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.maximumf %x0, %k5 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x128xf32>
  return %g9 : tensor<128x128xf32>
}
