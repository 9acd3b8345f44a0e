func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %k1 = arith.constant 0xFF800000 : f32
  %m2_i = arith.constant 0 : index
  %m2 = tensor.dim %x, %m2_i : tensor<?x?xf32>
  %e3 = tensor.empty(%m2) : tensor<?xf32>
  %f4 = linalg.fill ins(%k1 : f32) outs(%e3 : tensor<?xf32>) -> tensor<?xf32>
  %g5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%f4 : tensor<?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.maximumf %x0, %acc : f32
    linalg.yield %r0 : f32
  } -> tensor<?xf32>
  %n6_i = arith.constant 1 : index
  %n6 = tensor.dim %x, %n6_i : tensor<?x?xf32>
  %e7 = tensor.empty(%m2, %n6) : tensor<?x?xf32>
  %g8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %g5 : tensor<?x?xf32>, tensor<?xf32>) outs(%e7 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.subf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %e9 = tensor.empty(%m2, %n6) : tensor<?x?xf32>
  %g10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g8 : tensor<?x?xf32>) outs(%e9 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = math.exp %x0 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  %k11 = arith.constant 0.0 : f32
  %e12 = tensor.empty(%m2) : tensor<?xf32>
  %f13 = linalg.fill ins(%k11 : f32) outs(%e12 : tensor<?xf32>) -> tensor<?xf32>
  %g14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%g10 : tensor<?x?xf32>) outs(%f13 : tensor<?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.addf %x0, %acc : f32
    linalg.yield %r0 : f32
  } -> tensor<?xf32>
  %e15 = tensor.empty(%m2, %n6) : tensor<?x?xf32>
  %g16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%g10, %g14 : tensor<?x?xf32>, tensor<?xf32>) outs(%e15 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %r0 = arith.divf %x0, %x1 : f32
    linalg.yield %r0 : f32
  } -> tensor<?x?xf32>
  return %g16 : tensor<?x?xf32>
}
