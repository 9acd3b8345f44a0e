// What is not understood is refused at its place, by name.
// RUN: klineage-opt %s --split-input-file --verify-diagnostics --klineage-summarize

module attributes {gpu.container_module} {
  func.func @shared_out_of_bounds(%a: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %p = memref.reinterpret_cast %a to offset: [0], sizes: [], strides: [] : memref<64xf32> to memref<f32>
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%p : memref<f32>)
    return
  }
  gpu.module @k {
    gpu.func @f(%a: memref<f32>) workgroup(%s : memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %m = memref.reinterpret_cast %a to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
      %t = gpu.thread_id x
      %v = memref.load %m[%t] : memref<64xf32, strided<[1]>>
      // expected-error @+1 {{not summarized: an element of shared or private memory whose place is not known or not within bounds}}
      memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @other_thread(%a: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %p = memref.reinterpret_cast %a to offset: [0], sizes: [], strides: [] : memref<64xf32> to memref<f32>
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%p : memref<f32>)
    return
  }
  gpu.module @k {
    // expected-error @+1 {{not summarized: what 'f' stores to arg0: a thread reads an element that another one may store}}
    gpu.func @f(%a: memref<f32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c63 = arith.constant 63 : index
      %m = memref.reinterpret_cast %a to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
      %t = gpu.thread_id x
      %r = arith.subi %c63, %t : index
      %v = memref.load %m[%r] : memref<64xf32, strided<[1]>>
      memref.store %v, %m[%t] : memref<64xf32, strided<[1]>>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @half(%a: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %p = memref.reinterpret_cast %a to offset: [0], sizes: [], strides: [] : memref<64xf32> to memref<f32>
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%p : memref<f32>)
    return
  }
  gpu.module @k {
    // expected-error @+1 {{not summarized: what 'f' stores to arg0: only 32 of 64 elements of a tile are stored}}
    gpu.func @f(%a: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %zero = arith.constant 0.0 : f32
      %m = memref.reinterpret_cast %a to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
      %t = gpu.thread_id x
      memref.store %zero, %m[%t] : memref<64xf32, strided<[1]>>
      gpu.return
    }
  }
}
