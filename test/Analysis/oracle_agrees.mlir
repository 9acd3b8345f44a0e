// RUN: klineage-opt %s -test-klineage-prove -o /dev/null | FileCheck %s

#ws = #gpu.address_space<workgroup>

// What the checked executor runs without a fault is not refuted.
// An index beyond its row that stays in the buffer.
// CHECK: next_row: in_bounds unknown: {{.*}}it may still lie in the buffer
// CHECK: beyond: in_bounds refuted: {{.*}}leaves dim 1 of extent 16
// CHECK: no_rows: in_bounds refuted: {{.*}}leaves dim 0 of extent 8
// A vector access without an alignment claims none but its elements'.
// CHECK: vector_anywhere: aligned proved
// CHECK: vector_claims: aligned refuted
// Barriers of two branches may become one.
// CHECK: both_branches: barrier_uniform unknown: {{.*}}the other branch has a barrier as well
// CHECK: one_branch: barrier_uniform refuted
module {
  gpu.module @k {
    gpu.func @next_row(%x: memref<8x16xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %t = gpu.thread_id x
      %i = arith.addi %t, %c1 : index
      %v = memref.load %x[%c0, %i] : memref<8x16xf32>
      gpu.return
    }
    gpu.func @beyond(%x: memref<8x16xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %t = gpu.thread_id x
      %i = arith.addi %t, %c1 : index
      %v = memref.load %x[%c7, %i] : memref<8x16xf32>
      gpu.return
    }
    gpu.func @no_rows(%x: memref<8x16xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %v = memref.load %x[%c8, %c0] : memref<8x16xf32>
      gpu.return
    }
    gpu.func @vector_anywhere(%x: memref<64xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %t = gpu.thread_id x
      %v = vector.load %x[%t] : memref<64xf32>, vector<4xf32>
      gpu.return
    }
    gpu.func @vector_claims(%x: memref<64xf32> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %t = gpu.thread_id x
      %v = vector.load %x[%t] {alignment = 16 : i64} : memref<64xf32>, vector<4xf32>
      gpu.return
    }
    gpu.func @both_branches(%x: memref<64xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c1 = arith.constant 1 : index
      %t = gpu.thread_id x
      %first = arith.cmpi ult, %t, %c1 : index
      scf.if %first {
        gpu.barrier
      } else {
        gpu.barrier
      }
      gpu.return
    }
    gpu.func @one_branch(%x: memref<64xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c1 = arith.constant 1 : index
      %t = gpu.thread_id x
      %first = arith.cmpi ult, %t, %c1 : index
      scf.if %first {
        gpu.barrier
      }
      gpu.return
    }
  }
}
