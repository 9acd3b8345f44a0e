// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-import

// expected-error @below {{argument 0 has elements of type 'complex<f32>'; an entry takes buffers of integers and floats}}
func.func @elements(%x: memref<4xcomplex<f32>>) {
  return
}

// -----

func.func @memory(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  // expected-error @below {{works on device memory in the entry; an entry holds linalg operations, copies and launches}}
  linalg.softmax dimension(1) ins(%x : memref<8x64xf32>) outs(%y : memref<8x64xf32>)
  return
}
