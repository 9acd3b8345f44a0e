// `readonly` and `noalias` on an argument that is written, or that may overlap
// one that is, would delete or reorder stores. Without a promise there is
// neither; with it, only the input that nothing writes is read-only.
// RUN: klineage-opt %s -split-input-file --klineage-emit="format=ptx" | FileCheck %s

// CHECK-LABEL: .entry in_place_k0
// CHECK-NOT: ld.global.nc
// CHECK: st.global.b32
#id = affine_map<(d0) -> (d0)>
func.func @in_place(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<1024xf32>) outs(%y : memref<1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// CHECK-LABEL: .entry promised_k0
// CHECK: ld.global.nc.b32
// CHECK-NOT: ld.global.nc
// CHECK: ld.global.b32
// CHECK: st.global.b32
#id = affine_map<(d0) -> (d0)>
func.func @promised(%x: memref<1024xf32> {llvm.noalias}, %y: memref<1024xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<1024xf32>) outs(%y : memref<1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  }
  return
}
