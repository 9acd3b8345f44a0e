func.func @rms_norm(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x?xf32> {
  %k1 = arith.constant 0.0 : f32
  %m2_i = arith.constant 0 : index
  %m2 = tensor.dim %x, %m2_i : tensor<?x?xf32>
  %e3 = tensor.empty(%m2) : tensor<?xf32>
  %f4 = linalg.fill ins(%k1 : f32) outs(%e3 : tensor<?xf32>) -> tensor<?xf32>
  %g5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%f4 : tensor<?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x0 : f32
    %r1 = arith.addf %r0, %acc : f32
    linalg.yield %r1 : f32
  } -> tensor<?xf32>
  %n6_i = arith.constant 1 : index
  %n6 = tensor.dim %x, %n6_i : tensor<?x?xf32>
  %c7i = arith.index_cast %n6 : index to i64
  %c7 = arith.sitofp %c7i : i64 to f32
  %k8 = arith.constant 1.0e-05 : f32
  %e9 = tensor.empty(%m2) : tensor<?xf32>
  %g10 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%g5 : tensor<?xf32>) outs(%e9 : tensor<?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.divf %x0, %c7 : f32
    %r1 = arith.addf %r0, %k8 : f32
    %r2 = math.rsqrt %r1 : f32
    linalg.yield %r2 : f32
  } -> tensor<?xf32>
  %e11 = tensor.empty(%m2, %n6) : tensor<?x?xf32>
  %g12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %g10 : tensor<?x?xf32>, tensor<?xf32>) outs(%e11 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %e13 = tensor.empty(%m2, %n6) : tensor<?x?xf32>
  %g14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g12, %w : tensor<?x?xf32>, tensor<?xf32>) outs(%e13 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  return %g14 : tensor<?x?xf32>
}
