// RUN: klineage-opt %s --klineage-import --klineage-prove -verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @promises(%x: memref<f32>, %y: memref<f32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %a = memref.load %x[] : memref<f32>
      memref.store %a, %y[] : memref<f32>
      gpu.return
    }
  }
  func.func @main(%z: memref<f32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{passes one buffer as arguments 0 and 1 of @promises, which has llvm.noalias on argument 1}}
    gpu.launch_func @k::@promises blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%z : memref<f32>, %z : memref<f32>)
    return
  }
}
