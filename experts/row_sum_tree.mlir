// Row sums by a tree in shared memory, written by hand: one block of 128 threads
// a row, 8 columns apart by 128. The last barrier orders nothing: every thread
// is done, and only the first one reads what it wrote itself.
module attributes {gpu.container_module} {
  func.func @row_sum(%x: memref<37x1000xf32>, %y: memref<37xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %rows = memref.dim %x, %c0 : memref<37x1000xf32>
    gpu.launch_func @kernels::@row_sum_tree
        blocks in (%rows, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%x : memref<37x1000xf32>, %y : memref<37xf32>)
    return
  }

  gpu.module @kernels {
    gpu.func @row_sum_tree(%x: memref<37x1000xf32>, %y: memref<37xf32>)
        workgroup(%sums: memref<128xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %c64 = arith.constant 64 : index
      %c128 = arith.constant 128 : index
      %c1000 = arith.constant 1000 : index
      %zero = arith.constant 0.0 : f32
      %row = gpu.block_id x
      %t = gpu.thread_id x
      %own = scf.for %c = %t to %c1000 step %c128 iter_args(%sum = %zero) -> f32 {
        %v = memref.load %x[%row, %c] : memref<37x1000xf32>
        %next = arith.addf %sum, %v : f32
        scf.yield %next : f32
      }
      memref.store %own, %sums[%t] : memref<128xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      scf.for %level = %c0 to %c7 step %c1 {
        %half = arith.shrui %c64, %level : index
        %active = arith.cmpi ult, %t, %half : index
        scf.if %active {
          %other = arith.addi %t, %half : index
          %a = memref.load %sums[%t] : memref<128xf32, #gpu.address_space<workgroup>>
          %b = memref.load %sums[%other] : memref<128xf32, #gpu.address_space<workgroup>>
          %s = arith.addf %a, %b : f32
          memref.store %s, %sums[%t] : memref<128xf32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
      }
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        %total = memref.load %sums[%c0] : memref<128xf32, #gpu.address_space<workgroup>>
        memref.store %total, %y[%row] : memref<37xf32>
      }
      gpu.barrier
      gpu.return
    }
  }
}
