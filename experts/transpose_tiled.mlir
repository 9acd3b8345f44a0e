// Transpose through a padded tile of shared memory, written by hand: 32 x 32
// elements a block of 32 x 8 threads. Reads and writes are coalesced; 33 words
// a row keep columns of the tile in different banks.
module attributes {gpu.container_module} {
  func.func @transpose(%x: memref<100x77xf32>, %y: memref<77x100xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %m = memref.dim %x, %c0 : memref<100x77xf32>
    %n = memref.dim %x, %c1 : memref<100x77xf32>
    %gx = arith.ceildivui %n, %c32 : index
    %gy = arith.ceildivui %m, %c32 : index
    gpu.launch_func @kernels::@transpose_tile
        blocks in (%gx, %gy, %c1) threads in (%c32, %c8, %c1)
        args(%x : memref<100x77xf32>, %y : memref<77x100xf32>)
    return
  }

  gpu.module @kernels {
    gpu.func @transpose_tile(%x: memref<100x77xf32>, %y: memref<77x100xf32>)
        workgroup(%tile: memref<32x33xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 8, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %m = memref.dim %x, %c0 : memref<100x77xf32>
      %n = memref.dim %x, %c1 : memref<100x77xf32>
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %col0 = arith.muli %bx, %c32 : index
      %row0 = arith.muli %by, %c32 : index
      %col = arith.addi %col0, %tx : index
      scf.for %r = %ty to %c32 step %c8 {
        %row = arith.addi %row0, %r : index
        %in_m = arith.cmpi ult, %row, %m : index
        %in_n = arith.cmpi ult, %col, %n : index
        %inside = arith.andi %in_m, %in_n : i1
        scf.if %inside {
          %v = memref.load %x[%row, %col] : memref<100x77xf32>
          memref.store %v, %tile[%r, %tx] : memref<32x33xf32, #gpu.address_space<workgroup>>
        }
      }
      gpu.barrier
      %out_col = arith.addi %row0, %tx : index
      scf.for %r = %ty to %c32 step %c8 {
        %out_row = arith.addi %col0, %r : index
        %in_n = arith.cmpi ult, %out_row, %n : index
        %in_m = arith.cmpi ult, %out_col, %m : index
        %inside = arith.andi %in_m, %in_n : i1
        scf.if %inside {
          %v = memref.load %tile[%tx, %r] : memref<32x33xf32, #gpu.address_space<workgroup>>
          memref.store %v, %y[%out_row, %out_col] : memref<77x100xf32>
        }
      }
      gpu.return
    }
  }
}
