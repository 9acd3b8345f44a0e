// What of an entry only its call could decide is promised by the normal form, and
// checked at the launch: alignment and no common bytes. Another stride than 1 has
// no entry at all.
// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-import | FileCheck %s

// CHECK: func.func @promised(%{{.*}}: memref<4x1024xf32> {llvm.align = 16 : i64}, %{{.*}}: memref<4x1024xf32> {llvm.align = 16 : i64, llvm.noalias})
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @promised(%x: memref<4x1024xf32>, %y: memref<4x1024xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x1024xf32>) outs(%y : memref<4x1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// expected-error @below {{argument 0 has layout strided<[1024, ?]>; an entry takes contiguous row-major buffers}}
func.func @stride(%x: memref<4x1024xf32, strided<[1024, ?]>>, %y: memref<4x1024xf32>) {
  return
}
