// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=block_row_reduction params={threads=128,vector=4} check-undo" 2>/dev/null | FileCheck %s
// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=block_row_reduction params={threads=128,vector=4} check-undo" 2>&1 >/dev/null | FileCheck %s --check-prefix=R1
// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=block_row_reduction params={threads=128,vector=1,rows_in_registers=0} check-undo" 2>&1 >/dev/null | FileCheck %s --check-prefix=R1

// R1-COUNT-3: remark: R1 holds
// R1-NOT: error

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>

// One load of the row, two vectors a thread; the second one is clamped, and
// what is outside of the row does not count. What all rows share is loaded where
// it is used first.
// CHECK-LABEL: func.func @scaled_sum
// CHECK-NOT: memref.alloc()
// CHECK: scf.forall (%[[R:.*]]) in (8)
// CHECK: scf.forall (%[[T:.*]]) in (128)
// CHECK-COUNT-2: vector.load %arg0{{.*}}vector<4xf32>
// CHECK: linalg.fill {klineage.stage = 0
// CHECK: iterator_types = ["reduction"]
// CHECK: arith.select
// CHECK: gpu.all_reduce add
// CHECK-COUNT-2: vector.load %arg1{{.*}}vector<4xf32>
// CHECK: iterator_types = ["parallel"]
// CHECK: scf.if
// CHECK: {mapping = [#gpu.thread<x>]}
// CHECK: {mapping = [#gpu.block<x>]}
func.func @scaled_sum(%x: tensor<8x1000xf32>, %g: tensor<1000xf32>) -> tensor<8x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<8xf32>
  %e2 = tensor.empty() : tensor<8x1000xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<8x1000xf32>) outs(%f : tensor<8xf32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %sum, %g : tensor<8x1000xf32>, tensor<8xf32>, tensor<1000xf32>) outs(%e2 : tensor<8x1000xf32>) {
  ^bb0(%a: f32, %s: f32, %h: f32, %o: f32):
    %p = arith.divf %a, %s : f32
    %r = arith.mulf %p, %h : f32
    linalg.yield %r : f32
  } -> tensor<8x1000xf32>
  return %y : tensor<8x1000xf32>
}

// -----

// A start value that is not neutral joins after the block's reduction.
// CHECK-LABEL: func.func @max_with_zero
// CHECK: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK: linalg.fill ins(%[[LOW]]
// CHECK: %[[ALL:.*]] = gpu.all_reduce maximumf
// CHECK: arith.maximumf {{.*}}%[[ALL]]
func.func @max_with_zero(%x: memref<8x512xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<8x512xf32>) outs(%y : memref<8xf32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%a: f32, %b: f32):
    %r = arith.maximumf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Any operation of the group is a target; two dimensions of rows.
// CHECK-LABEL: func.func @batched
// CHECK: scf.forall (%[[B:.*]], %[[R:.*]]) in (3, 5)
// CHECK: vector.load %{{.*}}[%[[B]], %[[R]],
// CHECK: {mapping = [#gpu.block<y>, #gpu.block<x>]}
func.func @batched(%x: memref<3x5x512xi32>, %y: memref<3x5xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill {klineage.target = 0 : i64} ins(%zero : i32) outs(%y : memref<3x5xi32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x : memref<3x5x512xi32>) outs(%y : memref<3x5xi32>) {
  ^bb0(%a: i32, %b: i32):
    %r = arith.addi %a, %b : i32
    linalg.yield %r : i32
  }
  return
}
