// RUN: klineage-opt %s --klineage-test-step="kind=tile_to_blocks targets=contraction params={tile_sizes=[32,32]}" --klineage-test-step="kind=distribute_to_threads targets=scf.forall params={threads=[16,16],warps=[2,4]} check-undo" 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=R1 --input-file=%t
// RUN: not klineage-opt %s --klineage-test-step="kind=tile_to_blocks targets=contraction params={tile_sizes=[32,32]}" --klineage-test-step="kind=distribute_to_threads targets=scf.forall params={threads=[16,16],warps=[4,4]}" 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not klineage-opt %s --klineage-test-step="kind=tile_to_blocks targets=contraction params={tile_sizes=[32,32]}" --klineage-test-step="kind=distribute_to_threads targets=scf.forall params={threads=[256],warps=[8,1]}" 2>&1 | FileCheck %s --check-prefix=PLANE
// RUN: not klineage-opt %s --klineage-test-step="kind=tile_to_blocks targets=contraction params={tile_sizes=[32,32]}" --klineage-test-step="kind=distribute_to_threads targets=scf.forall params={threads=[16,16],warps=[8]}" 2>&1 | FileCheck %s --check-prefix=COUNT

// R1: remark: R1 holds
// LANES: clause 'warp_shape' is refuted: expected threads over warps a rectangle of 32 lanes, found 4 x 4
// PLANE: clause 'warp_shape' is refuted: expected threads over warps a rectangle of 32 lanes, found no threads along x and y alone
// COUNT: distribute_to_threads takes 1 to 3 thread extents, 2 chunk extents and 2 numbers of warps

// A warp has 8 x 4 tiles; without warps it would have 16 x 2. Offsets of the
// tile come from the number of the warp and of the lane.
// CHECK-DAG: affine_map<{{.*}}floordiv 32{{.*}}>
// CHECK: scf.forall (%[[Y:.*]], %[[X:.*]]) in (16, 16)
// CHECK: affine.apply
// CHECK: memref.subview %{{.*}}[%{{[0-9]+}}, %{{[0-9]+}}] [2, 2] [1, 1]
func.func @matmul(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
