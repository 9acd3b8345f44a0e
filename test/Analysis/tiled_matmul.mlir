// RUN: klineage-opt %s -split-input-file -test-klineage-prove -o /dev/null | FileCheck %s
// RUN: klineage-opt %s -split-input-file -test-klineage-kernel-model -o /dev/null | FileCheck %s --check-prefix=MODEL

// MODEL-LABEL: kernel tiled block [16, 16, 1] grid [16, 16, 1]
// MODEL: memory %arg3 shared [16, 16] of 4 bytes, aligned 16
// MODEL: write %arg3[t.y, t.x] after 2*j0 barriers loop
// MODEL: read %arg3[t.y, j1] after 2*j0 + 1 barriers
// MODEL: barriers 2

// CHECK: tiled: launch_limits proved
// CHECK-NEXT: tiled: grid_limits proved
// CHECK-NEXT: tiled: in_bounds proved
// CHECK-NEXT: tiled: aligned proved
// CHECK-NEXT: tiled: barrier_uniform proved
// CHECK-NEXT: tiled: race_free_shared proved
// CHECK-NEXT: tiled: race_free_global proved
// CHECK-NEXT: tiled: bank_conflict_degree proved
module attributes {gpu.container_module} {
  func.func @tiled_host(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    gpu.launch_func @kernels::@tiled blocks in (%c16, %c16, %c1) threads in (%c16, %c16, %c1) args(%a : memref<256x256xf32>, %b : memref<256x256xf32>, %c : memref<256x256xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @tiled(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>)
        workgroup(%sa: memref<16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %sb: memref<16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c256 = arith.constant 256 : index
      %zero = arith.constant 0.0 : f32
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %r0 = arith.muli %by, %c16 : index
      %row = arith.addi %r0, %ty : index
      %l0 = arith.muli %bx, %c16 : index
      %col = arith.addi %l0, %tx : index
      %sum = scf.for %k = %c0 to %c256 step %c16 iter_args(%acc = %zero) -> f32 {
        %ka = arith.addi %k, %tx : index
        %kb = arith.addi %k, %ty : index
        %va = memref.load %a[%row, %ka] : memref<256x256xf32>
        %vb = memref.load %b[%kb, %col] : memref<256x256xf32>
        memref.store %va, %sa[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        memref.store %vb, %sb[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %in = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %acc) -> f32 {
          %x = memref.load %sa[%ty, %i] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %y = memref.load %sb[%i, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %m = arith.mulf %x, %y : f32
          %n = arith.addf %s, %m : f32
          scf.yield %n : f32
        }
        gpu.barrier
        scf.yield %in : f32
      }
      memref.store %sum, %c[%row, %col] : memref<256x256xf32>
      gpu.return
    }
  }
}

// -----

// The next tile is written while a slow thread still reads this one.
// CHECK: no_second_barrier: barrier_uniform proved
// CHECK-NEXT: no_second_barrier: race_free_shared refuted: write and read of %arg3
module attributes {gpu.container_module} {
  func.func @no_second_barrier_host(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    gpu.launch_func @kernels::@no_second_barrier blocks in (%c16, %c16, %c1) threads in (%c16, %c16, %c1) args(%a : memref<256x256xf32>, %b : memref<256x256xf32>, %c : memref<256x256xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @no_second_barrier(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>)
        workgroup(%sa: memref<16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %sb: memref<16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c256 = arith.constant 256 : index
      %zero = arith.constant 0.0 : f32
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %r0 = arith.muli %by, %c16 : index
      %row = arith.addi %r0, %ty : index
      %l0 = arith.muli %bx, %c16 : index
      %col = arith.addi %l0, %tx : index
      %sum = scf.for %k = %c0 to %c256 step %c16 iter_args(%acc = %zero) -> f32 {
        %ka = arith.addi %k, %tx : index
        %kb = arith.addi %k, %ty : index
        %va = memref.load %a[%row, %ka] : memref<256x256xf32>
        %vb = memref.load %b[%kb, %col] : memref<256x256xf32>
        memref.store %va, %sa[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        memref.store %vb, %sb[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %in = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %acc) -> f32 {
          %x = memref.load %sa[%ty, %i] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %y = memref.load %sb[%i, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %m = arith.mulf %x, %y : f32
          %n = arith.addf %s, %m : f32
          scf.yield %n : f32
        }
        scf.yield %in : f32
      }
      memref.store %sum, %c[%row, %col] : memref<256x256xf32>
      gpu.return
    }
  }
}

// -----

// CHECK: no_first_barrier: race_free_shared refuted: write and read of %arg3
module attributes {gpu.container_module} {
  func.func @no_first_barrier_host(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    gpu.launch_func @kernels::@no_first_barrier blocks in (%c16, %c16, %c1) threads in (%c16, %c16, %c1) args(%a : memref<256x256xf32>, %b : memref<256x256xf32>, %c : memref<256x256xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @no_first_barrier(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>)
        workgroup(%sa: memref<16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %sb: memref<16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c256 = arith.constant 256 : index
      %zero = arith.constant 0.0 : f32
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %r0 = arith.muli %by, %c16 : index
      %row = arith.addi %r0, %ty : index
      %l0 = arith.muli %bx, %c16 : index
      %col = arith.addi %l0, %tx : index
      %sum = scf.for %k = %c0 to %c256 step %c16 iter_args(%acc = %zero) -> f32 {
        %ka = arith.addi %k, %tx : index
        %kb = arith.addi %k, %ty : index
        %va = memref.load %a[%row, %ka] : memref<256x256xf32>
        %vb = memref.load %b[%kb, %col] : memref<256x256xf32>
        memref.store %va, %sa[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        memref.store %vb, %sb[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %in = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %acc) -> f32 {
          %x = memref.load %sa[%ty, %i] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %y = memref.load %sb[%i, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %m = arith.mulf %x, %y : f32
          %n = arith.addf %s, %m : f32
          scf.yield %n : f32
        }
        gpu.barrier
        scf.yield %in : f32
      }
      memref.store %sum, %c[%row, %col] : memref<256x256xf32>
      gpu.return
    }
  }
}

// -----

// CHECK: reads_beyond: in_bounds refuted: load from %arg3[t.y, j1] leaves dim 1 of extent 16 at
// CHECK: reads_beyond: race_free_shared unknown: presupposes in_bounds
module attributes {gpu.container_module} {
  func.func @reads_beyond_host(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    gpu.launch_func @kernels::@reads_beyond blocks in (%c16, %c16, %c1) threads in (%c16, %c16, %c1) args(%a : memref<256x256xf32>, %b : memref<256x256xf32>, %c : memref<256x256xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @reads_beyond(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>)
        workgroup(%sa: memref<16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %sb: memref<16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c17 = arith.constant 17 : index
      %c256 = arith.constant 256 : index
      %zero = arith.constant 0.0 : f32
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %r0 = arith.muli %by, %c16 : index
      %row = arith.addi %r0, %ty : index
      %l0 = arith.muli %bx, %c16 : index
      %col = arith.addi %l0, %tx : index
      %sum = scf.for %k = %c0 to %c256 step %c16 iter_args(%acc = %zero) -> f32 {
        %ka = arith.addi %k, %tx : index
        %kb = arith.addi %k, %ty : index
        %va = memref.load %a[%row, %ka] : memref<256x256xf32>
        %vb = memref.load %b[%kb, %col] : memref<256x256xf32>
        memref.store %va, %sa[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        memref.store %vb, %sb[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %in = scf.for %i = %c0 to %c17 step %c1 iter_args(%s = %acc) -> f32 {
          %x = memref.load %sa[%ty, %i] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %y = memref.load %sb[%i, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %m = arith.mulf %x, %y : f32
          %n = arith.addf %s, %m : f32
          scf.yield %n : f32
        }
        gpu.barrier
        scf.yield %in : f32
      }
      memref.store %sum, %c[%row, %col] : memref<256x256xf32>
      gpu.return
    }
  }
}

// -----

// CHECK: barrier_in_branch: barrier_uniform refuted: threads take different branches around a barrier at
// CHECK: barrier_in_branch: race_free_shared unknown: presupposes barrier_uniform
module attributes {gpu.container_module} {
  func.func @barrier_in_branch_host(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    gpu.launch_func @kernels::@barrier_in_branch blocks in (%c16, %c16, %c1) threads in (%c16, %c16, %c1) args(%a : memref<256x256xf32>, %b : memref<256x256xf32>, %c : memref<256x256xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @barrier_in_branch(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>)
        workgroup(%sa: memref<16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %sb: memref<16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c256 = arith.constant 256 : index
      %zero = arith.constant 0.0 : f32
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %r0 = arith.muli %by, %c16 : index
      %row = arith.addi %r0, %ty : index
      %l0 = arith.muli %bx, %c16 : index
      %col = arith.addi %l0, %tx : index
      %sum = scf.for %k = %c0 to %c256 step %c16 iter_args(%acc = %zero) -> f32 {
        %ka = arith.addi %k, %tx : index
        %kb = arith.addi %k, %ty : index
        %va = memref.load %a[%row, %ka] : memref<256x256xf32>
        %vb = memref.load %b[%kb, %col] : memref<256x256xf32>
        memref.store %va, %sa[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        memref.store %vb, %sb[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %some = arith.cmpi ult, %ty, %c1 : index
        scf.if %some {
          gpu.barrier
        }
        %in = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %acc) -> f32 {
          %x = memref.load %sa[%ty, %i] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %y = memref.load %sb[%i, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %m = arith.mulf %x, %y : f32
          %n = arith.addf %s, %m : f32
          scf.yield %n : f32
        }
        gpu.barrier
        scf.yield %in : f32
      }
      memref.store %sum, %c[%row, %col] : memref<256x256xf32>
      gpu.return
    }
  }
}

// -----

// Blocks along x write the same columns.
// CHECK: same_rows: race_free_shared proved
// CHECK-NEXT: same_rows: race_free_global refuted: write and write of %arg2{{.*}}two threads of two blocks
module attributes {gpu.container_module} {
  func.func @same_rows_host(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    gpu.launch_func @kernels::@same_rows blocks in (%c16, %c16, %c1) threads in (%c16, %c16, %c1) args(%a : memref<256x256xf32>, %b : memref<256x256xf32>, %c : memref<256x256xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @same_rows(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>)
        workgroup(%sa: memref<16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %sb: memref<16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c256 = arith.constant 256 : index
      %zero = arith.constant 0.0 : f32
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %r0 = arith.muli %by, %c16 : index
      %row = arith.addi %r0, %ty : index
      %l0 = arith.muli %bx, %c16 : index
      %col = arith.addi %l0, %tx : index
      %sum = scf.for %k = %c0 to %c256 step %c16 iter_args(%acc = %zero) -> f32 {
        %ka = arith.addi %k, %tx : index
        %kb = arith.addi %k, %ty : index
        %va = memref.load %a[%row, %ka] : memref<256x256xf32>
        %vb = memref.load %b[%kb, %col] : memref<256x256xf32>
        memref.store %va, %sa[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        memref.store %vb, %sb[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %in = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %acc) -> f32 {
          %x = memref.load %sa[%ty, %i] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %y = memref.load %sb[%i, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %m = arith.mulf %x, %y : f32
          %n = arith.addf %s, %m : f32
          scf.yield %n : f32
        }
        gpu.barrier
        scf.yield %in : f32
      }
      memref.store %sum, %c[%row, %tx] : memref<256x256xf32>
      gpu.return
    }
  }
}
