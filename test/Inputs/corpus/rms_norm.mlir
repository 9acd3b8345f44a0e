func.func @rms_norm(%x: tensor<128x1000xf32>, %w: tensor<1000xf32>) -> tensor<128x1000xf32> {
  %k1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<128xf32>
  %f3 = linalg.fill ins(%k1 : f32) outs(%e2 : tensor<128xf32>) -> tensor<128xf32>
  %g4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<128x1000xf32>) outs(%f3 : tensor<128xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x0 : f32
    %r1 = arith.addf %r0, %acc : f32
    linalg.yield %r1 : f32
  } -> tensor<128xf32>
  %k5 = arith.constant 1000.0 : f32
  %k6 = arith.constant 1.0e-05 : f32
  %e7 = tensor.empty() : tensor<128xf32>
  %g8 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%g4 : tensor<128xf32>) outs(%e7 : tensor<128xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.divf %x0, %k5 : f32
    %r1 = arith.addf %r0, %k6 : f32
    %r2 = math.rsqrt %r1 : f32
    linalg.yield %r2 : f32
  } -> tensor<128xf32>
  %e9 = tensor.empty() : tensor<128x1000xf32>
  %g10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %g8 : tensor<128x1000xf32>, tensor<128xf32>) outs(%e9 : tensor<128x1000xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x1000xf32>
  %e11 = tensor.empty() : tensor<128x1000xf32>
  %g12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g10, %w : tensor<128x1000xf32>, tensor<1000xf32>) outs(%e11 : tensor<128x1000xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x1000xf32>
  return %g12 : tensor<128x1000xf32>
}
