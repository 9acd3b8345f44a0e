// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=strip_mine_reduction params={dim=0,size=16}"

func.func @parallel(%a: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{clause 'reduction_loop' is refuted: expected loop 0 a reduction, found parallel}}
  linalg.matmul {klineage.target = 0 : i64} ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}
