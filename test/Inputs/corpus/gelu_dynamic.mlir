func.func @gelu(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %k1 = arith.constant 0.5 : f32
  %k2 = arith.constant 1.0 : f32
  %k3 = arith.constant 4.471500e-02 : f32
  %k4 = arith.constant 0.797884583 : f32
  %m5_i = arith.constant 0 : index
  %m5 = tensor.dim %x, %m5_i : tensor<?x?xf32>
  %n6_i = arith.constant 1 : index
  %n6 = tensor.dim %x, %n6_i : tensor<?x?xf32>
  %e7 = tensor.empty(%m5, %n6) : tensor<?x?xf32>
  %g8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e7 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x0 : f32
    %r1 = arith.mulf %r0, %x0 : f32
    linalg.yield %r1 : f32
  } -> tensor<?x?xf32>
  %e9 = tensor.empty(%m5, %n6) : tensor<?x?xf32>
  %g10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g8 : tensor<?x?xf32>) outs(%e9 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.mulf %x0, %k3 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %e11 = tensor.empty(%m5, %n6) : tensor<?x?xf32>
  %g12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %g10 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e11 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.addf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %e13 = tensor.empty(%m5, %n6) : tensor<?x?xf32>
  %g14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g12 : tensor<?x?xf32>) outs(%e13 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.mulf %x0, %k4 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %e15 = tensor.empty(%m5, %n6) : tensor<?x?xf32>
  %g16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g14 : tensor<?x?xf32>) outs(%e15 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = math.tanh %x0 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %e17 = tensor.empty(%m5, %n6) : tensor<?x?xf32>
  %g18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g16 : tensor<?x?xf32>) outs(%e17 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.addf %x0, %k2 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %e19 = tensor.empty(%m5, %n6) : tensor<?x?xf32>
  %g20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e19 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.mulf %x0, %k1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %e21 = tensor.empty(%m5, %n6) : tensor<?x?xf32>
  %g22 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g20, %g18 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e21 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  return %g22 : tensor<?x?xf32>
}
