// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=tile_to_blocks targets=contraction params={tile_sizes=[32,32]}" --klineage-test-step="kind=fuse_producer targets={linalg.fill scf.forall}" --klineage-test-step="kind=strip_mine_reduction targets=contraction params={dim=2,size=16}" --klineage-test-step="kind=distribute_to_threads targets=scf.forall params={threads=[8,8]}" --klineage-test-step="kind=register_tile targets=contraction check-undo" 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=R1 --input-file=%t

// R1-COUNT-3: remark: R1 holds
// R1-NOT: error

// Registers are filled before the loop and stored once, after it.
// CHECK-LABEL: func.func @divides
// CHECK: %[[REG:.*]] = memref.alloca() : memref<4x4xf32, #gpu.address_space<private>>
// CHECK: linalg.fill {{.*}} outs(%[[REG]]
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%[[REG]]
// CHECK-NOT: linalg.copy
// CHECK: }
// CHECK: linalg.copy ins(%[[REG]]
func.func @divides(%a: memref<128x64xf32>, %b: memref<64x64xf32>, %c: memref<128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x64xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xf32>, memref<64x64xf32>) outs(%c : memref<128x64xf32>)
  return
}

// -----

// A dynamic tile keeps its old code beside that for whole tiles.
// CHECK-LABEL: func.func @ragged
// CHECK: scf.if
// CHECK: memref.alloca() : memref<4x4xf32, #gpu.address_space<private>>
// CHECK: else
// CHECK-NOT: memref.alloca
// CHECK: linalg.generic
// CHECK: klineage.guard = "full_tiles"
func.func @ragged(%a: memref<127x17xf32>, %b: memref<17x1000xf32>, %c: memref<127x1000xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<127x1000xf32>)
  linalg.matmul ins(%a, %b : memref<127x17xf32>, memref<17x1000xf32>) outs(%c : memref<127x1000xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @dynamic
// CHECK: klineage.guard = "full_tiles"
func.func @dynamic(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32>)
  linalg.matmul ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%c : memref<?x?xf32>)
  return
}
