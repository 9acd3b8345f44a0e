// The chain of a shared-memory GEMM by the upstream interpreter, down to PTX.
// RUN: klineage-opt %inputs/matmul_256.mlir --klineage-import --transform-preload-library="transform-library-paths=%inputs/tiled_matmul_steps.mlir" --transform-interpreter -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: klineage-opt %t.mlir --klineage-emit=format=ptx | FileCheck %s --check-prefix=PTX

// CHECK: scf.forall {{.*}} step (64, 64)
// CHECK: memref.alloc() {{.*}} #gpu.address_space<workgroup>
// CHECK: scf.forall {{.*}} in (16, 16)
// CHECK: memref.alloca() : memref<1x4x1x4xf32, #gpu.address_space<private>>
// CHECK: scf.for
// One barrier protects the tile of the last iteration, one publishes the new one.
// CHECK: gpu.barrier
// CHECK: linalg.copy
// CHECK: linalg.copy
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: linalg.generic
// CHECK-NOT: gpu.barrier
// CHECK: mapping = [#gpu.thread<y>, #gpu.thread<x>]

// PTX: .shared .align 16
// PTX-NOT: .local
// PTX: ld.global.nc.v4
// PTX: st.shared.v4
// PTX: bar.sync
// PTX: ld.shared.v4
// PTX: fma.rn.f32
// PTX: st.global.v4
