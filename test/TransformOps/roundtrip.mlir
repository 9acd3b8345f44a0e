// Text and bytecode of every step kind and clause as transform operations.
// RUN: klineage-opt %s -o %t.text
// RUN: klineage-opt %t.text | diff %t.text -
// RUN: klineage-opt %s --emit-bytecode -o %t.mlirbc
// RUN: klineage-opt %t.mlirbc | diff %t.text -
// RUN: FileCheck %s --input-file=%t.text

module attributes {transform.with_named_sequence} {
  transform.named_sequence @steps(%op: !transform.any_op, %loop: !transform.any_op) {
    // CHECK: transform.klineage.tile_to_blocks %{{.*}} {max_registers = 64 : i64, min_blocks_per_sm = 2 : i64, tile_sizes = [64, 64, 0]}
    %t, %l = transform.klineage.tile_to_blocks %op {tile_sizes = [64, 64, 0], min_blocks_per_sm = 2, max_registers = 64} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.klineage.fuse_producer %op, %l : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %s, %k = transform.klineage.strip_mine_reduction %t {dim = 2, size = 16} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %p, %c, %a = transform.klineage.promote_shared %s {operand = 0} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.klineage.pad_shared %a {pad = 4} : (!transform.any_op) -> !transform.any_op
    %sw = transform.klineage.swizzle_shared %a {vector = 4, period = 8} : (!transform.any_op) -> !transform.any_op
    %d = transform.klineage.distribute_to_threads %l {threads = [16, 16], vector = 4, chunk = [4, 4]} : (!transform.any_op) -> !transform.any_op
    %r = transform.klineage.register_tile %p : (!transform.any_op) -> !transform.any_op
    %v = transform.klineage.vectorize_access %c {vector = 4} : (!transform.any_op) -> !transform.any_op
    %u = transform.klineage.unroll %k {factor = 4} : (!transform.any_op) -> !transform.any_op
    transform.klineage.remove_barrier %d : (!transform.any_op) -> ()
    %m = transform.klineage.fast_math %d {flags = "afn"} : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.klineage.block_row_reduction %{{.*}} {rows_in_registers = 1 : i64, threads = 256 : i64, vector = 4 : i64}
    %b = transform.klineage.block_row_reduction %op {threads = 256, vector = 4, rows_in_registers = 1} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  transform.named_sequence @clauses(%op: !transform.any_op) {
    // CHECK: transform.klineage.require_aligned %{{.*}} {bytes = 16 : i64, operand = 0 : i64, or_unknown}
    transform.klineage.require_aligned %op {operand = 0, bytes = 16, or_unknown} : !transform.any_op
    transform.klineage.require_chip_feature %op {feature = "cp_async"} : !transform.any_op
    transform.klineage.require_disjoint_writes %op {dim = 0} : !transform.any_op
    transform.klineage.require_divisible %op {dim = 0, factor = 4} : !transform.any_op
    transform.klineage.require_dominating_fill %op : !transform.any_op
    // CHECK: transform.klineage.require_grid_limits %{{.*}} {grid = [4, 2]}
    transform.klineage.require_grid_limits %op {grid = [4, 2]} : !transform.any_op
    transform.klineage.require_loop_parallel %op {dim = 0} : !transform.any_op
    transform.klineage.require_neutral_element %op : !transform.any_op
    transform.klineage.require_no_alias %op {operand = 0, other = 2} : !transform.any_op
    transform.klineage.require_not_written %op {operand = 0} : !transform.any_op
    transform.klineage.require_register_estimate %op {registers = 128} : !transform.any_op
    transform.klineage.require_reorderable %op : !transform.any_op
    transform.klineage.require_shared_capacity %op {bytes = 4096} : !transform.any_op
    transform.klineage.require_static_extent %op {dim = 0} : !transform.any_op
    transform.klineage.require_thread_limit %op {threads = [32, 8]} : !transform.any_op
    transform.klineage.require_unit_stride %op {operand = 0} : !transform.any_op
    transform.klineage.require_whole_bytes %op {operand = 0} : !transform.any_op
    transform.yield
  }
}
