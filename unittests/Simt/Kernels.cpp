//===- Kernels.cpp - MLIR kernels that the tests run and break
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

const char *const klineage::simt::test::naiveMatmul = R"mlir(
gpu.module @kernels {
  gpu.func @naive(%A: memref<64x64xf32>, %B: memref<64x64xf32>,
                  %C: memref<64x64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %extent = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %r0 = arith.muli %by, %c16 : index
    %row = arith.addi %r0, %ty : index
    %q0 = arith.muli %bx, %c16 : index
    %col = arith.addi %q0, %tx : index
    %sum = scf.for %k = %c0 to %extent step %c1 iter_args(%acc = %zero) -> f32 {
      %a = memref.load %A[%row, %k] : memref<64x64xf32>
      %b = memref.load %B[%k, %col] : memref<64x64xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %acc, %p : f32
      scf.yield %s : f32
    }
    memref.store %sum, %C[%row, %col] : memref<64x64xf32>
    gpu.return
  }
})mlir";

const char *const klineage::simt::test::tiledMatmul = R"mlir(
gpu.module @kernels {
  gpu.func @tiled(%A: memref<64x64xf32>, %B: memref<64x64xf32>,
                  %C: memref<64x64xf32>)
      workgroup(%As: memref<16x16xf32, 3>, %Bs: memref<16x16xf32, 3>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %r0 = arith.muli %by, %c16 : index
    %row = arith.addi %r0, %ty : index
    %q0 = arith.muli %bx, %c16 : index
    %col = arith.addi %q0, %tx : index
    %sum = scf.for %k0 = %c0 to %c64 step %c16 iter_args(%acc0 = %zero) -> f32 {
      %ka = arith.addi %k0, %tx : index
      %kb = arith.addi %k0, %ty : index
      %av = memref.load %A[%row, %ka] : memref<64x64xf32>
      memref.store %av, %As[%ty, %tx] : memref<16x16xf32, 3>
      %bv = memref.load %B[%kb, %col] : memref<64x64xf32>
      memref.store %bv, %Bs[%ty, %tx] : memref<16x16xf32, 3>
      gpu.barrier // first
      %part = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %acc0) -> f32 {
        %a = memref.load %As[%ty, %k] : memref<16x16xf32, 3>
        %b = memref.load %Bs[%k, %tx] : memref<16x16xf32, 3>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %acc, %p : f32
        scf.yield %s : f32
      }
      gpu.barrier // second
      scf.yield %part : f32
    }
    memref.store %sum, %C[%row, %col] : memref<64x64xf32>
    gpu.return
  }
})mlir";

const char *const klineage::simt::test::blockReduce = R"mlir(
gpu.module @kernels {
  gpu.func @reduce(%X: memref<1024xf32>, %Y: memref<4xf32>)
      workgroup(%S: memref<8xf32, 3>) kernel {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %w = arith.constant 32 : i32
    %o16 = arith.constant 16 : i32
    %o8 = arith.constant 8 : i32
    %o4 = arith.constant 4 : i32
    %o2 = arith.constant 2 : i32
    %o1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %lane = arith.remui %tx, %c32 : index
    %warp = arith.divui %tx, %c32 : index
    %b0 = arith.muli %bx, %c256 : index
    %i = arith.addi %b0, %tx : index
    %x = memref.load %X[%i] : memref<1024xf32>
    %e0 = math.exp %x : f32
    %s16, %p16 = gpu.shuffle xor %e0, %o16, %w : f32
    %e1 = arith.addf %e0, %s16 : f32
    %s8, %p8 = gpu.shuffle xor %e1, %o8, %w : f32
    %e2 = arith.addf %e1, %s8 : f32
    %s4, %p4 = gpu.shuffle xor %e2, %o4, %w : f32
    %e3 = arith.addf %e2, %s4 : f32
    %s2, %p2 = gpu.shuffle xor %e3, %o2, %w : f32
    %e4 = arith.addf %e3, %s2 : f32
    %s1, %p1 = gpu.shuffle xor %e4, %o1, %w : f32
    %e5 = arith.addf %e4, %s1 : f32
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %e5, %S[%warp] : memref<8xf32, 3>
    }
    gpu.barrier
    %low = arith.cmpi ult, %tx, %c32 : index
    scf.if %low {
      %has = arith.cmpi ult, %lane, %c8 : index
      %v0 = scf.if %has -> f32 {
        %v = memref.load %S[%lane] : memref<8xf32, 3>
        scf.yield %v : f32
      } else {
        scf.yield %zero : f32
      }
      %t4, %q4 = gpu.shuffle xor %v0, %o4, %w : f32
      %v1 = arith.addf %v0, %t4 : f32
      %t2, %q2 = gpu.shuffle xor %v1, %o2, %w : f32
      %v2 = arith.addf %v1, %t2 : f32
      %t1, %q1 = gpu.shuffle xor %v2, %o1, %w : f32
      %v3 = arith.addf %v2, %t1 : f32
      %zeroth = arith.cmpi eq, %tx, %c0 : index
      scf.if %zeroth {
        memref.store %v3, %Y[%bx] : memref<4xf32>
      }
    }
    gpu.return
  }
})mlir";

