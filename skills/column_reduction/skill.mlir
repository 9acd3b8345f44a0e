klineage.skill @column_reduction attributes {
  transform.with_named_sequence,
  summary = "Reduce columns, several rows in flight a thread",
  provides = ["register_tiled", "vectorized"], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>,
  effect = "neighbouring threads read neighbouring columns, sums stay in registers",
  risk = "sums kept in registers hide writes of others to the output",
  scope = "reductions of the outer loop of two; strips of rows that divide it, or a guard"
} {
  klineage.knob @rows in [16, 8, 4, 1]
  klineage.knob @vector in [1, 2, 4]
  klineage.knob @threads in [64, 32]
  klineage.knob @columns in [64, 32, 128]
  klineage.constraint "columns == vector * threads"
  klineage.constraint "vector * io_bytes <= 16"
  klineage.constraint "max(extent0, 0) % rows == 0"
  // Of many rows column_split makes parts.
  klineage.constraint "extent0 < 512"
  klineage.constraint "inner0 % vector == 0"

  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) {
    transform.klineage.match_kind %op "reduction" : !transform.any_op
    transform.yield
  }

  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) {
    %fill = transform.klineage.get_writers %op operand 1 : (!transform.any_op) -> !transform.any_op
    %t, %loop = transform.klineage.tile_to_blocks %op {tile_sizes = [0, @columns]}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.klineage.fuse_producer %fill, %loop
      : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %s, %k = transform.klineage.strip_mine_reduction %t {dim = 0 : i64, size = @rows}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %d = transform.klineage.distribute_to_threads %loop {threads = [@threads], vector = @vector}
      : (!transform.any_op) -> !transform.any_op
    %m = transform.klineage.get_structured %d kind "reduction" : (!transform.any_op) -> !transform.any_op
    %r = transform.klineage.register_tile %m : (!transform.any_op) -> !transform.any_op
    %n = transform.klineage.get_structured %d kind "reduction" : (!transform.any_op) -> !transform.any_op
    %v = transform.klineage.vectorize_access %n {vector = @vector} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
