// Vectors become elements; then the rest of the walk. Both give the same bits.
// RUN: klineage-opt %s --klineage-decompose=executor=simt -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: klineage-opt %t.mlir --klineage-emit="state=s1 format=mlir" | FileCheck %s --check-prefix=SCALAR
// CHECK: klineage.transition @t0 @s0 -> @s1 by "scalarize" {{.*}} numerics <bit_exact> certificate <equivalent
// CHECK: klineage.transition @t1 @s1 -> @s2 by "raise" {{.*}} numerics <bit_exact> certificate <equivalent
// SCALAR-NOT: vector.load
// SCALAR-NOT: vector.store
// SCALAR: memref.store
// SCALAR-NOT: vector.load

module attributes {gpu.container_module} {
  func.func @twice(%x: memref<512xf32>, %y: memref<512xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @k::@twice blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<512xf32>, %y : memref<512xf32>)
    return
  }
  gpu.module @k {
    gpu.func @twice(%x: memref<512xf32>, %y: memref<512xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c4 = arith.constant 4 : index
      %c64 = arith.constant 64 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %first = arith.muli %b, %c64 : index
      %thread = arith.addi %first, %t : index
      %at = arith.muli %thread, %c4 : index
      %v = vector.load %x[%at] : memref<512xf32>, vector<4xf32>
      %w = arith.addf %v, %v : vector<4xf32>
      vector.store %w, %y[%at] : memref<512xf32>, vector<4xf32>
      gpu.return
    }
  }
}
