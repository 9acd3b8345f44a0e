// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=tile_to_blocks params={tile_sizes=[0,0,16]}"

func.func @reduction(%a: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{clause 'loop_parallel' is refuted: expected loop 2 parallel, found a reduction}}
  linalg.matmul {klineage.target = 0 : i64} ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @too_many_sizes(%a: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{tile_to_blocks has 3 tile sizes for 1 loops}}
  linalg.fill {klineage.target = 0 : i64} ins(%zero : f32) outs(%a : memref<8xf32>)
  return
}

// -----

func.func @not_linalg(%a: memref<8xf32>) {
  // expected-error @below {{takes a linalg operation on buffers}}
  %c = arith.constant {klineage.target = 0 : i64} 0 : index
  %l = memref.load %a[%c] : memref<8xf32>
  memref.store %l, %a[%c] : memref<8xf32>
  return
}
