// RUN: klineage-opt %s -split-input-file --klineage-test-step="kind=tile_to_blocks targets=linalg.generic params={tile_sizes=[1,128]}" --klineage-test-step="kind=distribute_to_threads targets=scf.forall params={threads=[32],vector=4}" --klineage-test-step="kind=vectorize_access targets=linalg.generic params={vector=4} check-undo" 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=R1 --input-file=%t

// R1-COUNT-2: remark: R1 holds
// R1-NOT: error

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @divides
// CHECK-NOT: scf.if
// CHECK: vector.load {{.*}}strided{{.*}}, vector<4xf32>
// CHECK: memref.alloca() {alignment = 16 : i64} : memref<1x4xf32, #gpu.address_space<private>>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<1x4xf32, #gpu.address_space<private>>)
// CHECK: vector.store {{.*}}, vector<4xf32>
func.func @divides(%x: memref<3x256xf32>, %y: memref<3x256xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<3x256xf32>) outs(%y : memref<3x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// The last block of a row has a partial tile: vectors behind a guard.
// CHECK-LABEL: func.func @ragged
// CHECK: scf.if
// CHECK: vector.load
// CHECK: else
// CHECK-NOT: vector.load
// CHECK: linalg.generic
// CHECK: klineage.guard = "full_tiles"
func.func @ragged(%x: memref<3x1000xf32>, %y: memref<3x1000xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<3x1000xf32>) outs(%y : memref<3x1000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  }
  return
}
