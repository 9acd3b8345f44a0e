// RUN: klineage-opt %s -split-input-file --klineage-prove | FileCheck %s

// Constant and within the limits.
// CHECK: small: launch_limits proved
// CHECK-NEXT: small: grid_limits proved
// CHECK-NOT: assumes the launch
// CHECK: small: bank_conflict_degree proved (enumeration): no access to shared memory
// 65536 blocks along y.
// CHECK: tall: grid_limits refuted (folding): 65536 blocks along y
// 128 threads along z, though 1024 in all.
// CHECK: deep: launch_limits refuted (folding): 8 x 1 x 128 threads
// Computed from an extent: the launch checks it.
// CHECK: computed: grid_limits proved
// CHECK-NEXT: assumes the launch refuses more than 65535 of {{.*}} blocks along y
// From memory of the host: nothing is known.
// CHECK: loaded: grid_limits unknown
module attributes {gpu.container_module} {
  func.func @entry(%x: memref<?xf32>, %n: memref<1xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    %c65536 = arith.constant 65536 : index
    %d = memref.dim %x, %c0 : memref<?xf32>
    %g = arith.ceildivui %d, %c128 : index
    %m = memref.load %n[%c0] : memref<1xindex>
    gpu.launch_func @k::@small blocks in (%c8, %c8, %c1) threads in (%c128, %c1, %c1)
    gpu.launch_func @k::@tall blocks in (%c1, %c65536, %c1) threads in (%c128, %c1, %c1)
    gpu.launch_func @k::@deep blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c128)
    gpu.launch_func @k::@computed blocks in (%c1, %g, %c1) threads in (%c128, %c1, %c1)
    gpu.launch_func @k::@loaded blocks in (%m, %c1, %c1) threads in (%c128, %c1, %c1)
    return
  }
  gpu.module @k {
    gpu.func @small() kernel { gpu.return }
    gpu.func @tall() kernel { gpu.return }
    gpu.func @deep() kernel { gpu.return }
    gpu.func @computed() kernel { gpu.return }
    gpu.func @loaded() kernel { gpu.return }
  }
}
