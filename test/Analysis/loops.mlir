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

// -----

// Rows and columns of a flat buffer, of any extents.
// CHECK: flat: in_bounds proved
// CHECK: flat: race_free_global proved
// Without the guard of the columns an element of the next row is read, or none.
// CHECK: flat_unguarded: in_bounds unknown
// A while loop that adds a constant has a closed form, whoever bounds it.
// CHECK: strides: in_bounds proved
// CHECK: strides: race_free_global proved
// CHECK: strides_racy: in_bounds proved
// CHECK: strides_racy: race_free_global unknown
module attributes {gpu.container_module} {
  func.func @entry(%x: memref<?x?xf32>, %y: memref<4096xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %m = memref.dim %x, %c0 : memref<?x?xf32>
    %n = memref.dim %x, %c1 : memref<?x?xf32>
    %mn = arith.muli %m, %n : index
    %gx = arith.ceildivui %n, %c16 : index
    %gy = arith.ceildivui %m, %c16 : index
    %p = memref.reinterpret_cast %x to offset: [0], sizes: [], strides: [] : memref<?x?xf32> to memref<f32, strided<[]>>
    %q = memref.cast %p : memref<f32, strided<[]>> to memref<f32>
    gpu.launch_func @k::@flat blocks in (%gx, %gy, %c1) threads in (%c16, %c16, %c1) args(%q : memref<f32>, %m : index, %n : index, %mn : index)
    gpu.launch_func @k::@flat_unguarded blocks in (%gx, %gy, %c1) threads in (%c16, %c16, %c1) args(%q : memref<f32>, %m : index, %n : index, %mn : index)
    gpu.launch_func @k::@strides blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%y : memref<4096xf32>)
    gpu.launch_func @k::@strides_racy blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%y : memref<4096xf32>)
    return
  }
  gpu.module @k {
    gpu.func @flat(%a: memref<f32>, %m: index, %n: index, %mn: index) kernel {
      %x = memref.reinterpret_cast %a to offset: [0], sizes: [%mn], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
      %c16 = arith.constant 16 : index
      %one = arith.constant 1.0 : f32
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %r0 = arith.muli %by, %c16 : index
      %q0 = arith.muli %bx, %c16 : index
      %r = arith.addi %r0, %ty : index
      %q = arith.addi %q0, %tx : index
      %rin = arith.cmpi ult, %r, %m : index
      %qin = arith.cmpi ult, %q, %n : index
      %in = arith.andi %rin, %qin : i1
      scf.if %in {
        %f = arith.muli %r, %n : index
        %i = arith.addi %f, %q : index
        memref.store %one, %x[%i] : memref<?xf32, strided<[1]>>
      }
      gpu.return
    }
    gpu.func @flat_unguarded(%a: memref<f32>, %m: index, %n: index, %mn: index) kernel {
      %x = memref.reinterpret_cast %a to offset: [0], sizes: [%mn], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
      %c16 = arith.constant 16 : index
      %one = arith.constant 1.0 : f32
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %r0 = arith.muli %by, %c16 : index
      %q0 = arith.muli %bx, %c16 : index
      %r = arith.addi %r0, %ty : index
      %q = arith.addi %q0, %tx : index
      %in = arith.cmpi ult, %r, %m : index
      scf.if %in {
        %f = arith.muli %r, %n : index
        %i = arith.addi %f, %q : index
        memref.store %one, %x[%i] : memref<?xf32, strided<[1]>>
      }
      gpu.return
    }
    gpu.func @strides(%y: memref<4096xf32>) kernel {
      %c16 = arith.constant 16 : index
      %c4096 = arith.constant 4096 : index
      %one = arith.constant 1.0 : f32
      %tx = gpu.thread_id x
      %end = scf.while (%i = %tx) : (index) -> index {
        %more = arith.cmpi ult, %i, %c4096 : index
        scf.condition(%more) %i : index
      } do {
      ^bb0(%i: index):
        memref.store %one, %y[%i] : memref<4096xf32>
        %n = arith.addi %i, %c16 : index
        scf.yield %n : index
      }
      gpu.return
    }
    gpu.func @strides_racy(%y: memref<4096xf32>) kernel {
      %c8 = arith.constant 8 : index
      %c4096 = arith.constant 4096 : index
      %one = arith.constant 1.0 : f32
      %tx = gpu.thread_id x
      %end = scf.while (%i = %tx) : (index) -> index {
        %more = arith.cmpi ult, %i, %c4096 : index
        scf.condition(%more) %i : index
      } do {
      ^bb0(%i: index):
        memref.store %one, %y[%i] : memref<4096xf32>
        %n = arith.addi %i, %c8 : index
        scf.yield %n : index
      }
      gpu.return
    }
  }
}
