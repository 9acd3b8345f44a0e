// RUN: klineage-opt %s --klineage-import --klineage-emit="format=kernels" | FileCheck %s
// RUN: klineage-opt %s --klineage-import --klineage-prove | FileCheck %s --check-prefix=PROVE

// The launch passes one buffer twice: no parameter may be noalias, and
// that no two parameters meet is no longer a fact of the kernel.
// CHECK-LABEL: gpu.func @rotate
// CHECK-NOT: noalias
// CHECK-SAME: kernel
// PROVE: rotate: race_free_global unknown {{.*}}: a launch passes one buffer as %arg1 and as %arg0
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @rotate(%x: memref<64xf32>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %t = gpu.thread_id x
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %n = arith.addi %t, %c1 : index
      %m = arith.remui %n, %c64 : index
      %a = memref.load %x[%m] : memref<64xf32>
      memref.store %a, %y[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<64xf32>, %z: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @k::@rotate blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%z : memref<64xf32>, %z : memref<64xf32>)
    return
  }
}
