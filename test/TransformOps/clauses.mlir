// Every clause on an operation that it holds for.
// RUN: klineage-opt %s --klineage-import --canonicalize --transform-interpreter | FileCheck %s

// Canonicalization keeps them, though they have no result.
// CHECK: transform.klineage.match_kind
// CHECK-COUNT-18: transform.klineage.require_
func.func @matmul(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op {transform.readonly}) {
    %op = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    transform.klineage.match_kind %op "contraction" : !transform.any_op
    transform.klineage.require_aligned %op {operand = 0, bytes = 16} : !transform.any_op
    transform.klineage.require_bank_conflict_degree %op {at_most = 1} : !transform.any_op
    transform.klineage.require_chip_feature %op {feature = "cp_async"} : !transform.any_op
    transform.klineage.require_disjoint_writes %op {dim = 1} : !transform.any_op
    transform.klineage.require_divisible %op {dim = -1, factor = 16} : !transform.any_op
    transform.klineage.require_dominating_fill %op : !transform.any_op
    transform.klineage.require_grid_limits %op {grid = [4, 65535]} : !transform.any_op
    transform.klineage.require_loop_parallel %op {dim = 0} : !transform.any_op
    transform.klineage.require_neutral_element %op : !transform.any_op
    transform.klineage.require_no_alias %op {operand = 0, other = 2} : !transform.any_op
    transform.klineage.require_not_written %op {operand = 0} : !transform.any_op
    transform.klineage.require_register_estimate %op {registers = 255} : !transform.any_op
    transform.klineage.require_reorderable %op : !transform.any_op
    transform.klineage.require_shared_capacity %op {bytes = 65536} : !transform.any_op
    transform.klineage.require_static_extent %op {dim = 0} : !transform.any_op
    transform.klineage.require_thread_limit %op {threads = [32, 32]} : !transform.any_op
    transform.klineage.require_unit_stride %op {operand = 1} : !transform.any_op
    transform.klineage.require_whole_bytes %op {operand = 1} : !transform.any_op
    transform.yield
  }
}
