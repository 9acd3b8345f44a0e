// The example of docs/steps/async_copy.md.
// STEP: kind=async_copy targets=linalg.copy params={bytes=16}
func.func @transpose(%x: memref<32x32xf32>, %y: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%b) in (1) {
    %s = memref.alloc() {alignment = 16 : i64} : memref<32x32xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (32, 8) {
      %column = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %from = memref.subview %x[%ty, %column] [1, 4] [1, 1] : memref<32x32xf32> to memref<1x4xf32, strided<[32, 1], offset: ?>>
      %to = memref.subview %s[%ty, %column] [1, 4] [1, 1] : memref<32x32xf32, #gpu.address_space<workgroup>> to memref<1x4xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
      linalg.copy ins(%from : memref<1x4xf32, strided<[32, 1], offset: ?>>) outs(%to : memref<1x4xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>)
      gpu.barrier
      scf.for %j = %c0 to %c4 step %c1 {
        %row = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%column, %j)
        %v = memref.load %s[%row, %ty] : memref<32x32xf32, #gpu.address_space<workgroup>>
        memref.store %v, %y[%ty, %row] : memref<32x32xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
