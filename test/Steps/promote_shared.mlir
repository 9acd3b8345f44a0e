// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=tile_to_blocks targets=contraction params={tile_sizes=[64,32]}" --klineage-test-step="kind=strip_mine_reduction targets=contraction params={dim=2,size=16}" --klineage-test-step="kind=promote_shared targets=contraction params={operand=0} check-undo" 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=R1 --input-file=%t

// R1-COUNT-3: remark: R1 holds
// R1-NOT: error

// The buffer is of the block, the copy of one strip.
// CHECK-LABEL: func.func @divides
// CHECK: scf.forall
// CHECK: memref.alloc() {alignment = 16 : i64} : memref<64x16xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK: linalg.copy {{.*}} outs(%{{.*}} : memref<64x16xf32, #gpu.address_space<workgroup>>)
// CHECK: linalg.generic
func.func @divides(%a: memref<128x64xf32>, %b: memref<64x64xf32>, %c: memref<128x64xf32>) {
  linalg.matmul ins(%a, %b : memref<128x64xf32>, memref<64x64xf32>) outs(%c : memref<128x64xf32>)
  return
}

// -----

// The buffer has the size of a whole tile, the copy that of the partial one.
// CHECK-LABEL: func.func @ragged
// CHECK: memref.alloc() {alignment = 16 : i64} : memref<64x16xf32, #gpu.address_space<workgroup>>
// CHECK: linalg.copy {{.*}} outs(%{{.*}} : memref<?x?xf32, {{.*}}#gpu.address_space<workgroup>>)
func.func @ragged(%a: memref<127x17xf32>, %b: memref<17x1000xf32>, %c: memref<127x1000xf32>) {
  linalg.matmul ins(%a, %b : memref<127x17xf32>, memref<17x1000xf32>) outs(%c : memref<127x1000xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @dynamic
// CHECK: memref.alloc() {alignment = 16 : i64} : memref<64x16xf16, #gpu.address_space<workgroup>>
func.func @dynamic(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%c : memref<?x?xf32>)
  return
}
