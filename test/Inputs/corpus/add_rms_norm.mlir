func.func @add_rms_norm(%x: tensor<128x1000xf32>, %y: tensor<128x1000xf32>, %w: tensor<1000xf32>) -> tensor<128x1000xf32> {
  %e1 = tensor.empty() : tensor<128x1000xf32>
  %g2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<128x1000xf32>, tensor<128x1000xf32>) outs(%e1 : tensor<128x1000xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.addf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x1000xf32>
  %k3 = arith.constant 0.0 : f32
  %e4 = tensor.empty() : tensor<128xf32>
  %f5 = linalg.fill ins(%k3 : f32) outs(%e4 : tensor<128xf32>) -> tensor<128xf32>
  %g6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%g2 : tensor<128x1000xf32>) outs(%f5 : tensor<128xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x0 : f32
    %r1 = arith.addf %r0, %acc : f32
    linalg.yield %r1 : f32
  } -> tensor<128xf32>
  %k7 = arith.constant 1000.0 : f32
  %k8 = arith.constant 1.0e-05 : f32
  %e9 = tensor.empty() : tensor<128xf32>
  %g10 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%g6 : tensor<128xf32>) outs(%e9 : tensor<128xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.divf %x0, %k7 : f32
    %r1 = arith.addf %r0, %k8 : f32
    %r2 = math.rsqrt %r1 : f32
    linalg.yield %r2 : f32
  } -> tensor<128xf32>
  %e11 = tensor.empty() : tensor<128x1000xf32>
  %g12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g2, %g10 : tensor<128x1000xf32>, tensor<128xf32>) outs(%e11 : tensor<128x1000xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x1000xf32>
  %e13 = tensor.empty() : tensor<128x1000xf32>
  %g14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g12, %w : tensor<128x1000xf32>, tensor<1000xf32>) outs(%e13 : tensor<128x1000xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x1000xf32>
  return %g14 : tensor<128x1000xf32>
}
