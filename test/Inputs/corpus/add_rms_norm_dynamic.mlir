func.func @add_rms_norm(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x?xf32> {
  %m1_i = arith.constant 0 : index
  %m1 = tensor.dim %x, %m1_i : tensor<?x?xf32>
  %n2_i = arith.constant 1 : index
  %n2 = tensor.dim %x, %n2_i : tensor<?x?xf32>
  %e3 = tensor.empty(%m1, %n2) : tensor<?x?xf32>
  %g4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e3 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.addf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %k5 = arith.constant 0.0 : f32
  %e6 = tensor.empty(%m1) : tensor<?xf32>
  %f7 = linalg.fill ins(%k5 : f32) outs(%e6 : tensor<?xf32>) -> tensor<?xf32>
  %g8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%g4 : tensor<?x?xf32>) outs(%f7 : tensor<?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x0 : f32
    %r1 = arith.addf %r0, %acc : f32
    linalg.yield %r1 : f32
  } -> tensor<?xf32>
  %c9i = arith.index_cast %n2 : index to i64
  %c9 = arith.sitofp %c9i : i64 to f32
  %k10 = arith.constant 1.0e-05 : f32
  %e11 = tensor.empty(%m1) : tensor<?xf32>
  %g12 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%g8 : tensor<?xf32>) outs(%e11 : tensor<?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.divf %x0, %c9 : f32
    %r1 = arith.addf %r0, %k10 : f32
    %r2 = math.rsqrt %r1 : f32
    linalg.yield %r2 : f32
  } -> tensor<?xf32>
  %e13 = tensor.empty(%m1, %n2) : tensor<?x?xf32>
  %g14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g4, %g12 : tensor<?x?xf32>, tensor<?xf32>) outs(%e13 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %e15 = tensor.empty(%m1, %n2) : tensor<?x?xf32>
  %g16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g14, %w : tensor<?x?xf32>, tensor<?xf32>) outs(%e15 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.mulf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  return %g16 : tensor<?x?xf32>
}
