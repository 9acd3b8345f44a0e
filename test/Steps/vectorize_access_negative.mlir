// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=vectorize_access params={vector=4}"

func.func @host_form(%x: memref<64xf32>, %y: memref<64xf32>) {
  // expected-error @below {{clause 'simt_form' is refuted: expected an operation that threads of a block execute, found no thread loop around it}}
  linalg.copy {klineage.target = 0 : i64} ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// -----

func.func @strided(%x: memref<32x8xf32>, %y: memref<32x8xf32>) {
  scf.forall (%i) in (1) {
    scf.forall (%t) in (32) {
      %a = memref.subview %x[%t, 0] [1, 4] [1, 2] : memref<32x8xf32> to memref<1x4xf32, strided<[8, 2], offset: ?>>
      %b = memref.subview %y[%t, 0] [1, 4] [1, 2] : memref<32x8xf32> to memref<1x4xf32, strided<[8, 2], offset: ?>>
      // expected-error @below {{clause 'unit_stride' is refuted}}
      linalg.copy {klineage.target = 0 : i64} ins(%a : memref<1x4xf32, strided<[8, 2], offset: ?>>) outs(%b : memref<1x4xf32, strided<[8, 2], offset: ?>>)
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// 4-byte alignment of both arguments, 16 for the access: one that fits is enough.
func.func @unaligned(%x: memref<32x4xf32> {llvm.align = 4 : i64}, %y: memref<32x4xf32> {llvm.align = 4 : i64}) {
  scf.forall (%i) in (1) {
    scf.forall (%t) in (32) {
      %a = memref.subview %x[%t, 0] [1, 4] [1, 1] : memref<32x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
      %b = memref.subview %y[%t, 0] [1, 4] [1, 1] : memref<32x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
      // expected-error @below {{clause 'aligned' is}}
      linalg.copy {klineage.target = 0 : i64} ins(%a : memref<1x4xf32, strided<[4, 1], offset: ?>>) outs(%b : memref<1x4xf32, strided<[4, 1], offset: ?>>)
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @odd_rows(%x: memref<32x6xf32>, %y: memref<32x6xf32>) {
  scf.forall (%i) in (1) {
    scf.forall (%t) in (32) {
      %a = memref.subview %x[%t, 0] [1, 6] [1, 1] : memref<32x6xf32> to memref<1x6xf32, strided<[6, 1], offset: ?>>
      %b = memref.subview %y[%t, 0] [1, 6] [1, 1] : memref<32x6xf32> to memref<1x6xf32, strided<[6, 1], offset: ?>>
      // expected-error @below {{clause 'divisible' is refuted: expected rows of a multiple of 4 elements, found 6}}
      linalg.copy {klineage.target = 0 : i64} ins(%a : memref<1x6xf32, strided<[6, 1], offset: ?>>) outs(%b : memref<1x6xf32, strided<[6, 1], offset: ?>>)
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
