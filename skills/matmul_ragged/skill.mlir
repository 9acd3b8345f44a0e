klineage.skill @matmul_ragged attributes {
  transform.with_named_sequence,
  summary = "Tile a matrix product whose extents no tile divides",
  provides = ["shared_tiled", "register_tiled"], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>,
  effect = "whole tiles work in registers; blocks at the edges keep the old code",
  risk = "a guard that differs between threads of a block would split a barrier",
  scope = "contractions with static or dynamic extents, at least 8 rows and columns"
} {
  klineage.knob @bm in [64, 32, 16]
  klineage.knob @bn in [64, 32, 16]
  klineage.knob @bk in [16, 8, 4, 1]
  klineage.knob @tx in [16, 8]
  klineage.knob @ty in [16, 8]
  klineage.constraint "(bm + bn) * bk * bytes <= shared_bytes"
  klineage.constraint "bm * bn <= tx * ty * 16"
  klineage.constraint "bm * bn >= tx * ty * 4"
  // A partial strip would send every block into the old code.
  klineage.constraint "max(inner0, 0) % bk == 0"
  // Where tiles of matmul_shared divide all extents, that is the better one.
  klineage.constraint "max(inner2 % 32, 0 - inner2 % 32) + max(inner1 % 32, 0 - inner1 % 32) + max(inner0 % 8, 0 - inner0 % 8) > 0"
  // Vectors are no matrices; a dynamic extent, -1, is seen at run time.
  klineage.constraint "max(inner2, 0 - 8 * inner2) >= 8"
  klineage.constraint "max(inner1, 0 - 8 * inner1) >= 8"

  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) {
    transform.klineage.match_kind %op "contraction" : !transform.any_op
    transform.yield
  }

  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) {
    %fill = transform.klineage.get_writers %op operand 2 : (!transform.any_op) -> !transform.any_op
    %t, %loop = transform.klineage.tile_to_blocks %op {tile_sizes = [@bm, @bn, 0], innermost}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.klineage.fuse_producer %fill, %loop
      : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %s, %k = transform.klineage.strip_mine_reduction %t {dim = -1 : i64, size = @bk}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %p0, %c0, %a0 = transform.klineage.promote_shared %s {operand = 0 : i64}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %p1, %c1, %a1 = transform.klineage.promote_shared %p0 {operand = 1 : i64}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %d = transform.klineage.distribute_to_threads %loop {threads = [@tx, @ty], vector = 1 : i64}
      : (!transform.any_op) -> !transform.any_op
    %m = transform.klineage.get_structured %d kind "contraction" : (!transform.any_op) -> !transform.any_op
    %r = transform.klineage.register_tile %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
