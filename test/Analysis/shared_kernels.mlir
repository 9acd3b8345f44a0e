// RUN: klineage-opt %s -split-input-file -test-klineage-prove -o /dev/null | FileCheck %s

// A slot is written in one iteration and read in the next: one barrier orders both.
// CHECK: double_buffer: in_bounds proved
// CHECK: double_buffer: race_free_shared proved
// One slot: the write of the next iteration meets the reads of this one.
// CHECK: one_slot: race_free_shared refuted
gpu.module @double {
  gpu.func @double_buffer(%x: memref<64x128xf32>)
      workgroup(%s: memref<2x128xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c127 = arith.constant 127 : index
    %tx = gpu.thread_id x
    %mirror = arith.subi %c127, %tx : index
    scf.for %i = %c0 to %c64 step %c1 {
      %slot = arith.remui %i, %c2 : index
      %v = memref.load %x[%i, %tx] : memref<64x128xf32>
      memref.store %v, %s[%slot, %tx] : memref<2x128xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = memref.load %s[%slot, %mirror] : memref<2x128xf32, #gpu.address_space<workgroup>>
      %z = arith.addf %v, %w : f32
    }
    gpu.return
  }
  gpu.func @one_slot(%x: memref<64x128xf32>)
      workgroup(%s: memref<2x128xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c127 = arith.constant 127 : index
    %tx = gpu.thread_id x
    %mirror = arith.subi %c127, %tx : index
    scf.for %i = %c0 to %c64 step %c1 {
      %v = memref.load %x[%i, %tx] : memref<64x128xf32>
      memref.store %v, %s[%c0, %tx] : memref<2x128xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = memref.load %s[%c0, %mirror] : memref<2x128xf32, #gpu.address_space<workgroup>>
      %z = arith.addf %v, %w : f32
    }
    gpu.return
  }
}

// -----

// CHECK: transpose_xor: in_bounds proved
// CHECK: transpose_xor: race_free_shared proved
// CHECK: transpose_pad: in_bounds proved
// CHECK: transpose_pad: race_free_shared proved
// CHECK: transpose_racy: race_free_shared refuted
gpu.module @transpose {
  gpu.func @transpose_xor(%x: memref<32x32xf32>, %y: memref<32x32xf32>)
      workgroup(%s: memref<32x32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 32, 1>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %v = memref.load %x[%ty, %tx] : memref<32x32xf32>
    %w = arith.xori %tx, %ty : index
    memref.store %v, %s[%ty, %w] : memref<32x32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = memref.load %s[%tx, %w] : memref<32x32xf32, #gpu.address_space<workgroup>>
    memref.store %r, %y[%ty, %tx] : memref<32x32xf32>
    gpu.return
  }
  gpu.func @transpose_pad(%x: memref<32x32xf32>, %y: memref<32x32xf32>)
      workgroup(%p: memref<32x33xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 32, 1>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %s = memref.subview %p[0, 0] [32, 32] [1, 1] : memref<32x33xf32, #gpu.address_space<workgroup>> to memref<32x32xf32, strided<[33, 1]>, #gpu.address_space<workgroup>>
    %v = memref.load %x[%ty, %tx] : memref<32x32xf32>
    memref.store %v, %s[%ty, %tx] : memref<32x32xf32, strided<[33, 1]>, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = memref.load %s[%tx, %ty] : memref<32x32xf32, strided<[33, 1]>, #gpu.address_space<workgroup>>
    memref.store %r, %y[%ty, %tx] : memref<32x32xf32>
    gpu.return
  }
  gpu.func @transpose_racy(%x: memref<32x32xf32>, %y: memref<32x32xf32>)
      workgroup(%s: memref<32x32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 32, 1>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %v = memref.load %x[%ty, %tx] : memref<32x32xf32>
    memref.store %v, %s[%ty, %tx] : memref<32x32xf32, #gpu.address_space<workgroup>>
    %r = memref.load %s[%tx, %ty] : memref<32x32xf32, #gpu.address_space<workgroup>>
    memref.store %r, %y[%ty, %tx] : memref<32x32xf32>
    gpu.return
  }
}

// -----

