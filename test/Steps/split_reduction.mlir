// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=split_reduction params={rows=64,columns=32} check-undo" 2>/dev/null | FileCheck %s
// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=split_reduction params={rows=64,columns=32} check-undo" 2>&1 >/dev/null | FileCheck %s --check-prefix=R1

// R1-COUNT-3: remark: R1 holds
// R1-NOT: error

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// Four blocks along the rows, the last one with 8 rows.
// CHECK-LABEL: func.func @ragged
// CHECK: memref.alloc() {{.*}} : memref<4x96xf32>
// CHECK: scf.forall {{.*}} to (200, 96) step (64, 32)
// CHECK: linalg.fill
// CHECK: arith.addf
// CHECK: ins(%{{.*}} : memref<4x96xf32>) outs(%{{.*}} : memref<96xf32>)
func.func @ragged(%x: memref<200x96xbf16>, %y: memref<96xf32>) {
  linalg.generic {klineage.target = 0 : i64, indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
    ins(%x : memref<200x96xbf16>) outs(%y : memref<96xf32>) {
  ^bb0(%a: bf16, %sum: f32):
    %w = arith.extf %a : bf16 to f32
    %r = arith.addf %w, %sum : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @dynamic
// CHECK: memref.alloc(%{{.*}}, %{{.*}}) {{.*}} : memref<?x?xf32>
// CHECK: arith.constant 0xFF800000
func.func @dynamic(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  linalg.generic {klineage.target = 0 : i64, indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
    ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %top: f32):
    %r = arith.maximumf %top, %a : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
// Two inputs, one of which no row changes; integers.
// CHECK-LABEL: func.func @weighted
// CHECK: memref<1x8xi32>
func.func @weighted(%x: memref<5x8xi32>, %w: memref<8xi32>, %y: memref<8xi32>) {
  linalg.generic {klineage.target = 0 : i64, indexing_maps = [#id, #column, #column], iterator_types = ["reduction", "parallel"]}
    ins(%x, %w : memref<5x8xi32>, memref<8xi32>) outs(%y : memref<8xi32>) {
  ^bb0(%a: i32, %b: i32, %sum: i32):
    %p = arith.muli %a, %b : i32
    %r = arith.addi %sum, %p : i32
    linalg.yield %r : i32
  }
  return
}
