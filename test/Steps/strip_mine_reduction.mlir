// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=strip_mine_reduction params={dim=2,size=16} check-undo" 2>/dev/null | FileCheck %s
// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=strip_mine_reduction params={dim=2,size=16} check-undo" 2>&1 >/dev/null | FileCheck %s --check-prefix=R1

// The undo gives back the hash of the state before, and applying again that of
// the state after.
// R1-COUNT-2: remark: R1 holds
// R1-NOT: error

// CHECK-LABEL: func.func @divides
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c16
// CHECK: memref<256x16xf32
func.func @divides(%a: memref<256x64xf32>, %b: memref<64x128xf32>, %c: memref<256x128xf32>) {
  linalg.matmul {klineage.target = 0 : i64} ins(%a, %b : memref<256x64xf32>, memref<64x128xf32>) outs(%c : memref<256x128xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @ragged
// CHECK: affine.min
func.func @ragged(%a: memref<?x?xbf16>, %b: memref<?x?xbf16>, %c: memref<?x?xf32>) {
  linalg.matmul {klineage.target = 0 : i64} ins(%a, %b : memref<?x?xbf16>, memref<?x?xbf16>) outs(%c : memref<?x?xf32>)
  return
}