// Rounds of a reduction tree, unrolled. The last round without a barrier before it races.
// CHECK: tree: in_bounds proved
// CHECK: tree: barrier_uniform proved
// CHECK: tree: race_free_shared proved
// CHECK: tree_racy: race_free_shared refuted
gpu.module @tree {
  gpu.func @tree() workgroup(%s: memref<4xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    memref.store %zero, %s[%tx] : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %half = arith.cmpi ult, %tx, %c2 : index
    scf.if %half {
      %o = arith.addi %tx, %c2 : index
      %a = memref.load %s[%o] : memref<4xf32, #gpu.address_space<workgroup>>
      memref.store %a, %s[%tx] : memref<4xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %first = arith.cmpi ult, %tx, %c1 : index
    scf.if %first {
      %o = arith.addi %tx, %c1 : index
      %a = memref.load %s[%o] : memref<4xf32, #gpu.address_space<workgroup>>
      memref.store %a, %s[%tx] : memref<4xf32, #gpu.address_space<workgroup>>
    }
    gpu.return
  }
  gpu.func @tree_racy() workgroup(%s: memref<4xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    memref.store %zero, %s[%tx] : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %half = arith.cmpi ult, %tx, %c2 : index
    scf.if %half {
      %o = arith.addi %tx, %c2 : index
      %a = memref.load %s[%o] : memref<4xf32, #gpu.address_space<workgroup>>
      memref.store %a, %s[%tx] : memref<4xf32, #gpu.address_space<workgroup>>
    }
    %first = arith.cmpi ult, %tx, %c1 : index
    scf.if %first {
      %o = arith.addi %tx, %c1 : index
      %a = memref.load %s[%o] : memref<4xf32, #gpu.address_space<workgroup>>
      memref.store %a, %s[%tx] : memref<4xf32, #gpu.address_space<workgroup>>
    }
    gpu.return
  }
}

// -----

// What is not understood is never proved, and never refuted.
// CHECK: by_data: in_bounds unknown: {{.*}}it depends on memref.load, which is not understood
// CHECK: by_data: race_free_global unknown: presupposes in_bounds
// The condition of the loop bounds its index, which is otherwise not known.
// CHECK: while_loop: in_bounds proved
// CHECK: while_loop: race_free_global unknown: {{.*}}by two threads
gpu.module @limits {
  gpu.func @by_data(%x: memref<64xindex>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %i = memref.load %x[%tx] : memref<64xindex>
    memref.store %zero, %y[%i] : memref<64xf32>
    gpu.return
  }
  gpu.func @while_loop(%y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %r = scf.while (%i = %tx) : (index) -> index {
      %go = arith.cmpi ult, %i, %c1 : index
      scf.condition(%go) %i : index
    } do {
    ^bb0(%i: index):
      memref.store %zero, %y[%i] : memref<64xf32>
      %n = arith.addi %i, %c1 : index
      scf.yield %n : index
    }
    gpu.return
  }
}

// -----

// Sizes are free: a guard that ties the index to its own extent proves; one that is missing refutes;
// two extents that the caller may tie are left open.
// CHECK: guarded: in_bounds proved
// CHECK: guarded: race_free_global proved
// CHECK: unguarded: in_bounds refuted: {{.*}} at
// CHECK: two_sizes: in_bounds unknown: {{.*}}how {{.*}} are related
module attributes {gpu.container_module} {
  func.func @host(%x: memref<?xf32>, %y: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %m = memref.dim %y, %c0 : memref<?xf32>
    %g = arith.ceildivui %n, %c64 : index
    %p = memref.reinterpret_cast %x to offset: [0], sizes: [], strides: [] : memref<?xf32> to memref<f32>
    gpu.launch_func @sized::@guarded blocks in (%g, %c1, %c1) threads in (%c64, %c1, %c1) args(%p : memref<f32>, %n : index, %m : index)
    gpu.launch_func @sized::@unguarded blocks in (%g, %c1, %c1) threads in (%c64, %c1, %c1) args(%p : memref<f32>, %n : index, %m : index)
    gpu.launch_func @sized::@two_sizes blocks in (%g, %c1, %c1) threads in (%c64, %c1, %c1) args(%p : memref<f32>, %n : index, %m : index)
    return
  }
  gpu.module @sized {
    gpu.func @guarded(%p: memref<f32>, %n: index, %m: index) kernel {
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %x = memref.reinterpret_cast %p to offset: [0], sizes: [%n], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
      %tx = gpu.thread_id x
      %bx = gpu.block_id x
      %b = arith.muli %bx, %c64 : index
      %i = arith.addi %b, %tx : index
      %in = arith.cmpi ult, %i, %n : index
      scf.if %in {
        memref.store %zero, %x[%i] : memref<?xf32, strided<[1]>>
      }
      gpu.return
    }
    gpu.func @unguarded(%p: memref<f32>, %n: index, %m: index) kernel {
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %x = memref.reinterpret_cast %p to offset: [0], sizes: [%n], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
      %tx = gpu.thread_id x
      %bx = gpu.block_id x
      %b = arith.muli %bx, %c64 : index
      %i = arith.addi %b, %tx : index
      memref.store %zero, %x[%i] : memref<?xf32, strided<[1]>>
      gpu.return
    }
    gpu.func @two_sizes(%p: memref<f32>, %n: index, %m: index) kernel {
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %x = memref.reinterpret_cast %p to offset: [0], sizes: [%n], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
      %tx = gpu.thread_id x
      %bx = gpu.block_id x
      %b = arith.muli %bx, %c64 : index
      %i = arith.addi %b, %tx : index
      %in = arith.cmpi ult, %i, %m : index
      scf.if %in {
        memref.store %zero, %x[%i] : memref<?xf32, strided<[1]>>
      }
      gpu.return
    }
  }
}
