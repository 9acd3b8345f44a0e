// RUN: klineage-opt %s --klineage-import --klineage-emit=format=kernels | FileCheck %s
// RUN: klineage-opt %s --klineage-import --klineage-emit=format=launch | FileCheck %s --check-prefix=LAUNCH
// RUN: klineage-opt %s --klineage-import --klineage-emit=format=ptx | FileCheck %s --check-prefix=PTX

// Parameters are bare pointers in the order of the arguments, then sizes. Only
// what is read alone is readonly: a wrong one deletes the stores.
// CHECK: gpu.func @matmul_k0(%{{.*}}: memref<f32> {{{.*}}llvm.readonly}, %{{.*}}: memref<f32> {{{.*}}llvm.readonly}, %{{.*}}: memref<f32> {llvm.align = 16 : i64, llvm.noalias}
// CHECK-SAME: index
// CHECK: memref.store

// LAUNCH: "kind": "buffer"
// LAUNCH: "name": "matmul_k0"
// LAUNCH: "readonly": false

// PTX: .version 8.0
// PTX: .target sm_90a
// PTX: .entry matmul_k0
// PTX: ld.global
// PTX: st.global
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
