// Integer functions of math that have an instruction.
// RUN: klineage-opt %s --klineage-emit=format=ptx 2>&1 | FileCheck %s
// CHECK-DAG: popc.b32
// CHECK-DAG: clz.b32
module attributes {gpu.container_module} {
  func.func @bits(%x: memref<32xi32>, %y: memref<32xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@bits blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%x : memref<32xi32>, %y : memref<32xi32>)
    return
  }
  gpu.module @kernels {
    gpu.func @bits(%x: memref<32xi32>, %y: memref<32xi32>) kernel {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xi32>
      %ones = math.ctpop %v : i32
      %lead = math.ctlz %v : i32
      %trail = math.cttz %v : i32
        %s0 = arith.addi %ones, %lead : i32
      %s1 = arith.addi %trail, %v : i32
      %sum = arith.addi %s0, %s1 : i32
      memref.store %sum, %y[%t] : memref<32xi32>
      gpu.return
    }
  }
}
