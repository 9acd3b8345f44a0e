func.func @transpose(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %n1_i = arith.constant 1 : index
  %n1 = tensor.dim %x, %n1_i : tensor<?x?xf32>
  %m2_i = arith.constant 0 : index
  %m2 = tensor.dim %x, %m2_i : tensor<?x?xf32>
  %e3 = tensor.empty(%n1, %m2) : tensor<?x?xf32>
  %g4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e3 : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %acc: f32):
    linalg.yield %x0 : f32
  } -> tensor<?x?xf32>
  return %g4 : tensor<?x?xf32>
}
