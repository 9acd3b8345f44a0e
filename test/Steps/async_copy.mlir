// RUN: klineage-opt %s -verify-diagnostics --klineage-test-step="kind=async_copy params={bytes=16} check-undo" -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: klineage-opt %t --klineage-emit=format=kernels | FileCheck %s --check-prefix=KERNEL
// RUN: klineage-opt %t --klineage-emit=format=ptx | FileCheck %s --check-prefix=PTX
// RUN: klineage-opt %t --klineage-prove | FileCheck %s --check-prefix=PROVE

// The copy in the loop is waited for with the other one, after the loop.
// CHECK: linalg.copy {klineage.async = 16 : i64
// KERNEL: scf.for
// KERNEL: nvgpu.device_async_copy %{{.*}}[%c0{{.*}}, %c0{{.*}}], %{{.*}}[%c0{{.*}}, %c0{{.*}}], 4 {bypassL1}
// KERNEL: nvgpu.device_async_copy %{{.*}}[%c0{{.*}}, %c4{{.*}}], %{{.*}}[%c0{{.*}}, %c4{{.*}}], 4 {bypassL1}
// KERNEL: memref.store
// KERNEL: %[[GROUP:.*]] = nvgpu.device_async_create_group
// KERNEL-NEXT: nvgpu.device_async_wait %[[GROUP]] {numGroups = 0 : i32}
// KERNEL-NEXT: gpu.barrier
// KERNEL-NOT: nvgpu
// PTX-COUNT-2: cp.async.cg.shared.global
// PTX: cp.async.commit_group
// PTX: cp.async.wait_group
// PTX-NEXT: bar.sync

// The proof of races takes a waited-for copy for a store.
// PROVE: in_bounds proved
// PROVE: race_free_shared proved
// PROVE: assumes copies that one thread has under way together go to different bytes
func.func @stage(%x: memref<64x64xf32> {llvm.align = 16 : i64}, %w: memref<8xf32>, %y: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.forall (%b) in (1) {
    %s = memref.alloc() {alignment = 16 : i64} : memref<64x64xf32, #gpu.address_space<workgroup>>
    %ws = memref.alloc() {alignment = 16 : i64} : memref<8xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (32, 8) {
      %column = affine.apply affine_map<(d0) -> (d0 * 8)>(%tx)
      scf.for %r = %c0 to %c64 step %c32 {
        %row = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%r, %ty)
        %from = memref.subview %x[%row, %column] [1, 8] [1, 1] : memref<64x64xf32> to memref<1x8xf32, strided<[64, 1], offset: ?>>
        %to = memref.subview %s[%row, %column] [1, 8] [1, 1] : memref<64x64xf32, #gpu.address_space<workgroup>> to memref<1x8xf32, strided<[64, 1], offset: ?>, #gpu.address_space<workgroup>>
        // expected-remark @below {{R1 holds}}
        linalg.copy {klineage.target = 0 : i64} ins(%from : memref<1x8xf32, strided<[64, 1], offset: ?>>) outs(%to : memref<1x8xf32, strided<[64, 1], offset: ?>, #gpu.address_space<workgroup>>)
      } {klineage.thread_loop}
      %first = arith.cmpi eq, %ty, %c0 : index
      scf.if %first {
        %v = memref.load %w[%tx] : memref<8xf32>
        memref.store %v, %ws[%tx] : memref<8xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      scf.for %r = %c0 to %c64 step %c32 {
        %row = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%r, %ty)
        %a = memref.load %s[%column, %row] : memref<64x64xf32, #gpu.address_space<workgroup>>
        %k = memref.load %ws[%tx] : memref<8xf32, #gpu.address_space<workgroup>>
        %p = arith.mulf %a, %k : f32
        memref.store %p, %y[%row, %tx] : memref<64x64xf32>
      } {klineage.thread_loop}
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
