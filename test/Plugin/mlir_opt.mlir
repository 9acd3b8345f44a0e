// Debian's mlir-opt with our passes and dialect, from a plugin.
// REQUIRES: plugin
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s \
// RUN:   --pass-pipeline='builtin.module(klineage-apply{skills=%skills/row_reduction budget=1 executor=simt})' \
// RUN:   | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin --help | FileCheck %s --check-prefix=HELP

// CHECK: klineage.lineage @rows
// CHECK: klineage.transition
// CHECK-SAME: "row_reduction"
// HELP: --klineage-apply
func.func @rows(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.reduce ins(%x : tensor<8x64xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
    (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32 linalg.yield %s : f32 }
  return %sum : tensor<8xf32>
}
