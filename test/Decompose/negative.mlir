// RUN: not klineage-opt %s --klineage-decompose=budget=0 2>&1 | FileCheck %s --check-prefix=BUDGET
// BUDGET: error: budget must be positive
// RUN: not klineage-opt %s --klineage-decompose=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: unknown chip 'sm_1'
// RUN: not klineage-opt %s --klineage-decompose=executor=tpu 2>&1 | FileCheck %s --check-prefix=EXECUTOR
// EXECUTOR: error: unknown executor 'tpu'

// An expert that has a race has no meaning to be walked to.
// RUN: klineage-opt %s --klineage-decompose=executor=simt -o %t.mlir 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: warning: decompose: the expert itself is not accepted: unsafe: shared_race in kernel 'reversed'
// RUN: FileCheck %s --check-prefix=TRIAL --input-file=%t.mlir
// TRIAL: klineage.trial @s0 by "expert" {{.*}} verdict <unsafe
// TRIAL-NOT: klineage.transition

// With the barrier the walk goes as far as it can, and says what the limit is.
// RUN: sed "s,// BARRIER,gpu.barrier," %s > %t.sound.mlir
// RUN: klineage-opt %t.sound.mlir --klineage-decompose=executor=simt -o %t.walk.mlir 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: warning: decompose: stopped before naive: raise: arg0 is read at -i0 + 63 of 64, which is no whole dimension
// RUN: klineage-opt %t.sound.mlir --klineage-decompose="executor=simt budget=1" -o %t.walk.mlir 2>&1 | FileCheck %s --check-prefix=SPENT
// SPENT: warning: decompose: the budget is spent

module attributes {gpu.container_module} {
  func.func @reversed(%x: memref<64xf32>, %y: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @k::@reversed blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>, %y : memref<64xf32>)
    return
  }
  gpu.module @k {
    gpu.func @reversed(%x: memref<64xf32>, %y: memref<64xf32>) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c63 = arith.constant 63 : index
      %t = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      // BARRIER
      %r = arith.subi %c63, %t : index
      %w = memref.load %s[%r] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %w, %y[%t] : memref<64xf32>
      gpu.return
    }
  }
}
