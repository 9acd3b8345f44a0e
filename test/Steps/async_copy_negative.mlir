// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=async_copy params={bytes=16}"

// Nothing would wait for it.
func.func @no_barrier(%x: memref<32x8xf32> {llvm.align = 16 : i64}, %y: memref<32x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  scf.forall (%b) in (1) {
    %s = memref.alloc() {alignment = 16 : i64} : memref<32x8xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (32, 2) {
      %column = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %from = memref.subview %x[%ty, %column] [1, 4] [1, 1] : memref<32x8xf32> to memref<1x4xf32, strided<[8, 1], offset: ?>>
      %to = memref.subview %s[%ty, %column] [1, 4] [1, 1] : memref<32x8xf32, #gpu.address_space<workgroup>> to memref<1x4xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
      // expected-error @below {{clause 'barrier_follows' is refuted: expected a barrier that every thread reaches after the copy, in the same iteration, found none}}
      linalg.copy {klineage.target = 0 : i64} ins(%from : memref<1x4xf32, strided<[8, 1], offset: ?>>) outs(%to : memref<1x4xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>)
      memref.store %one, %y[%ty, %column] : memref<32x8xf32>
      %z = memref.load %s[%ty, %c0] : memref<32x8xf32, #gpu.address_space<workgroup>>
      memref.store %z, %y[%ty, %tx] : memref<32x8xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// The thread reads its own element, which has not arrived.
func.func @read_in_flight(%x: memref<32x8xf32> {llvm.align = 16 : i64}, %y: memref<32x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  scf.forall (%b) in (1) {
    %s = memref.alloc() {alignment = 16 : i64} : memref<32x8xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (32, 2) {
      %column = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %from = memref.subview %x[%ty, %column] [1, 4] [1, 1] : memref<32x8xf32> to memref<1x4xf32, strided<[8, 1], offset: ?>>
      %to = memref.subview %s[%ty, %column] [1, 4] [1, 1] : memref<32x8xf32, #gpu.address_space<workgroup>> to memref<1x4xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
      // expected-error @below {{clause 'untouched_in_flight' is refuted: expected no access to the target, and no write of the source, before the barrier, found 'memref.load'}}
      linalg.copy {klineage.target = 0 : i64} ins(%from : memref<1x4xf32, strided<[8, 1], offset: ?>>) outs(%to : memref<1x4xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>)
      %v = memref.load %s[%ty, %column] : memref<32x8xf32, #gpu.address_space<workgroup>>
      memref.store %v, %y[%ty, %column] : memref<32x8xf32>
      gpu.barrier
      %z = memref.load %s[%ty, %c0] : memref<32x8xf32, #gpu.address_space<workgroup>>
      memref.store %z, %y[%ty, %tx] : memref<32x8xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// The copy may read the new element or the old one.
func.func @source_written(%x: memref<32x8xf32> {llvm.align = 16 : i64}, %y: memref<32x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  scf.forall (%b) in (1) {
    %s = memref.alloc() {alignment = 16 : i64} : memref<32x8xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (32, 2) {
      %column = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %from = memref.subview %x[%ty, %column] [1, 4] [1, 1] : memref<32x8xf32> to memref<1x4xf32, strided<[8, 1], offset: ?>>
      %to = memref.subview %s[%ty, %column] [1, 4] [1, 1] : memref<32x8xf32, #gpu.address_space<workgroup>> to memref<1x4xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
      // expected-error @below {{clause 'untouched_in_flight' is refuted: expected no access to the target, and no write of the source, before the barrier, found 'memref.store'}}
      linalg.copy {klineage.target = 0 : i64} ins(%from : memref<1x4xf32, strided<[8, 1], offset: ?>>) outs(%to : memref<1x4xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>)
      memref.store %one, %x[%ty, %column] : memref<32x8xf32>
      gpu.barrier
      %z = memref.load %s[%ty, %c0] : memref<32x8xf32, #gpu.address_space<workgroup>>
      memref.store %z, %y[%ty, %tx] : memref<32x8xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// The entry promises 4 bytes only.
func.func @unaligned(%x: memref<32x8xf32> {llvm.align = 4 : i64}, %y: memref<32x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  scf.forall (%b) in (1) {
    %s = memref.alloc() {alignment = 16 : i64} : memref<32x8xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (32, 2) {
      %column = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %from = memref.subview %x[%ty, %column] [1, 4] [1, 1] : memref<32x8xf32> to memref<1x4xf32, strided<[8, 1], offset: ?>>
      %to = memref.subview %s[%ty, %column] [1, 4] [1, 1] : memref<32x8xf32, #gpu.address_space<workgroup>> to memref<1x4xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
      // expected-error @below {{clause 'aligned' is}}
      linalg.copy {klineage.target = 0 : i64} ins(%from : memref<1x4xf32, strided<[8, 1], offset: ?>>) outs(%to : memref<1x4xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>)
      gpu.barrier
      %z = memref.load %s[%ty, %c0] : memref<32x8xf32, #gpu.address_space<workgroup>>
      memref.store %z, %y[%ty, %tx] : memref<32x8xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// Two floats are half a copy.
func.func @short_row(%x: memref<32x8xf32> {llvm.align = 16 : i64}, %y: memref<32x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  scf.forall (%b) in (1) {
    %s = memref.alloc() {alignment = 16 : i64} : memref<32x8xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (32, 2) {
      %column = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %from = memref.subview %x[%ty, %column] [1, 2] [1, 1] : memref<32x8xf32> to memref<1x2xf32, strided<[8, 1], offset: ?>>
      %to = memref.subview %s[%ty, %column] [1, 2] [1, 1] : memref<32x8xf32, #gpu.address_space<workgroup>> to memref<1x2xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
      // expected-error @below {{clause 'divisible' is refuted: expected rows of a multiple of 16 bytes, found 8 bytes}}
      linalg.copy {klineage.target = 0 : i64} ins(%from : memref<1x2xf32, strided<[8, 1], offset: ?>>) outs(%to : memref<1x2xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>)
      gpu.barrier
      %z = memref.load %s[%ty, %c0] : memref<32x8xf32, #gpu.address_space<workgroup>>
      memref.store %z, %y[%ty, %tx] : memref<32x8xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// A second mark would hide the first one from undo.
func.func @twice(%x: memref<32x8xf32> {llvm.align = 16 : i64}, %y: memref<32x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  scf.forall (%b) in (1) {
    %s = memref.alloc() {alignment = 16 : i64} : memref<32x8xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (32, 2) {
      %column = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %from = memref.subview %x[%ty, %column] [1, 4] [1, 1] : memref<32x8xf32> to memref<1x4xf32, strided<[8, 1], offset: ?>>
      %to = memref.subview %s[%ty, %column] [1, 4] [1, 1] : memref<32x8xf32, #gpu.address_space<workgroup>> to memref<1x4xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
      // expected-error @below {{clause 'not_async' is refuted: expected a copy that is not asynchronous yet, found an asynchronous copy}}
      linalg.copy {klineage.target = 0 : i64, klineage.async = 16 : i64} ins(%from : memref<1x4xf32, strided<[8, 1], offset: ?>>) outs(%to : memref<1x4xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>)
      gpu.barrier
      %z = memref.load %s[%ty, %c0] : memref<32x8xf32, #gpu.address_space<workgroup>>
      memref.store %z, %y[%ty, %tx] : memref<32x8xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// The barrier of the next iteration comes after the reads of this one.
func.func @barrier_before(%x: memref<32x8xf32> {llvm.align = 16 : i64}, %y: memref<32x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.forall (%b) in (1) {
    %s = memref.alloc() {alignment = 16 : i64} : memref<32x8xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (32, 2) {
      %column = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %from = memref.subview %x[%ty, %column] [1, 4] [1, 1] : memref<32x8xf32> to memref<1x4xf32, strided<[8, 1], offset: ?>>
      %to = memref.subview %s[%ty, %column] [1, 4] [1, 1] : memref<32x8xf32, #gpu.address_space<workgroup>> to memref<1x4xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
      scf.for %i = %c0 to %c2 step %c1 {
        gpu.barrier
        // expected-error @below {{clause 'barrier_follows' is refuted}}
        linalg.copy {klineage.target = 0 : i64} ins(%from : memref<1x4xf32, strided<[8, 1], offset: ?>>) outs(%to : memref<1x4xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>)
      }
      gpu.barrier
      %z = memref.load %s[%ty, %c0] : memref<32x8xf32, #gpu.address_space<workgroup>>
      memref.store %z, %y[%ty, %tx] : memref<32x8xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @to_registers(%x: memref<32x4xf32> {llvm.align = 16 : i64}, %y: memref<32x4xf32>) {
  scf.forall (%b) in (1) {
    scf.forall (%t) in (32) {
      %r = memref.alloca() : memref<1x4xf32, #gpu.address_space<private>>
      %from = memref.subview %x[%t, 0] [1, 4] [1, 1] : memref<32x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
      // expected-error @below {{clause 'global_to_shared' is refuted}}
      linalg.copy {klineage.target = 0 : i64} ins(%from : memref<1x4xf32, strided<[4, 1], offset: ?>>) outs(%r : memref<1x4xf32, #gpu.address_space<private>>)
      gpu.barrier
      %to = memref.subview %y[%t, 0] [1, 4] [1, 1] : memref<32x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
      linalg.copy ins(%r : memref<1x4xf32, #gpu.address_space<private>>) outs(%to : memref<1x4xf32, strided<[4, 1], offset: ?>>)
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @no_copy(%x: memref<64xf32>) {
  %one = arith.constant 1.0 : f32
  // expected-error @below {{async_copy takes one linalg.copy of buffers}}
  linalg.fill {klineage.target = 0 : i64} ins(%one : f32) outs(%x : memref<64xf32>)
  return
}
