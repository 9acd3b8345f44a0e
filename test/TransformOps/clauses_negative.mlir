// Every clause that fails names itself, what it expected and what it found.
// RUN: klineage-opt %s -split-input-file --klineage-import --transform-interpreter -verify-diagnostics

func.func @column_of_banks(%x: memref<32x32xf32>, %y: memref<32x32xf32>) {
  // expected-note @below {{clause 'bank_conflict_degree' is refuted}}
  scf.forall (%b) in (1) {
    %s = memref.alloc() : memref<32x32xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (32, 32) {
      %v = memref.load %x[%ty, %tx] : memref<32x32xf32>
      memref.store %v, %s[%tx, %ty] : memref<32x32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = memref.load %s[%ty, %tx] : memref<32x32xf32, #gpu.address_space<workgroup>>
      memref.store %w, %y[%ty, %tx] : memref<32x32xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match ops{["scf.forall"]} in %state : (!transform.any_op) -> !transform.any_op
    %inner, %op = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{clause 'bank_conflict_degree' is refuted: expected at most 2 passes over the banks for a group of lanes, found a store to %arg2 has degree 32}}
    transform.klineage.require_bank_conflict_degree %op {at_most = 2} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @unknown_banks(%x: memref<32xf32>, %i: memref<32xindex>) {
  // expected-note @below {{clause 'bank_conflict_degree' is unknown}}
  scf.forall (%b) in (1) {
    %s = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
    scf.forall (%tx) in (32) {
      %v = memref.load %x[%tx] : memref<32xf32>
      %j = memref.load %i[%tx] : memref<32xindex>
      memref.store %v, %s[%j] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = memref.load %s[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %w, %x[%tx] : memref<32xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match ops{["scf.forall"]} in %state : (!transform.any_op) -> !transform.any_op
    %inner, %op = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{clause 'bank_conflict_degree' is unknown}}
    transform.klineage.require_bank_conflict_degree %op {at_most = 2} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @disjoint_writes(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-note @below {{clause 'disjoint_writes' is refuted}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %op = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{clause 'disjoint_writes' is refuted: expected iterations of loop 2 that write different elements, found output 2 written by all its iterations}}
    transform.klineage.require_disjoint_writes %op {dim = 2} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @dominating_fill(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-note @below {{clause 'dominating_fill' is refuted}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %op = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{clause 'dominating_fill' is refuted}}
    transform.klineage.require_dominating_fill %op : !transform.any_op
    transform.yield
  }
}

// -----

func.func @grid_limits(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-note @below {{clause 'grid_limits' is refuted}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %op = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{clause 'grid_limits' is refuted: expected a grid within 2147483647 x 65535 x 65535, found extent 65536 in dimension 1}}
    transform.klineage.require_grid_limits %op {grid = [1, 65536]} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @loop_parallel(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-note @below {{clause 'loop_parallel' is refuted}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %op = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{clause 'loop_parallel' is refuted: expected loop 2 parallel, found a reduction}}
    transform.klineage.require_loop_parallel %op {dim = 2} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @no_alias(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-note @below {{clause 'no_alias' is unknown}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %op = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{clause 'no_alias' is unknown: expected two buffers that share no byte, found arguments without llvm.noalias}}
    transform.klineage.require_no_alias %op {operand = 0, other = 1} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @no_alias(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-note @below {{clause 'no_alias' is refuted}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %op = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{clause 'no_alias' is refuted: expected operand 9 to be a memref}}
    transform.klineage.require_no_alias %op {operand = 0, other = 9} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @not_written(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-note @below {{clause 'not_written_in_region' is refuted}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %op = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{clause 'not_written_in_region' is refuted}}
    transform.klineage.require_not_written %op {operand = 2} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @register_estimate(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-note @below {{clause 'register_estimate' is refuted}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %op = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{clause 'register_estimate' is refuted: expected at most 255 registers a thread, found about 256}}
    transform.klineage.require_register_estimate %op {registers = 256} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @shared_capacity(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-note @below {{clause 'shared_capacity' is refuted}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %op = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{clause 'shared_capacity' is refuted}}
    transform.klineage.require_shared_capacity %op {bytes = 999999} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @thread_limit(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-note @below {{clause 'thread_limit' is refuted}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %op = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{clause 'thread_limit' is refuted}}
    transform.klineage.require_thread_limit %op {threads = [64, 32]} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @aligned(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-note @below {{clause 'aligned' is unknown}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %op = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{clause 'aligned' is unknown}}
    transform.klineage.require_aligned %op {operand = 0, bytes = 64} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @chip_feature(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-note @below {{clause 'chip_feature' is refuted}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %op = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{clause 'chip_feature' is refuted: expected a chip with wgmma, found sm_80 lacks it}}
    transform.klineage.require_chip_feature %op {feature = "wgmma"} : !transform.any_op
    transform.yield
  }
}
