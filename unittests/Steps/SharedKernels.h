//===- SharedKernels.h - Hand-written kernels with shared memory
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_UNITTESTS_STEPS_SHAREDKERNELS_H
#define KLINEAGE_UNITTESTS_STEPS_SHAREDKERNELS_H

namespace klineage::test {

/// Transpose of 64x64 tiles through shared memory; threads in SIMT form. Two
/// barriers: the second orders nothing, as nobody writes afterwards.
inline const char *const kTranspose = R"mlir(
func.func @transpose(%x: memref<128x64xf32>, %y: memref<64x128xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.forall (%b) in (2) {
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (4, 16) {
      %col = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      scf.for %r = %ty to %c64 step %c4 {
        %row = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1)>(%b, %r)
        %v = vector.load %x[%row, %col] : memref<128x64xf32>, vector<4xf32>
        vector.store %v, %s[%r, %col] : memref<64x64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      }
      gpu.barrier
      scf.for %r = %ty to %c64 step %c4 {
        scf.for %i = %tx to %c64 step %c16 {
          %o = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1)>(%b, %i)
          %w = memref.load %s[%i, %r] : memref<64x64xf32, #gpu.address_space<workgroup>>
          memref.store %w, %y[%r, %o] : memref<64x128xf32>
        }
      }
      gpu.barrier
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
})mlir";

/// The same idea as a launched kernel: each block reverses 64 elements.
inline const char *const kReverse = R"mlir(
module attributes {gpu.container_module} {
  func.func @reverse(%x: memref<256xf32>, %y: memref<256xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@reverse blocks in (%c4, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%x : memref<256xf32>, %y : memref<256xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @reverse(%x: memref<256xf32>, %y: memref<256xf32>)
        workgroup(%s : memref<64xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %i = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1)>(%b, %t)
      %m = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
      %v = memref.load %x[%i] : memref<256xf32>
      memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %u = memref.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      %d = arith.addf %u, %u : f32
      memref.store %d, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = memref.load %s[%m] : memref<64xf32, #gpu.address_space<workgroup>>
      %e = math.exp %w : f32
      memref.store %e, %y[%i] : memref<256xf32>
      gpu.return
    }
  }
})mlir";

} // namespace klineage::test

#endif // KLINEAGE_UNITTESTS_STEPS_SHAREDKERNELS_H
