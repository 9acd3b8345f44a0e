// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=tile_to_blocks params={tile_sizes=[64,32,0]} check-undo" 2>/dev/null | FileCheck %s
// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=tile_to_blocks params={tile_sizes=[64,32,0]} check-undo" 2>&1 >/dev/null | FileCheck %s --check-prefix=R1

// The undo gives back the hash of the state before, and applying again that of
// the state after.
// R1-COUNT-4: remark: R1 holds
// R1-NOT: error

// R1 on static extents that divide: no bound is computed.
// CHECK-LABEL: func.func @divides
// CHECK: scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (256, 128) step (64, 32)
// CHECK-NOT: affine.min
// CHECK: linalg.generic
// CHECK: mapping = [#gpu.block<y>, #gpu.block<x>]
func.func @divides(%a: memref<256x64xf32>, %b: memref<64x128xf32>, %c: memref<256x128xf32>) {
  linalg.matmul {klineage.target = 0 : i64} ins(%a, %b : memref<256x64xf32>, memref<64x128xf32>) outs(%c : memref<256x128xf32>)
  return
}

// -----

// A prime extent gets a partial tile.
// CHECK-LABEL: func.func @ragged
// CHECK: affine.min
func.func @ragged(%a: memref<127x17xf32>, %b: memref<17x1000xf32>, %c: memref<127x1000xf32>) {
  linalg.matmul {klineage.target = 0 : i64} ins(%a, %b : memref<127x17xf32>, memref<17x1000xf32>) outs(%c : memref<127x1000xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @dynamic
// CHECK: scf.forall {{.*}} step (64, 32)
func.func @dynamic(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>) {
  linalg.matmul {klineage.target = 0 : i64} ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%c : memref<?x?xf32>)
  return
}

// -----

// One block: the loop stays, so that there is something to undo.
// CHECK-LABEL: func.func @one
// CHECK: scf.forall
func.func @one(%a: memref<1x3xf32>, %b: memref<3x1xf32>, %c: memref<1x1xf32>) {
  linalg.matmul {klineage.target = 0 : i64} ins(%a, %b : memref<1x3xf32>, memref<3x1xf32>) outs(%c : memref<1x1xf32>)
  return
}
