// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=unroll params={factor=0}"

func.func @dynamic(%x: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.forall (%b) in (1) {
    scf.forall (%t) in (1) {
      // expected-error @below {{clause 'static_extent' is refuted: expected a constant trip count up to 1024, found a dynamic one}}
      scf.for %i = %c0 to %n step %c1 {
        memref.store %one, %x[%i] : memref<64xf32>
      } {klineage.target = 0 : i64}
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @on_the_host(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  // expected-error @below {{clause 'simt_form' is refuted}}
  scf.for %i = %c0 to %c1 step %c1 {
    linalg.fill ins(%one : f32) outs(%x : memref<64xf32>)
  } {klineage.target = 0 : i64}
  return
}

// -----

func.func @no_loop(%x: memref<64xf32>) {
  %one = arith.constant 1.0 : f32
  // expected-error @below {{unroll takes one scf.for}}
  linalg.fill {klineage.target = 0 : i64} ins(%one : f32) outs(%x : memref<64xf32>)
  return
}