const char *const klineage::simt::test::tensorCore = R"mlir(
gpu.module @kernels {
  gpu.func @mma(%A: memref<16x16xf16>, %B: memref<16x8xf16>,
                %D: memref<16x8xf32>)
      workgroup(%As: memref<16x16xf16, 3> {llvm.align = 16 : i64},
                %Bs: memref<16x8xf16, 3> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %acc = arith.constant dense<0.0> : vector<2x2xf32>
    %t = gpu.thread_id x
    %ar = arith.divui %t, %c2 : index
    %ah = arith.remui %t, %c2 : index
    %ac = arith.muli %ah, %c8 : index
    %k0 = nvgpu.device_async_copy %A[%ar, %ac], %As[%ar, %ac], 8
        : memref<16x16xf16> to memref<16x16xf16, 3>
    %low = arith.cmpi ult, %t, %c16 : index
    scf.if %low {
      %k1 = nvgpu.device_async_copy %B[%t, %c0], %Bs[%t, %c0], 8
          : memref<16x8xf16> to memref<16x8xf16, 3>
    }
    %g = nvgpu.device_async_create_group
    nvgpu.device_async_wait %g {numGroups = 0 : i32}
    gpu.barrier
    %lr = arith.remui %t, %c16 : index
    %lh = arith.divui %t, %c16 : index
    %lc = arith.muli %lh, %c8 : index
    %a = nvgpu.ldmatrix %As[%lr, %lc] {numTiles = 4 : i32, transpose = false}
        : memref<16x16xf16, 3> -> vector<4x2xf16>
    %b = nvgpu.ldmatrix %Bs[%lr, %c0] {numTiles = 2 : i32, transpose = true}
        : memref<16x8xf16, 3> -> vector<2x2xf16>
    %d = nvgpu.mma.sync(%a, %b, %acc) {mmaShape = [16, 8, 16]}
        : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %dr = arith.divui %t, %c4 : index
    %dq = arith.remui %t, %c4 : index
    %dc = arith.muli %dq, %c2 : index
    %dr8 = arith.addi %dr, %c8 : index
    %dc1 = arith.addi %dc, %c1 : index
    %d00 = vector.extract %d[0, 0] : f32 from vector<2x2xf32>
    %d01 = vector.extract %d[0, 1] : f32 from vector<2x2xf32>
    %d10 = vector.extract %d[1, 0] : f32 from vector<2x2xf32>
    %d11 = vector.extract %d[1, 1] : f32 from vector<2x2xf32>
    memref.store %d00, %D[%dr, %dc] : memref<16x8xf32>
    memref.store %d01, %D[%dr, %dc1] : memref<16x8xf32>
    memref.store %d10, %D[%dr8, %dc] : memref<16x8xf32>
    memref.store %d11, %D[%dr8, %dc1] : memref<16x8xf32>
    gpu.return
  }
})mlir";

const char *const klineage::simt::test::histogram = R"mlir(
gpu.module @kernels {
  gpu.func @histogram(%X: memref<512xi32>, %H: memref<16xi32>)
      workgroup(%S: memref<16xi32, 3>) kernel {
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %m16 = arith.constant 16 : i32
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %low = arith.cmpi ult, %tx, %c16 : index
    scf.if %low {
      memref.store %zero, %S[%tx] : memref<16xi32, 3>
    }
    gpu.barrier
    %b0 = arith.muli %bx, %c128 : index
    %i = arith.addi %b0, %tx : index
    %x = memref.load %X[%i] : memref<512xi32>
    %m = arith.remui %x, %m16 : i32
    %bin = arith.index_cast %m : i32 to index
    %o = memref.atomic_rmw addi %one, %S[%bin] : (i32, memref<16xi32, 3>) -> i32
    gpu.barrier
    scf.if %low {
      %n = memref.load %S[%tx] : memref<16xi32, 3>
      %q = memref.atomic_rmw addi %n, %H[%tx] : (i32, memref<16xi32>) -> i32
    }
    gpu.return
  }
})mlir";

const char *const klineage::simt::test::dynamicShared = R"mlir(
gpu.module @kernels {
  gpu.func @reverse(%X: memref<128xf32>, %Y: memref<128xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c127 = arith.constant 127 : index
    %bytes = gpu.dynamic_shared_memory
        : memref<?xi8, #gpu.address_space<workgroup>>
    %S = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>>
        to memref<128xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %x = memref.load %X[%t] : memref<128xf32>
    memref.store %x, %S[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = arith.subi %c127, %t : index
    %y = memref.load %S[%r] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %y, %Y[%t] : memref<128xf32>
    gpu.return
  }
})mlir";
