// RUN: klineage-opt %s -split-input-file --klineage-import | FileCheck %s
// RUN: not klineage-opt %s -split-input-file --klineage-emit="format=ptx" 2>&1 | FileCheck %s --check-prefix=TENSORS
// RUN: not klineage-opt %s -split-input-file --klineage-prove 2>&1 | FileCheck %s --check-prefix=TENSORS

// TENSORS: error: {{.*}}works on tensors; make a state of it with --klineage-import first
// TENSORS: error: {{.*}}works on tensors; make a state of it with --klineage-import first

// A value that is returned twice has two buffers.
// CHECK-LABEL: func.func @twice
// CHECK-SAME: %[[A:arg1]]: {{.*}} %[[B:arg2]]:
// CHECK: linalg.generic {{.*}} outs(%[[A]]
// CHECK: memref.copy %[[A]], %[[B]]
func.func @twice(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %q = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %q, %q : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @softmax
// CHECK-NOT: linalg.softmax
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.divf
func.func @softmax(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
