func.func @softmax(%x: tensor<128x1000xf32>) -> tensor<128x1000xf32> {
  %k1 = arith.constant 0xFF800000 : f32
  %e2 = tensor.empty() : tensor<128xf32>
  %f3 = linalg.fill ins(%k1 : f32) outs(%e2 : tensor<128xf32>) -> tensor<128xf32>
  %g4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<128x1000xf32>) outs(%f3 : tensor<128xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.maximumf %x0, %acc : f32
    linalg.yield %r0 : f32
  } -> tensor<128xf32>
  %e5 = tensor.empty() : tensor<128x1000xf32>
  %g6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %g4 : tensor<128x1000xf32>, tensor<128xf32>) outs(%e5 : tensor<128x1000xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.subf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x1000xf32>
  %e7 = tensor.empty() : tensor<128x1000xf32>
  %g8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g6 : tensor<128x1000xf32>) outs(%e7 : tensor<128x1000xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = math.exp %x0 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x1000xf32>
  %k9 = arith.constant 0.0 : f32
  %e10 = tensor.empty() : tensor<128xf32>
  %f11 = linalg.fill ins(%k9 : f32) outs(%e10 : tensor<128xf32>) -> tensor<128xf32>
  %g12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%g8 : tensor<128x1000xf32>) outs(%f11 : tensor<128xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.addf %x0, %acc : f32
    linalg.yield %r0 : f32
  } -> tensor<128xf32>
  %e13 = tensor.empty() : tensor<128x1000xf32>
  %g14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g8, %g12 : tensor<128x1000xf32>, tensor<128xf32>) outs(%e13 : tensor<128x1000xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.divf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x1000xf32>
  return %g14 : tensor<128x1000xf32>
}
