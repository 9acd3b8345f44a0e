// Kernel arguments keep the order of the entry, not that of their first use.
// RUN: klineage-opt %s --klineage-emit="format=llvm" | FileCheck %s
// The output comes first, but is stored to last.
// CHECK: define ptx_kernel void @late_k0(ptr writeonly {{.*}}%0, ptr readonly {{.*}}%1)
#id = affine_map<(d0) -> (d0)>
func.func @late(%y: memref<1024xf32>, %x: memref<1024xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<1024xf32>) outs(%y : memref<1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}
