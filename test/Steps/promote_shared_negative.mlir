// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-test-step="kind=promote_shared params={operand=0}"

func.func @host_form(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @below {{clause 'block_program' is refuted: expected an operation of a block program, found no block loop around it}}
  linalg.matmul {klineage.target = 0 : i64} ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// Without strips, the tile is as long as the reduction.
func.func @unbounded(%a: memref<64x?xf32>, %b: memref<?x64xf32>, %c: memref<64x64xf32>) {
  scf.forall (%i) = (0) to (64) step (64) {
    // expected-error @below {{clause 'static_extent' is refuted: expected a tile of bounded size, found no static bound}}
    linalg.matmul {klineage.target = 0 : i64} ins(%a, %b : memref<64x?xf32>, memref<?x64xf32>) outs(%c : memref<64x64xf32>)
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @too_large(%a: memref<64x4096xf32>, %b: memref<4096x64xf32>, %c: memref<64x64xf32>) {
  scf.forall (%i) = (0) to (64) step (64) {
    // expected-error @below {{clause 'shared_capacity' is refuted}}
    linalg.matmul {klineage.target = 0 : i64} ins(%a, %b : memref<64x4096xf32>, memref<4096x64xf32>) outs(%c : memref<64x64xf32>)
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// In place: the copy would keep the old values.
func.func @aliased(%b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  scf.forall (%i) = (0) to (64) step (64) {
    // expected-error @below {{clause 'no_alias' is refuted}}
    linalg.matmul {klineage.target = 0 : i64} ins(%c, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @shared_already(%b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  scf.forall (%i) = (0) to (64) step (64) {
    %a = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    // expected-error @below {{clause 'global_operand' is refuted: expected an operand in global memory, found one in another memory space}}
    linalg.matmul {klineage.target = 0 : i64} ins(%a, %b : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  } {mapping = [#gpu.block<x>]}
  return
}
