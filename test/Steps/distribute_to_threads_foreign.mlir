// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=distribute_to_threads params={threads=[32],chunk=[4,4]}"

// Each thread would print.
func.func @foreign(%x: memref<64xf32>) {
  // expected-error @below {{clause 'distributable' is refuted: expected linalg operations, serial loops and pure operations in the body, found memref.store}}
  scf.forall (%i) = (0) to (64) step (64) {
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %x[%i] : memref<64xf32>
  } {mapping = [#gpu.block<x>], klineage.target = 0 : i64}
  return
}
