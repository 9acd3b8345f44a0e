// The comparison of executors sees a difference, and says where: here the last
// thread in the order of execution wins.
// RUN: klineage-opt %s --klineage-import -o %t.ref
// RUN: not klineage-opt %t.ref --test-klineage-executors="reference=%t.ref with=simt" -o /dev/null 2>&1 | FileCheck %s
// RUN: not klineage-opt %t.ref --test-klineage-executors="reference=%t.ref with=tpu" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WITH
// RUN: not klineage-opt %t.ref --test-klineage-executors="reference=%t.none" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFERENCE
// RUN: not klineage-opt %t.ref --test-klineage-executors="reference=%t.ref" -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEVICE

// Without a race they agree, bit for bit where bits are promised.
// RUN: %corpus print matmul --dynamic | klineage-opt --klineage-import -o %t.exact
// RUN: klineage-opt %t.exact --test-klineage-executors="reference=%t.exact with=simt" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: %corpus print softmax --shape 3x17 | klineage-opt --klineage-import -o %t.exp
// RUN: klineage-opt %t.exp --test-klineage-executors="reference=%t.exp with=simt" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WITHIN

// CHECK: error: executors disagree in argument 0 (1xi32): {{.*}}63{{.*}}0
// WITH: error: expected with=cuda or with=simt
// REFERENCE: error: cannot read the reference
// DEVICE: error: cuda: no driver:
// BITS: executors agree bit for bit in 18 runs
// WITHIN: executors agree within {{.*}} in 3 runs (__nv_expf has no promised bits)
module attributes {gpu.container_module} {
  func.func @last(%y: memref<1xi32> {llvm.noalias}) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@last blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%y : memref<1xi32>)
    return
  }
  gpu.module @kernels {
    gpu.func @last(%y: memref<1xi32>) kernel {
      %c0 = arith.constant 0 : index
      %t = gpu.thread_id x
      %v = arith.index_cast %t : index to i32
      memref.store %v, %y[%c0] : memref<1xi32>
      gpu.return
    }
  }
}
