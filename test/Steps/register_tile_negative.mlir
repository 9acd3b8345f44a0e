// RUN: klineage-opt %s -verify-diagnostics --klineage-test-step="kind=register_tile"

// Copied out after the loop, the registers would overwrite the stored values.
func.func @store_in_loop(%a: memref<16x64xf32>, %b: memref<64x16xf32>, %c: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  scf.forall (%i) = (0) to (16) step (16) {
    scf.forall (%t) in (16) {
      %z = memref.subview %c[%t, 0] [1, 16] [1, 1] : memref<16x16xf32> to memref<1x16xf32, strided<[16, 1], offset: ?>>
      scf.for %k = %c0 to %c64 step %c16 {
        memref.store %one, %c[%t, %c0] : memref<16x16xf32>
        %x = memref.subview %a[%t, %k] [1, 16] [1, 1] : memref<16x64xf32> to memref<1x16xf32, strided<[64, 1], offset: ?>>
        %y = memref.subview %b[%k, 0] [16, 16] [1, 1] : memref<64x16xf32> to memref<16x16xf32, strided<[16, 1], offset: ?>>
        // expected-error @below {{clause 'sole_access' is refuted: expected no other access to the output in the loop, found memref.store}}
        linalg.matmul {klineage.target = 0 : i64} ins(%x, %y : memref<1x16xf32, strided<[64, 1], offset: ?>>, memref<16x16xf32, strided<[16, 1], offset: ?>>) outs(%z : memref<1x16xf32, strided<[16, 1], offset: ?>>)
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
