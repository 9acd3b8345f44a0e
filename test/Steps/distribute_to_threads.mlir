// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=tile_to_blocks targets=contraction params={tile_sizes=[32,32]}" --klineage-test-step="kind=distribute_to_threads targets=scf.forall params={threads=[8,8],vector=4} check-undo" 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=R1 --input-file=%t

// R1-COUNT-3: remark: R1 holds
// R1-NOT: error

// A thread has one contiguous tile of the product; the innermost loop is x.
// CHECK-LABEL: func.func @divides
// CHECK: scf.forall {{.*}} step (32, 32)
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (8, 8)
// CHECK-NOT: gpu.barrier
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : memref<4x4xf32
// CHECK: mapping = [#gpu.thread<y>, #gpu.thread<x>]
func.func @divides(%a: memref<128x64xf32>, %b: memref<64x64xf32>, %c: memref<128x64xf32>) {
  linalg.matmul ins(%a, %b : memref<128x64xf32>, memref<64x64xf32>) outs(%c : memref<128x64xf32>)
  return
}

// -----

// Threads past the end of a partial tile have nothing to do.
// CHECK-LABEL: func.func @ragged
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (8, 8)
// CHECK: affine.max
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : memref<?x?xf32
func.func @ragged(%a: memref<127x17xf32>, %b: memref<17x1000xf32>, %c: memref<127x1000xf32>) {
  linalg.matmul ins(%a, %b : memref<127x17xf32>, memref<17x1000xf32>) outs(%c : memref<127x1000xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @dynamic
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (8, 8)
// CHECK: affine.max
func.func @dynamic(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%c : memref<?x?xf32>)
  return
}
