// The example of docs/steps/remove_barrier.md.
// STEP: kind=remove_barrier targets=gpu.barrier#1
func.func @transpose(%x: memref<32x32xf32>, %y: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  scf.forall (%b) in (1) {
    %s = memref.alloc() : memref<32x32xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (8, 32) {
      scf.for %r = %ty to %c32 step %c8 {
        %v = memref.load %x[%r, %tx] : memref<32x32xf32>
        memref.store %v, %s[%r, %tx] : memref<32x32xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      scf.for %r = %ty to %c32 step %c8 {
        %w = memref.load %s[%tx, %r] : memref<32x32xf32, #gpu.address_space<workgroup>>
        memref.store %w, %y[%r, %tx] : memref<32x32xf32>
      }
      gpu.barrier
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
