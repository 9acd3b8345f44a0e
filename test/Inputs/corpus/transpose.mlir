func.func @transpose(%x: tensor<128x1000xf32>) -> tensor<1000x128xf32> {
  %e1 = tensor.empty() : tensor<1000x128xf32>
  %g2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x1000xf32>) outs(%e1 : tensor<1000x128xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    linalg.yield %x0 : f32
  } -> tensor<1000x128xf32>
  return %g2 : tensor<1000x128xf32>
}
