func.func @layer_norm(%x: tensor<?x?xf32>, %w: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %n1_i = arith.constant 1 : index
  %n1 = tensor.dim %x, %n1_i : tensor<?x?xf32>
  %c2i = arith.index_cast %n1 : index to i64
  %c2 = arith.sitofp %c2i : i64 to f32
  %k3 = arith.constant 0.0 : f32
  %m4_i = arith.constant 0 : index
  %m4 = tensor.dim %x, %m4_i : tensor<?x?xf32>
  %e5 = tensor.empty(%m4) : tensor<?xf32>
  %f6 = linalg.fill ins(%k3 : f32) outs(%e5 : tensor<?xf32>) -> tensor<?xf32>
  %g7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%f6 : tensor<?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.addf %x0, %acc : f32
    linalg.yield %r0 : f32
  } -> tensor<?xf32>
  %e8 = tensor.empty(%m4) : tensor<?xf32>
  %g9 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%g7 : tensor<?xf32>) outs(%e8 : tensor<?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.divf %x0, %c2 : f32
    linalg.yield %r0 : f32
  } -> tensor<?xf32>
  %e10 = tensor.empty(%m4, %n1) : tensor<?x?xf32>
  %g11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %g9 : tensor<?x?xf32>, tensor<?xf32>) outs(%e10 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.subf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %k12 = arith.constant 0.0 : f32
  %e13 = tensor.empty(%m4) : tensor<?xf32>
  %f14 = linalg.fill ins(%k12 : f32) outs(%e13 : tensor<?xf32>) -> tensor<?xf32>
  %g15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%g11 : tensor<?x?xf32>) outs(%f14 : tensor<?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x0 : f32
    %r1 = arith.addf %r0, %acc : f32
    linalg.yield %r1 : f32
  } -> tensor<?xf32>
  %c16i = arith.index_cast %n1 : index to i64
  %c16 = arith.sitofp %c16i : i64 to f32
  %k17 = arith.constant 1.0e-05 : f32
  %e18 = tensor.empty(%m4) : tensor<?xf32>
  %g19 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%g15 : tensor<?xf32>) outs(%e18 : tensor<?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.divf %x0, %c16 : f32
    %r1 = arith.addf %r0, %k17 : f32
    %r2 = math.rsqrt %r1 : f32
    linalg.yield %r2 : f32
  } -> tensor<?xf32>
  %e20 = tensor.empty(%m4, %n1) : tensor<?x?xf32>
  %g21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g11, %g19 : tensor<?x?xf32>, tensor<?xf32>) outs(%e20 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %e22 = tensor.empty(%m4, %n1) : tensor<?x?xf32>
  %g23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g21, %w : tensor<?x?xf32>, tensor<?xf32>) outs(%e22 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %e24 = tensor.empty(%m4, %n1) : tensor<?x?xf32>
  %g25 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g23, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%e24 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.addf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  return %g25 : tensor<?x?xf32>
}
