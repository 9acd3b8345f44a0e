func.func @layer_norm(%x: tensor<128x1000xf32>, %w: tensor<1000xf32>, %b: tensor<1000xf32>) -> tensor<128x1000xf32> {
  %k1 = arith.constant 1000.0 : f32
  %k2 = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<128xf32>
  %f4 = linalg.fill ins(%k2 : f32) outs(%e3 : tensor<128xf32>) -> tensor<128xf32>
  %g5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<128x1000xf32>) outs(%f4 : tensor<128xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.addf %x0, %acc : f32
    linalg.yield %r0 : f32
  } -> tensor<128xf32>
  %e6 = tensor.empty() : tensor<128xf32>
  %g7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%g5 : tensor<128xf32>) outs(%e6 : tensor<128xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.divf %x0, %k1 : f32
    linalg.yield %r0 : f32
  } -> tensor<128xf32>
  %e8 = tensor.empty() : tensor<128x1000xf32>
  %g9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %g7 : tensor<128x1000xf32>, tensor<128xf32>) outs(%e8 : tensor<128x1000xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.subf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x1000xf32>
  %k10 = arith.constant 0.0 : f32
  %e11 = tensor.empty() : tensor<128xf32>
  %f12 = linalg.fill ins(%k10 : f32) outs(%e11 : tensor<128xf32>) -> tensor<128xf32>
  %g13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%g9 : tensor<128x1000xf32>) outs(%f12 : tensor<128xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x0 : f32
    %r1 = arith.addf %r0, %acc : f32
    linalg.yield %r1 : f32
  } -> tensor<128xf32>
  %k14 = arith.constant 1000.0 : f32
  %k15 = arith.constant 1.0e-05 : f32
  %e16 = tensor.empty() : tensor<128xf32>
  %g17 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%g13 : tensor<128xf32>) outs(%e16 : tensor<128xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.divf %x0, %k14 : f32
    %r1 = arith.addf %r0, %k15 : f32
    %r2 = math.rsqrt %r1 : f32
    linalg.yield %r2 : f32
  } -> tensor<128xf32>
  %e18 = tensor.empty() : tensor<128x1000xf32>
  %g19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g9, %g17 : tensor<128x1000xf32>, tensor<128xf32>) outs(%e18 : tensor<128x1000xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x1000xf32>
  %e20 = tensor.empty() : tensor<128x1000xf32>
  %g21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g19, %w : tensor<128x1000xf32>, tensor<1000xf32>) outs(%e20 : tensor<128x1000xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x1000xf32>
  %e22 = tensor.empty() : tensor<128x1000xf32>
  %g23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g21, %b : tensor<128x1000xf32>, tensor<1000xf32>) outs(%e22 : tensor<128x1000xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.addf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<128x1000xf32>
  return %g23 : tensor<128x1000xf32>
}
