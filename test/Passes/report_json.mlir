// The report for programs has what the text has.
// RUN: klineage-opt %s --klineage-apply="skills=%skills budget=2 executor=simt" -o %t.mlir
// RUN: klineage-opt %t.mlir --klineage-report="format=json" -o %t.json
// RUN: python3 %S/Inputs/check_report.py %t.json
// RUN: sed s/128x128/127x127/g %inputs/corpus/matmul.mlir > %t.odd.mlir
// RUN: klineage-opt %t.odd.mlir --klineage-apply="skills=%skills/matmul_shared executor=simt" -o %t.refused.mlir 2>/dev/null
// RUN: klineage-opt %t.refused.mlir --klineage-report="format=json" -o %t.refused.json
// RUN: python3 %S/Inputs/check_report.py %t.refused.json --refused
// RUN: not klineage-opt %t.mlir --klineage-report="format=html" 2>&1 | FileCheck %s
// CHECK: error: no such format 'html'; known are text and json

func.func @scale(%x: tensor<8x1024xf32>, %o: tensor<8x1024xf32>) -> tensor<8x1024xf32> {
  %c = arith.constant 3.0 : f32
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x1024xf32>) outs(%o : tensor<8x1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.mulf %a, %c : f32
    linalg.yield %m : f32
  } -> tensor<8x1024xf32>
  return %r : tensor<8x1024xf32>
}
