func.func @row_sum(%x: tensor<128x1000xf32>) -> tensor<128xf32> {
  %k1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<128xf32>
  %f3 = linalg.fill ins(%k1 : f32) outs(%e2 : tensor<128xf32>) -> tensor<128xf32>
  %g4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<128x1000xf32>) outs(%f3 : tensor<128xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.addf %x0, %acc : f32
    linalg.yield %r0 : f32
  } -> tensor<128xf32>
  return %g4 : tensor<128xf32>
}
