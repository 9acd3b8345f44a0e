func.func @row_sum(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %k1 = arith.constant 0.0 : f32
  %m2_i = arith.constant 0 : index
  %m2 = tensor.dim %x, %m2_i : tensor<?x?xf32>
  %e3 = tensor.empty(%m2) : tensor<?xf32>
  %f4 = linalg.fill ins(%k1 : f32) outs(%e3 : tensor<?xf32>) -> tensor<?xf32>
  %g5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%f4 : tensor<?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    %r0 = arith.addf %x0, %acc : f32
    linalg.yield %r0 : f32
  } -> tensor<?xf32>
  return %g5 : tensor<?xf32>
}
