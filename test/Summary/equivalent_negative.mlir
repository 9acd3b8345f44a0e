// RUN: not klineage-opt %s --klineage-equivalent=timeout=0 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: error: timeout must be positive
// RUN: not klineage-opt %s --klineage-equivalent=with=nowhere.mlir 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot read 'nowhere.mlir'
// RUN: sed s/64xf32/32xf32/ %s > %t.other.mlir
// RUN: not klineage-opt %s --klineage-equivalent=with=%t.other.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: expected an entry of type '(memref<64xf32>) -> ()', found '(memref<32xf32>) -> ()'

module {
  func.func @zeros(%a: memref<64xf32>) {
    %c = arith.constant 0.0 : f32
    linalg.fill ins(%c : f32) outs(%a : memref<64xf32>)
    return
  }
}
