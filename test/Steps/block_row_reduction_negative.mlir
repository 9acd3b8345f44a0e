// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=block_row_reduction params={threads=128,vector=4}"

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @ragged_vector(%x: memref<8x127xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8xf32>)
  // expected-error @below {{clause 'divisible' is refuted: expected extent of loop 1 divisible by 4, found 127; nearest legal: 1}}
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<8x127xf32>) outs(%y : memref<8xf32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}

// -----

func.func @accumulates(%x: memref<8x128xf32>, %y: memref<8xf32>) {
  // expected-error @below {{clause 'dominating_fill' is refuted}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<8x128xf32>) outs(%y : memref<8xf32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}

// -----

func.func @not_reorderable(%x: memref<8x128xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8xf32>)
  // expected-error @below {{clause 'reduction_reorderable' is refuted}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<8x128xf32>) outs(%y : memref<8xf32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%a: f32, %b: f32):
    %r = arith.subf %b, %a : f32
    linalg.yield %r : f32
  }
  return
}

// -----

func.func @columns(%x: memref<8x128xf32>, %y: memref<128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<128xf32>)
  // expected-error @below {{clause 'row_reduction' is refuted}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<8x128xf32>) outs(%y : memref<128xf32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// The row of another block would be read before it is written.
func.func @other_row(%x: memref<8x8xf32>, %s: memref<8xf32>, %y: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<8xf32>)
  // expected-error @below {{clause 'row_local' is refuted}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<8x8xf32>) outs(%s : memref<8xf32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x, %s : memref<8x8xf32>, memref<8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}

// -----

func.func @in_place(%x: memref<8x128xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8xf32>)
  // expected-error @below {{clause 'single_assignment' is refuted}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<8x128xf32>) outs(%y : memref<8xf32>) attrs = {klineage.target = 0 : i64} {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
    ins(%y : memref<8xf32>) outs(%x : memref<8x128xf32>) {
  ^bb0(%b: f32, %o: f32):
    %r = arith.divf %o, %b : f32
    linalg.yield %r : f32
  }
  return
}

// -----

func.func @no_threads(%x: memref<8x128xf32>, %y: memref<8xf32>) {
  // expected-error @below {{takes a linalg operation on buffers}}
  %c = arith.constant {klineage.target = 0 : i64} 0 : index
  %l = memref.load %y[%c] : memref<8xf32>
  memref.store %l, %y[%c] : memref<8xf32>
  return
}
