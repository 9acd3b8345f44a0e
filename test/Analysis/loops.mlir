// RUN: klineage-opt %s -split-input-file -test-klineage-prove -o /dev/null | FileCheck %s

#ws = #gpu.address_space<workgroup>

// A tree whose distance is halved by scf.while, and by a carried number.
// CHECK: tree_while: in_bounds proved
// CHECK: tree_while: barrier_uniform proved
// CHECK: tree_while: race_free_shared proved
// CHECK: tree_carried: in_bounds proved
// CHECK: tree_carried: race_free_shared proved
// The last distance is half of what the guard admits.
// CHECK: tree_shift_racy: in_bounds proved
// CHECK: tree_shift_racy: race_free_shared refuted
gpu.module @trees {
  gpu.func @tree_while(%x: memref<128xf32>)
      workgroup(%s: memref<128xf32, #ws>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<128xf32>
    memref.store %v, %s[%t] : memref<128xf32, #ws>
    gpu.barrier
    %end = scf.while (%d = %c64) : (index) -> index {
      %more = arith.cmpi ugt, %d, %c0 : index
      scf.condition(%more) %d : index
    } do {
    ^bb0(%d: index):
      %in = arith.cmpi ult, %t, %d : index
      scf.if %in {
        %o = arith.addi %t, %d : index
        %a = memref.load %s[%o] : memref<128xf32, #ws>
        memref.store %a, %s[%t] : memref<128xf32, #ws>
      }
      gpu.barrier
      %half = arith.shrui %d, %c1 : index
      scf.yield %half : index
    }
    gpu.return
  }
  gpu.func @tree_carried(%x: memref<128xf32>)
      workgroup(%s: memref<128xf32, #ws>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<128xf32>
    memref.store %v, %s[%t] : memref<128xf32, #ws>
    gpu.barrier
    %end = scf.for %i = %c0 to %c7 step %c1 iter_args(%d = %c64) -> index {
      %in = arith.cmpi ult, %t, %d : index
      scf.if %in {
        %o = arith.addi %t, %d : index
        %a = memref.load %s[%o] : memref<128xf32, #ws>
        memref.store %a, %s[%t] : memref<128xf32, #ws>
      }
      gpu.barrier
      %half = arith.shrui %d, %c1 : index
      scf.yield %half : index
    }
    gpu.return
  }
  gpu.func @tree_shift_racy(%x: memref<256xf32>)
      workgroup(%s: memref<256xf32, #ws>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<256xf32>
    memref.store %v, %s[%t] : memref<256xf32, #ws>
    gpu.barrier
    scf.for %i = %c0 to %c7 step %c1 {
      %d = arith.shrui %c64, %i : index
      %twice = arith.addi %d, %d : index
      %in = arith.cmpi ult, %t, %twice : index
      scf.if %in {
        %o = arith.addi %t, %d : index
        %a = memref.load %s[%o] : memref<256xf32, #ws>
        memref.store %a, %s[%t] : memref<256xf32, #ws>
      }
      gpu.barrier
    }
    gpu.return
  }
}

// -----

#ws = #gpu.address_space<workgroup>

// How often a loop runs, and where it goes, comes from memory: bounded.
// CHECK: data_trips: in_bounds proved
// CHECK: data_trips: barrier_uniform proved
// CHECK: data_trips: race_free_shared proved
// CHECK: data_while: in_bounds proved
// CHECK: data_while: race_free_shared proved
// Which threads meet at its barrier is not known.
// CHECK: data_barrier: barrier_uniform unknown
// CHECK: data_barrier: race_free_shared unknown
// CHECK: guarded_index: in_bounds proved
// CHECK: unguarded_index: in_bounds unknown
// CHECK: bucket: in_bounds proved
// CHECK: chosen: in_bounds proved
// CHECK: strided: in_bounds proved
// CHECK: strided: race_free_global unknown
gpu.module @data {
  gpu.func @data_trips(%n: memref<64xindex>)
      workgroup(%s: memref<64xf32, #ws>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %step = memref.load %n[%t] : memref<64xindex>
    scf.for %i = %c0 to %c64 step %step {
      %v = memref.load %n[%i] : memref<64xindex>
      memref.store %one, %s[%t] : memref<64xf32, #ws>
    }
    gpu.barrier
    %w = memref.load %s[%c0] : memref<64xf32, #ws>
    gpu.return
  }
  gpu.func @data_while(%n: memref<64xindex>)
      workgroup(%s: memref<64xf32, #ws>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %end = scf.while (%d = %t) : (index) -> index {
      %more = arith.cmpi ult, %d, %c64 : index
      scf.condition(%more) %d : index
    } do {
    ^bb0(%d: index):
      memref.store %one, %s[%t] : memref<64xf32, #ws>
      %next = memref.load %n[%t] : memref<64xindex>
      scf.yield %next : index
    }
    gpu.barrier
    %w = memref.load %s[%c0] : memref<64xf32, #ws>
    gpu.return
  }
  gpu.func @data_barrier(%n: memref<64xindex>)
      workgroup(%s: memref<64xf32, #ws>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %trips = memref.load %n[%t] : memref<64xindex>
    scf.for %i = %c0 to %trips step %c1 {
      memref.store %one, %s[%t] : memref<64xf32, #ws>
      gpu.barrier
    }
    gpu.return
  }
  gpu.func @guarded_index(%n: memref<64xindex>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %i = memref.load %n[%t] : memref<64xindex>
    %in = arith.cmpi ult, %i, %c64 : index
    scf.if %in {
      %v = memref.load %y[%i] : memref<64xf32>
    }
    gpu.return
  }
  gpu.func @unguarded_index(%n: memref<64xindex>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %i = memref.load %n[%t] : memref<64xindex>
    %in = arith.cmpi slt, %i, %c64 : index
    scf.if %in {
      %v = memref.load %y[%i] : memref<64xf32>
    }
    gpu.return
  }
  gpu.func @bucket(%n: memref<64xindex>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %i = memref.load %n[%t] : memref<64xindex>
    %b = arith.remui %i, %c64 : index
    %old = memref.atomic_rmw addf %one, %y[%b] : (f32, memref<64xf32>) -> f32
    gpu.return
  }
  gpu.func @chosen(%n: memref<64xindex>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %i = memref.load %n[%t] : memref<64xindex>
    %zero = arith.cmpi eq, %i, %c0 : index
    %at = arith.select %zero, %c0, %t : index
    %v = memref.load %y[%at] : memref<64xf32>
    gpu.return
  }
  // Rows may overlap, so writes of two threads may meet.
  gpu.func @strided(%y: memref<64x4xf32, strided<[?, 1]>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    memref.store %one, %y[%t, %c0] : memref<64x4xf32, strided<[?, 1]>>
    gpu.return
  }
}
